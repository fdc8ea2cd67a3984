package otherdriver

import (
	"errors"
	"fmt"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/sinks"
	"jacquard/simt/mem/texture"
)

// Textures reports whether the library has texture references and arrays; the latest drivers have
// removed them. The methods below need them.
func (d *Driver) Textures() bool {
	a := &d.api
	return a.ModuleGetTexRef != nil && a.Array3DCreate != nil && a.ArrayDestroy != nil && a.Memcpy3D != nil && a.TexRefSetArray != nil &&
		a.TexRefSetAddress != nil && a.TexRefSetAddress2D != nil && a.TexRefSetFormat != nil && a.TexRefSetFlags != nil &&
		a.TexRefSetAddressMode != nil && a.TexRefSetFilterMode != nil
}

// TexRef returns a module's texture reference.
func (d *Driver) TexRef(m Module, name string) (r TexRef, err error) {
	err = d.check("cuModuleGetTexRef", d.api.ModuleGetTexRef(&r, m, name))
	return r, err
}

// ArrayCreate makes an array.
func (d *Driver) ArrayCreate(desc driver.ArrayDescriptor) (a Array, err error) {
	c := arrayDescriptor{uintptr(desc.Width), uintptr(desc.Height), uintptr(desc.Depth), uint32(desc.Format), desc.Channels, desc.Flags}
	err = d.check("cuArray3DCreate", d.api.Array3DCreate(&a, &c))
	return a, err
}

// ArrayDestroy destroys an array.
func (d *Driver) ArrayDestroy(a Array) error {
	return d.check("cuArrayDestroy", d.api.ArrayDestroy(a))
}

// ArrayWrite fills an array with texels, rows without gaps.
func (d *Driver) ArrayWrite(a Array, desc driver.ArrayDescriptor, texels []byte) error {
	height, depth := max(desc.Height, 1), max(desc.Depth, 1)
	row := uintptr(uint64(len(texels)) / height / depth)
	if row == 0 {
		return nil
	}
	return d.check("cuMemcpy3D", d.api.Memcpy3D(&copy3D{
		Src:   copySide{Type: uint32(driver.MemoryHost), Host: &texels[0], Pitch: row, Height: uintptr(height)},
		Dst:   copySide{Type: uint32(driver.MemoryArray), Array: a},
		Width: row, Height: uintptr(height), Depth: uintptr(depth),
	}))
}

// Bind gives a texture reference the settings of b and binds it to b's memory: device memory at
// address, or an array. If b is not bound, the binding stays.
func (d *Driver) Bind(ref TexRef, b *sinks.Binding, address Address, array Array) error {
	a := &d.api
	err := d.check("cuTexRefSetFormat", a.TexRefSetFormat(ref, int32(b.Format), int32(b.Channels)))
	if err == nil {
		err = d.bindMemory(ref, b, address, array)
	}
	if err == nil {
		err = d.check("cuTexRefSetFlags", a.TexRefSetFlags(ref, b.Flags))
	}
	if err == nil {
		err = d.check("cuTexRefSetFilterMode", a.TexRefSetFilterMode(ref, int32(b.Filter)))
	}
	for dim, mode := range b.Modes {
		if err == nil {
			err = d.check("cuTexRefSetAddressMode", a.TexRefSetAddressMode(ref, int32(dim), int32(mode)))
		}
	}
	return err
}

// bindMemory binds a texture reference to b's memory.
func (d *Driver) bindMemory(ref TexRef, b *sinks.Binding, address Address, array Array) error {
	switch x := &b.Texture; x.Kind {
	case texture.Linear:
		var offset uintptr
		err := d.check("cuTexRefSetAddress", d.api.TexRefSetAddress(&offset, ref, address, uintptr(x.Size)))
		if err == nil && offset != 0 {
			return &Error{Call: "cuTexRefSetAddress", Result: driver.ErrMisalignedAddress}
		}
		return err
	case texture.Pitched:
		plane := planeDescriptor{uintptr(x.Width), uintptr(x.Height), uint32(b.Format), uint32(b.Channels)}
		return d.check("cuTexRefSetAddress2D", d.api.TexRefSetAddress2D(ref, &plane, address, uintptr(x.Pitch)))
	case texture.Array:
		return d.check("cuTexRefSetArray", d.api.TexRefSetArray(ref, array, driver.TRSAOverrideFormat))
	}
	return nil
}

// Textures binds texture references of a context. The counterpart of an array is made when a texture
// first reads the array.
type Textures struct {
	Driver *Driver
	arrays map[uintptr]*array // by handle
}

// array is the counterpart of an array.
type array struct {
	there Array
	fresh bool // has the present texels
}

// Written notes that the texels of an array have changed.
func (x *Textures) Written(handle uintptr) {
	if a := x.arrays[handle]; a != nil {
		a.fresh = false
	}
}

// Destroy destroys the counterpart of an array, if there is one.
func (x *Textures) Destroy(handle uintptr) error {
	a := x.arrays[handle]
	if a == nil {
		return nil
	}
	delete(x.arrays, handle)
	return x.Driver.ArrayDestroy(a.there)
}

// Close destroys the counterparts of all arrays. Errors show at the next call.
func (x *Textures) Close() {
	for handle := range x.arrays {
		x.Destroy(handle)
	}
}

// Bind binds the texture references of a module as bindings say, to the counterparts of their memory;
// translate returns the address there of an address here.
func (x *Textures) Bind(m Module, bindings []sinks.Binding, translate func(uint32) (Address, bool)) error {
	for i := range bindings {
		b := &bindings[i]
		if b.Name == "" || b.Texture.Kind == texture.Unbound {
			continue
		}
		if !x.Driver.Textures() {
			return errors.New("it reads textures, and the other driver has no texture references")
		}
		ref, err := x.Driver.TexRef(m, b.Name)
		if err != nil {
			return fmt.Errorf("texture reference %s: %w", b.Name, err)
		}
		address, array, err := x.source(b, translate)
		if err != nil {
			return err
		}
		if err := x.Driver.Bind(ref, b, address, array); err != nil {
			return fmt.Errorf("texture reference %s: %w", b.Name, err)
		}
	}
	return nil
}

// source returns the memory that a texture reads there.
func (x *Textures) source(b *sinks.Binding, translate func(uint32) (Address, bool)) (Address, Array, error) {
	if b.Texture.Kind == texture.Array {
		if b.Texture.Texels == nil {
			return 0, 0, fmt.Errorf("texture reference %s reads an array that is gone", b.Name)
		}
		a, err := x.array(b)
		return 0, a, err
	}
	address, ok := translate(b.Texture.Base)
	if !ok {
		return 0, 0, fmt.Errorf("texture reference %s reads memory that is not mirrored", b.Name)
	}
	return address, 0, nil
}

// array returns the counterpart of an array, with the present texels.
func (x *Textures) array(b *sinks.Binding) (Array, error) {
	t := &b.Texture
	desc := driver.ArrayDescriptor{
		Width: uint64(t.Width), Height: uint64(t.Height), Depth: uint64(t.Depth), Format: driver.ArrayFormat(t.Format), Channels: uint32(t.Channels),
	}
	if t.Layered {
		desc.Flags = driver.Array3dLayered
	}
	a := x.arrays[b.Array]
	if a == nil {
		there, err := x.Driver.ArrayCreate(desc)
		if err != nil {
			return 0, err
		}
		if x.arrays == nil {
			x.arrays = map[uintptr]*array{}
		}
		a = &array{there: there}
		x.arrays[b.Array] = a
	}
	if !a.fresh {
		if err := x.Driver.ArrayWrite(a.there, desc, t.Texels); err != nil {
			return 0, err
		}
		a.fresh = true
	}
	return a.there, nil
}
