package driver

import (
	"jacquard/libcuda/driver/judge"
	"jacquard/simt/mem/texture"
)

// ArrayDescriptor is the shape of an array. Sizes are in elements. Height 0 means one dimension,
// Depth 0 two; with Array3DLayered Depth counts layers.
type ArrayDescriptor struct {
	Width, Height, Depth uint64
	Format               ArrayFormat
	Channels             uint32 // components per element: 1, 2 or 4
	Flags                uint32
}

// array is memory for textures. It has no device address, because its layout is the hardware's own.
type array struct {
	ctx    *context
	desc   ArrayDescriptor
	texels []byte // rows without gaps; nil once destroyed
	shared bool   // belongs to a graphics resource
	made   *judge.Call
}

func (a *array) context() *context { return a.ctx }

// ArrayCreate makes an array of one or two dimensions, filled with zeros.
func (t *Thread) ArrayCreate(desc ArrayDescriptor) (Array, error) {
	desc.Depth, desc.Flags = 0, 0
	return t.Array3DCreate(desc)
}

// Array3DCreate makes an array of up to three dimensions, or of layers, filled with zeros. The
// other flags are for later hardware and answer ErrInvalidValue.
func (t *Thread) Array3DCreate(desc ArrayDescriptor) (Array, error) {
	return working(t, func(c *context) (Array, error) {
		handle, _, err := c.newArray(desc)
		return handle, err
	})
}

// newArray makes an array. The caller holds c's lock.
func (c *context) newArray(desc ArrayDescriptor) (Array, *array, error) {
	if !c.device.fits(&desc) {
		return 0, nil, ErrInvalidValue
	}
	// No overflow: the limits of the dimensions multiply to less than 2^40.
	size := desc.Width * max(desc.Height, 1) * max(desc.Depth, 1) * desc.elementSize()
	texels, err := c.zeros(size)
	if err != nil {
		return 0, nil, err
	}
	if err := c.space.Reserve(size); err != nil {
		c.release(texels)
		return 0, nil, c.full(err)
	}
	a := &array{ctx: c, desc: desc, texels: texels, made: c.checkers.caller}
	handle := Array(c.d.handles.add(a))
	tell(c, ArrayCreated{c.handle, handle, desc})
	return handle, a, nil
}

// ArrayGetDescriptor returns an array's shape, without Depth and Flags.
func (t *Thread) ArrayGetDescriptor(a Array) (ArrayDescriptor, error) {
	desc, err := t.Array3DGetDescriptor(a)
	desc.Depth, desc.Flags = 0, 0
	return desc, err
}

// Array3DGetDescriptor returns an array's shape.
func (t *Thread) Array3DGetDescriptor(a Array) (ArrayDescriptor, error) {
	var desc ArrayDescriptor
	err := t.array(a, func(a *array) error {
		desc = a.desc
		return nil
	})
	return desc, err
}

// ArrayDestroy frees an array. A launch that reads it through a texture reference faults. An array
// of a graphics resource answers ErrArrayIsMapped.
func (t *Thread) ArrayDestroy(a Array) error {
	return t.array(a, func(found *array) error {
		if found.shared {
			return ErrArrayIsMapped
		}
		found.destroy(a)
		return nil
	})
}

// destroy frees an array. The caller holds the context's lock.
func (a *array) destroy(handle Array) {
	tell(a.ctx, ArrayDestroys{a.ctx.handle, handle})
	a.ctx.d.handles.remove(uintptr(handle))
	a.ctx.space.Release(uint64(len(a.texels)))
	a.ctx.release(a.texels)
	a.texels = nil
}

// array calls do with the array a of the current context.
func (t *Thread) array(a Array, do func(*array) error) error {
	return owned(t, uintptr(a), func(_ *context, a *array) error { return do(a) })
}

// elementSize returns the bytes of an element.
func (d *ArrayDescriptor) elementSize() uint64 {
	return uint64(texture.Format(d.Format).Size()) * uint64(d.Channels)
}

// valid reports whether d describes a possible element.
func (d *ArrayDescriptor) valid() bool {
	return d.Format <= FormatFloat && texture.Format(d.Format).Size() != 0 && (d.Channels == 1 || d.Channels == 2 || d.Channels == 4)
}

// fits reports whether the array is within the device's limits.
func (d *device) fits(desc *ArrayDescriptor) bool {
	if !desc.valid() || desc.Width == 0 || desc.Flags&^Array3dLayered != 0 {
		return false
	}
	type attributes [3]DeviceAttribute
	var most attributes
	switch layered := desc.Flags&Array3dLayered != 0; {
	case layered && desc.Depth == 0:
		return false
	case layered && desc.Height == 0:
		most = attributes{AttributeMaximumTexture1dLayeredWidth, 0, AttributeMaximumTexture1dLayeredLayers}
	case layered:
		most = attributes{AttributeMaximumTexture2dLayeredWidth, AttributeMaximumTexture2dLayeredHeight, AttributeMaximumTexture2dLayeredLayers}
	case desc.Height == 0 && desc.Depth == 0:
		most = attributes{AttributeMaximumTexture1dWidth}
	case desc.Depth == 0:
		most = attributes{AttributeMaximumTexture2dWidth, AttributeMaximumTexture2dHeight}
	case desc.Height == 0:
		return false
	default:
		most = attributes{AttributeMaximumTexture3dWidth, AttributeMaximumTexture3dHeight, AttributeMaximumTexture3dDepth}
	}
	for i, size := range [3]uint64{desc.Width, desc.Height, desc.Depth} {
		if most[i] != 0 && size > uint64(d.attribute(most[i])) {
			return false
		}
	}
	return true
}
