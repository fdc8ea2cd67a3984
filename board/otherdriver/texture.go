package otherdriver

import (
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
func (d *Driver) TexRef(m Module, name string) (TexRef, error) {
	var r uintptr
	err := d.check("cuModuleGetTexRef", d.api.ModuleGetTexRef(&r, uintptr(m), name))
	return TexRef(r), err
}

// ArrayCreate makes an array.
func (d *Driver) ArrayCreate(desc driver.ArrayDescriptor) (Array, error) {
	var a uintptr
	c := arrayDescriptor{uintptr(desc.Width), uintptr(desc.Height), uintptr(desc.Depth), uint32(desc.Format), desc.Channels, desc.Flags}
	err := d.check("cuArray3DCreate", d.api.Array3DCreate(&a, &c))
	return Array(a), err
}

// ArrayDestroy destroys an array.
func (d *Driver) ArrayDestroy(a Array) error {
	return d.check("cuArrayDestroy", d.api.ArrayDestroy(uintptr(a)))
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
		Dst:   copySide{Type: uint32(driver.MemoryArray), Array: uintptr(a)},
		Width: row, Height: uintptr(height), Depth: uintptr(depth),
	}))
}

// Bind gives a texture reference the settings of b and binds it to b's memory: device memory at
// address, or an array. If b is not bound, the binding stays.
func (d *Driver) Bind(r TexRef, b *sinks.Binding, address Address, array Array) error {
	ref := uintptr(r)
	steps := []func() error{
		func() error {
			return d.check("cuTexRefSetFormat", d.api.TexRefSetFormat(ref, int32(b.Format), int32(b.Channels)))
		},
		func() error { return d.bindMemory(ref, b, uintptr(address), uintptr(array)) },
		func() error { return d.check("cuTexRefSetFlags", d.api.TexRefSetFlags(ref, b.Flags)) },
		func() error {
			return d.check("cuTexRefSetFilterMode", d.api.TexRefSetFilterMode(ref, int32(b.Filter)))
		},
	}
	for dim, mode := range b.Modes {
		steps = append(steps, func() error {
			return d.check("cuTexRefSetAddressMode", d.api.TexRefSetAddressMode(ref, int32(dim), int32(mode)))
		})
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// bindMemory binds a texture reference to b's memory.
func (d *Driver) bindMemory(ref uintptr, b *sinks.Binding, address, array uintptr) error {
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
