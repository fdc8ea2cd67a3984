package driver

import (
	"jacquard/libcuda/driver/judge"
	"jacquard/simt/mem/texture"
)

// binding is the memory that a texture reference reads. The zero binding reads none.
type binding struct {
	kind          texture.Kind
	base          uint32 // of device memory, a multiple of the texture alignment
	size          uint64 // texture.Linear: bytes
	pitch         uint32 // texture.Pitched: bytes
	width, height uint64 // texture.Pitched: elements and rows
	array         *array // texture.Array
	handle        Array
	made          *judge.Call
}

// TexRefSetAddress binds size bytes of device memory at ptr. The hardware binds whole units of the
// texture alignment: the distance of ptr from its unit's start is stored through offset, and the
// program adds it to its coordinates. With offset nil, an unaligned ptr is an error. Size 0
// unbinds. A range of more texels than AttributeMaximumTexture1dLinearWidth is an error, by the
// format that the reference has now.
func (t *Thread) TexRefSetAddress(ref TexRef, ptr DevicePtr, size uint64, offset *uint64) error {
	return t.texref(ref, func(c *context, r *texref) error {
		if size == 0 {
			r.bound = binding{}
			return nil
		}
		if _, err := c.bytes(ptr, size); err != nil {
			return err
		}
		texel := uint64(texture.Format(r.format).Size()) * uint64(r.channels)
		if size/texel > uint64(c.device.attribute(AttributeMaximumTexture1dLinearWidth)) {
			return ErrInvalidValue
		}
		over := uint32(ptr) % uint32(c.device.attribute(AttributeTextureAlignment))
		if over != 0 && offset == nil {
			return ErrInvalidValue
		}
		if offset != nil {
			*offset = uint64(over)
		}
		r.bound = binding{kind: texture.Linear, base: uint32(ptr) - over, size: size + uint64(over), made: c.checkers.caller}
		return nil
	})
}

// TexRefSetAddress2D binds rows of device memory at ptr, pitch bytes apart, and sets the format. It
// ignores Depth and Flags of desc. ptr must have the texture alignment.
func (t *Thread) TexRefSetAddress2D(ref TexRef, desc ArrayDescriptor, ptr DevicePtr, pitch uint64) error {
	return t.setAddress2D(ref, desc, ptr, pitch, false)
}

// TexRefSetAddress2DV3 is TexRefSetAddress2D since CUDA 4.1: pitch must be a multiple of the
// texture pitch alignment.
func (t *Thread) TexRefSetAddress2DV3(ref TexRef, desc ArrayDescriptor, ptr DevicePtr, pitch uint64) error {
	return t.setAddress2D(ref, desc, ptr, pitch, true)
}

// setAddress2D binds rows. With aligned, pitch must be a multiple of the texture pitch alignment.
func (t *Thread) setAddress2D(ref TexRef, desc ArrayDescriptor, ptr DevicePtr, pitch uint64, aligned bool) error {
	return t.texref(ref, func(c *context, r *texref) error {
		at := func(a DeviceAttribute) uint64 { return uint64(c.device.attribute(a)) }
		if !desc.valid() || desc.Width == 0 || desc.Height == 0 ||
			desc.Width > at(AttributeMaximumTexture2dLinearWidth) || desc.Height > at(AttributeMaximumTexture2dLinearHeight) ||
			pitch > at(AttributeMaximumTexture2dLinearPitch) || pitch < desc.Width*desc.elementSize() ||
			uint64(ptr)%at(AttributeTextureAlignment) != 0 || aligned && pitch%at(AttributeTexturePitchAlignment) != 0 {
			return ErrInvalidValue
		}
		if _, err := c.bytes(ptr, (desc.Height-1)*pitch+desc.Width*desc.elementSize()); err != nil {
			return err
		}
		r.format, r.channels = desc.Format, int(desc.Channels)
		r.bound = binding{kind: texture.Pitched, base: uint32(ptr), pitch: uint32(pitch), width: desc.Width, height: desc.Height, made: c.checkers.caller}
		return nil
	})
}

// TexRefSetArray binds an array. With flag TRSAOverrideFormat the reference takes the array's
// format; NVIDIA's runtime library passes no flag and sets the format itself. Elements are read in
// the array's format either way.
func (t *Thread) TexRefSetArray(ref TexRef, a Array, flags uint32) error {
	return t.texref(ref, func(c *context, r *texref) error {
		found, err := find[*array](c, uintptr(a))
		if err != nil {
			return err
		}
		if flags&^TRSAOverrideFormat != 0 {
			return ErrInvalidValue
		}
		if flags&TRSAOverrideFormat != 0 {
			r.format, r.channels = found.desc.Format, int(found.desc.Channels)
		}
		r.bound = binding{kind: texture.Array, array: found, handle: a}
		return nil
	})
}

// texture returns the texture for a unit with this reference.
func (r *texref) texture() texture.Texture {
	x := texture.Texture{
		Kind: r.bound.kind, Format: texture.Format(r.format), Channels: uint8(r.channels),
		Integer: r.flags&TRSFReadAsInteger != 0,
		Sampler: texture.Sampler{Normalized: r.flags&TRSFNormalizedCoordinates != 0, Filter: r.filter == FilterLinear},
		Base:    r.bound.base, Size: r.bound.size, Pitch: r.bound.pitch,
		Width: int(r.bound.width), Height: int(r.bound.height),
	}
	for i, mode := range r.modes {
		x.Address[i] = texture.AddressMode(mode)
	}
	if a := r.bound.array; a != nil {
		// The format is the array's, even if the program has set another since.
		x.Format, x.Channels = texture.Format(a.desc.Format), uint8(a.desc.Channels)
		x.Width, x.Height, x.Depth = int(a.desc.Width), int(a.desc.Height), int(a.desc.Depth)
		x.Layered = a.desc.Flags&Array3dLayered != 0
		x.Texels = a.texels
	}
	return x
}
