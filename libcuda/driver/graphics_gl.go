package driver

import "math/bits"

// GLInit succeeds with a current context: since CUDA 3.0 OpenGL needs no preparation.
func (t *Thread) GLInit() error { return t.sound(func(*context) error { return nil }) }

// GLCtxCreate is CtxCreate: since CUDA 5.0 a context needs no preparation for OpenGL. The calls
// that use OpenGL look for its context themselves.
func (t *Thread) GLCtxCreate(flags ContextFlags, dev Device) (Context, error) {
	return t.CtxCreate(flags, dev)
}

// GLCtxCreateV1 is CtxCreateV1, for the same reason as GLCtxCreate.
func (t *Thread) GLCtxCreateV1(flags ContextFlags, dev Device) (Context, error) {
	return t.CtxCreateV1(flags, dev)
}

// GLDeviceList selects devices that can share with OpenGL: all, or the ones that draw the current
// or the next frame if several devices take turns.
type GLDeviceList int

// The values of GLDeviceList.
const (
	GLDeviceListAll          GLDeviceList = 1
	GLDeviceListCurrentFrame GLDeviceList = 2
	GLDeviceListNextFrame    GLDeviceList = 3
)

// GLGetDevices returns the devices that can share with the current OpenGL context: for each list
// all devices, because none of them draws.
func (t *Thread) GLGetDevices(list GLDeviceList) ([]Device, error) {
	if err := t.initialized(); err != nil {
		return nil, err
	}
	if list < GLDeviceListAll || list > GLDeviceListNextFrame {
		return nil, ErrInvalidValue
	}
	if err := t.d.gl.Current(); err != nil {
		return nil, err
	}
	var all []Device
	for _, d := range t.d.devices {
		all = append(all, d.ordinal)
	}
	return all, nil
}

// GraphicsGLRegisterBuffer shares a buffer object of the current OpenGL context. One without memory
// answers ErrInvalidValue.
func (t *Thread) GraphicsGLRegisterBuffer(buffer uint32, flags GraphicsRegisterFlags) (GraphicsResource, error) {
	if err := t.checkRegister(flags); err != nil {
		return 0, err
	}
	size, err := t.d.gl.Buffer(buffer)
	if err != nil {
		return 0, err
	}
	if size == 0 {
		return 0, ErrInvalidValue
	}
	return working(t, func(c *context) (GraphicsResource, error) {
		ptr, err := c.provide(size)
		if err != nil {
			return 0, err
		}
		memory, err := c.bytes(ptr, size)
		if err != nil {
			panic("driver: memory is not where it was allocated")
		}
		c.owned[uint32(ptr)] = true
		place := GLPlace{Name: buffer, Target: GLArrayBuffer}
		return c.register(&resource{ctx: c, flags: flags, pieces: []piece{{place, []part{{bytes: memory, at: ptr}}}}}), nil
	})
}

// GraphicsGLRegisterImage shares a texture or a renderbuffer of the current OpenGL context. It
// answers ErrInvalidValue for targets and formats that cannot be shared, borders and several
// samples.
func (t *Thread) GraphicsGLRegisterImage(image uint32, target GLEnum, flags GraphicsRegisterFlags) (GraphicsResource, error) {
	if err := t.checkRegister(flags); err != nil {
		return 0, err
	}
	places, err := t.d.places(image, target)
	if err != nil {
		return 0, err
	}
	return working(t, func(c *context) (GraphicsResource, error) {
		r := &resource{ctx: c, flags: flags, arrays: map[subresource]Array{}}
		for i := range places {
			if err := r.addArrays(&places[i]); err != nil {
				r.free()
				return 0, err
			}
		}
		return c.register(r), nil
	})
}

// checkRegister checks the context and the flags of a registration. Surfaces and gathers are for
// later hardware.
func (t *Thread) checkRegister(flags GraphicsRegisterFlags) error {
	return t.sound(func(*context) error {
		if flags > GraphicsRegisterWriteDiscard {
			return ErrInvalidValue
		}
		return nil
	})
}

// register gives r a handle. The caller holds c's lock.
func (c *context) register(r *resource) GraphicsResource {
	r.handle = GraphicsResource(c.d.handles.add(r))
	return r.handle
}

// places returns the places of an image: its levels, for a cube map each face's levels.
func (d *Driver) places(image uint32, target GLEnum) ([]GLPlace, error) {
	first, faces, levels := target, uint32(1), true
	switch target {
	case GLTexture2D, GLTexture3D, GLTexture2DArray:
	case GLTextureRectangle, GLRenderbuffer:
		levels = false
	case GLTextureCubeMap:
		first, faces = GLTextureFace, 6
	default:
		return nil, ErrInvalidValue
	}
	var places []GLPlace
	for face := range faces {
		place := GLPlace{Name: image, Target: first + GLEnum(face)}
		whole, err := d.gl.Image(image, place.Target, 0)
		if err != nil {
			return nil, err
		}
		element, ok := elementOf(whole.Format)
		if !ok || whole.Width == 0 || whole.Height == 0 || whole.Border != 0 || whole.Samples != 0 {
			return nil, ErrInvalidValue
		}
		place.Image, place.Format, place.Type = whole, element.pixel, element.typ
		places = append(places, place)
		most := bits.Len32(max(whole.Width, whole.Height, whole.Depth))
		for place.Level = 1; levels && int(place.Level) < most; place.Level++ {
			place.Image, err = d.gl.Image(image, place.Target, place.Level)
			if err != nil {
				return nil, err
			}
			if place.Image.Width == 0 || place.Image.Format != whole.Format {
				break
			}
			places = append(places, place)
		}
	}
	return places, nil
}

// addArrays makes the arrays for a place: one, or one per layer. The caller holds the context's
// lock.
func (r *resource) addArrays(place *GLPlace) error {
	element, _ := elementOf(place.Image.Format)
	desc := ArrayDescriptor{
		Width: uint64(place.Image.Width), Height: uint64(place.Image.Height),
		Format: element.format, Channels: element.channels,
	}
	index, layers := uint32(0), uint32(1)
	switch {
	case place.Target == GLTexture3D:
		desc.Depth = uint64(place.Image.Depth)
	case place.Target == GLTexture2DArray:
		layers = place.Image.Depth
	case place.Target >= GLTextureFace && place.Target < GLTextureFace+6:
		index = uint32(place.Target - GLTextureFace)
	}
	r.pieces = append(r.pieces, piece{place: *place})
	p := &r.pieces[len(r.pieces)-1]
	for layer := range layers {
		handle, a, err := r.ctx.newArray(desc)
		if err != nil {
			return err
		}
		a.shared = true
		p.parts = append(p.parts, part{bytes: a.texels, array: handle})
		r.arrays[subresource{index + layer, place.Level}] = handle
	}
	return nil
}
