package driver

import "jacquard/simt/mem"

// texref is a texture reference: what it is bound to and how it is read.
type texref struct {
	ctx      *context
	format   ArrayFormat
	channels int
	flags    uint32
	filter   FilterMode
	modes    [3]AddressMode
	base     uint32 // of linear memory, a multiple of the texture alignment
	size     uint64 // bytes bound; 0 is unbound
}

func (r *texref) context() *context { return r.ctx }

// newTexref returns an unbound texture reference with the defaults of the API.
func newTexref(c *context) *texref {
	return &texref{ctx: c, format: FormatFloat, channels: 1}
}

// TexRefSetAddress binds size bytes of device memory at ptr. The hardware binds whole units of the
// texture alignment: the distance of ptr from the unit's start is stored through offset, for the program
// to add to its coordinates. With offset nil such a ptr is an error. Size 0 unbinds.
func (t *Thread) TexRefSetAddress(ref TexRef, ptr DevicePtr, size uint64, offset *uint64) error {
	return t.texref(ref, func(c *context, r *texref) error {
		if size == 0 {
			r.base, r.size = 0, 0
			return nil
		}
		if _, err := c.bytes(ptr, size); err != nil {
			return err
		}
		over := uint32(ptr) % uint32(c.device.attribute(AttributeTextureAlignment))
		if over != 0 && offset == nil {
			return ErrInvalidValue
		}
		if offset != nil {
			*offset = uint64(over)
		}
		r.base, r.size = uint32(ptr)-over, size+uint64(over)
		return nil
	})
}

// TexRefSetFormat sets the type and the number of a texel's components: 1, 2 or 4.
func (t *Thread) TexRefSetFormat(ref TexRef, format ArrayFormat, channels int) error {
	return t.texref(ref, func(_ *context, r *texref) error {
		if format > FormatFloat || mem.Format(format).Size() == 0 || channels != 1 && channels != 2 && channels != 4 {
			return ErrInvalidValue
		}
		r.format, r.channels = format, channels
		return nil
	})
}

// TexRefSetFlags sets TRSFReadAsInteger, TRSFNormalizedCoordinates and TRSFSRGB. Linear memory, which is read
// by integer coordinates, minds the first only.
func (t *Thread) TexRefSetFlags(ref TexRef, flags uint32) error {
	return t.texref(ref, func(_ *context, r *texref) error {
		if flags&^(TRSFReadAsInteger|TRSFNormalizedCoordinates|TRSFSRGB) != 0 {
			return ErrInvalidValue
		}
		r.flags = flags
		return nil
	})
}

// TexRefSetAddressMode says what coordinates outside the texture mean in dimension dim, 0 to 2. Linear
// memory does not mind it.
func (t *Thread) TexRefSetAddressMode(ref TexRef, dim int, mode AddressMode) error {
	return t.texref(ref, func(_ *context, r *texref) error {
		if dim < 0 || dim >= len(r.modes) || mode > AddressBorder {
			return ErrInvalidValue
		}
		r.modes[dim] = mode
		return nil
	})
}

// TexRefSetFilterMode says how to read between texels. Linear memory does not mind it.
func (t *Thread) TexRefSetFilterMode(ref TexRef, mode FilterMode) error {
	return t.texref(ref, func(_ *context, r *texref) error {
		if mode > FilterLinear {
			return ErrInvalidValue
		}
		r.filter = mode
		return nil
	})
}

// texref calls do with the texture reference behind ref and the current context, which it belongs to.
func (t *Thread) texref(ref TexRef, do func(*context, *texref) error) error {
	c, err := t.work()
	if err != nil {
		return err
	}
	defer c.mu.Unlock()
	r, err := find[*texref](c, uintptr(ref))
	if err != nil {
		return err
	}
	return do(c, r)
}

// texture returns what a texture unit with this reference reads.
func (r *texref) texture() mem.Texture {
	if r.size == 0 {
		return mem.Texture{}
	}
	return mem.Texture{
		Kind:     mem.Linear,
		Format:   mem.Format(r.format),
		Channels: uint8(r.channels),
		Integer:  r.flags&TRSFReadAsInteger != 0,
		Base:     r.base,
		Size:     r.size,
	}
}
