package driver

import "jacquard/simt/mem/texture"

// TexRefGetAddress returns the address of the bound device memory, or ErrInvalidValue if none is
// bound.
func (t *Thread) TexRefGetAddress(ref TexRef) (DevicePtr, error) {
	return textureState(t, ref, func(r *texref) (DevicePtr, error) {
		if r.bound.kind != texture.Linear && r.bound.kind != texture.Pitched {
			return 0, ErrInvalidValue
		}
		return DevicePtr(r.bound.base), nil
	})
}

// TexRefGetArray returns the bound array, or ErrInvalidValue if none is bound.
func (t *Thread) TexRefGetArray(ref TexRef) (Array, error) {
	return textureState(t, ref, func(r *texref) (Array, error) {
		if r.bound.kind != texture.Array {
			return 0, ErrInvalidValue
		}
		return r.bound.handle, nil
	})
}

// TexRefGetAddressMode returns the mode of TexRefSetAddressMode for dimension dim.
func (t *Thread) TexRefGetAddressMode(ref TexRef, dim int) (AddressMode, error) {
	return textureState(t, ref, func(r *texref) (AddressMode, error) {
		if dim < 0 || dim >= len(r.modes) {
			return 0, ErrInvalidValue
		}
		return r.modes[dim], nil
	})
}

// TexRefGetFilterMode returns the mode of TexRefSetFilterMode.
func (t *Thread) TexRefGetFilterMode(ref TexRef) (FilterMode, error) {
	return textureState(t, ref, func(r *texref) (FilterMode, error) { return r.filter, nil })
}

// TexRefGetFlags returns the flags of TexRefSetFlags.
func (t *Thread) TexRefGetFlags(ref TexRef) (uint32, error) {
	return textureState(t, ref, func(r *texref) (uint32, error) { return r.flags, nil })
}

// TexRefGetFormat returns the type and number of an element's components.
func (t *Thread) TexRefGetFormat(ref TexRef) (format ArrayFormat, channels int, err error) {
	err = t.texref(ref, func(_ *context, r *texref) error {
		format, channels = r.format, r.channels
		return nil
	})
	return format, channels, err
}

// textureState returns get's answer for the texture reference ref.
func textureState[T any](t *Thread, ref TexRef, get func(*texref) (T, error)) (value T, err error) {
	err = t.texref(ref, func(_ *context, r *texref) error {
		var err error
		value, err = get(r)
		return err
	})
	return value, err
}
