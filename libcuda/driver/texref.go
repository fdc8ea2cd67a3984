package driver

import "jacquard/simt/mem/texture"

// texref is a texture reference with its binding.
type texref struct {
	ctx      *context
	created  bool   // by TexRefCreate; other references belong to their module
	name     string // in the module
	format   ArrayFormat
	channels int
	flags    uint32
	filter   FilterMode
	modes    [3]AddressMode
	bound    binding
}

func (r *texref) context() *context { return r.ctx }

// newTexref returns an unbound texture reference with the defaults of the API.
func newTexref(c *context) *texref {
	return &texref{ctx: c, format: FormatFloat, channels: 1}
}

// TexRefCreate makes an unbound texture reference. No kernel reads it, because kernels read the
// references of their module.
func (t *Thread) TexRefCreate() (TexRef, error) {
	return working(t, func(c *context) (TexRef, error) {
		r := newTexref(c)
		r.created = true
		return TexRef(t.d.handles.add(r)), nil
	})
}

// TexRefDestroy destroys what TexRefCreate made.
func (t *Thread) TexRefDestroy(ref TexRef) error {
	return t.texref(ref, func(_ *context, r *texref) error {
		if !r.created {
			return ErrInvalidValue
		}
		t.d.handles.remove(uintptr(ref))
		return nil
	})
}

// TexRefSetFormat sets the type and the number of a texel's components: 1, 2 or 4.
func (t *Thread) TexRefSetFormat(ref TexRef, format ArrayFormat, channels int) error {
	return t.texref(ref, func(_ *context, r *texref) error {
		if format > FormatFloat || texture.Format(format).Size() == 0 || channels != 1 && channels != 2 && channels != 4 {
			return ErrInvalidValue
		}
		r.format, r.channels = format, channels
		return nil
	})
}

// TexRefSetFlags sets TRSFReadAsInteger, TRSFNormalizedCoordinates and TRSFSRGB. The last has no
// effect, because this hardware has no such conversion.
func (t *Thread) TexRefSetFlags(ref TexRef, flags uint32) error {
	return t.texref(ref, func(_ *context, r *texref) error {
		if flags&^(TRSFReadAsInteger|TRSFNormalizedCoordinates|TRSFSRGB) != 0 {
			return ErrInvalidValue
		}
		r.flags = flags
		return nil
	})
}

// TexRefSetAddressMode selects the handling of coordinates outside the texture in dimension dim, 0
// to 2. Linear memory ignores it. Wrap and mirror need normalised coordinates.
func (t *Thread) TexRefSetAddressMode(ref TexRef, dim int, mode AddressMode) error {
	return t.texref(ref, func(_ *context, r *texref) error {
		if dim < 0 || dim >= len(r.modes) || mode > AddressBorder {
			return ErrInvalidValue
		}
		r.modes[dim] = mode
		return nil
	})
}

// TexRefSetFilterMode selects the filter between texels. Linear memory ignores it.
func (t *Thread) TexRefSetFilterMode(ref TexRef, mode FilterMode) error {
	return t.texref(ref, func(_ *context, r *texref) error {
		if mode > FilterLinear {
			return ErrInvalidValue
		}
		r.filter = mode
		return nil
	})
}

// texref calls do with the texture reference ref of the current context.
func (t *Thread) texref(ref TexRef, do func(*context, *texref) error) error {
	return owned(t, uintptr(ref), do)
}
