package mirror

import (
	"fmt"

	"jacquard/board/otherdriver"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/sinks"
	"jacquard/simt/mem/texture"
)

// array is an array with its counterpart.
type array struct {
	desc   driver.ArrayDescriptor
	there  otherdriver.Array
	made   bool
	stale  bool   // the counterpart is out of date
	texels []byte // ours; nil for zeros
}

// arrayCreated only notes the array; the counterpart is made when a kernel reads it.
func (c *context) arrayCreated(e *driver.ArrayCreated) {
	c.arrays[e.Array] = &array{desc: e.Descriptor, stale: true}
}

func (c *context) arrayWritten(e *driver.ArrayWritten) {
	a := c.arrays[e.Array]
	a.texels, a.stale = e.Texels, true
}

// bytes returns the size of an array.
func (a *array) bytes() uint64 {
	element := uint64(texture.Format(a.desc.Format).Size()) * uint64(a.desc.Channels)
	return element * a.desc.Width * max(a.desc.Height, 1) * max(a.desc.Depth, 1)
}

func (c *context) arrayDestroys(handle driver.Array) error {
	a := c.arrays[handle]
	delete(c.arrays, handle)
	if !a.made {
		return nil
	}
	return c.m.other.ArrayDestroy(a.there)
}

// bind binds the texture references there like ours. why is the reason for a failure, or "".
func (c *context) bind(m *module, handle otherdriver.Module, e *driver.LaunchEnds) (why string, err error) {
	for i := range e.Textures {
		b := &e.Textures[i]
		if b.Name == "" || b.Texture.Kind == texture.Unbound {
			continue
		}
		if !c.m.other.Textures() {
			return "it reads textures, and the other driver has no texture references", nil
		}
		ref, err := c.m.other.TexRef(handle, b.Name)
		if err != nil {
			return fmt.Sprintf("texture reference %s: %v", b.Name, err), nil
		}
		address, array, why, err := c.source(b)
		if why != "" || err != nil {
			return why, err
		}
		if err := c.m.other.Bind(ref, b, address, array); err != nil {
			return fmt.Sprintf("texture reference %s: %v", b.Name, err), nil
		}
	}
	return "", nil
}

// source returns the memory that a texture reads there.
func (c *context) source(b *sinks.Binding) (address otherdriver.Address, there otherdriver.Array, why string, err error) {
	if b.Texture.Kind != texture.Array {
		address, ok := c.translate(b.Texture.Base)
		if !ok {
			return 0, 0, fmt.Sprintf("texture reference %s reads memory that is not mirrored", b.Name), nil
		}
		return address, 0, "", nil
	}
	a := c.arrays[driver.Array(b.Array)]
	if a == nil {
		return 0, 0, fmt.Sprintf("texture reference %s reads an array that is gone", b.Name), nil
	}
	if !a.made {
		if a.there, err = c.m.other.ArrayCreate(a.desc); err != nil {
			return 0, 0, "", err
		}
		a.made = true
	}
	if a.stale {
		texels := a.texels
		if texels == nil {
			texels = make([]byte, a.bytes())
		}
		if err := c.m.other.ArrayWrite(a.there, a.desc, texels); err != nil {
			return 0, 0, "", err
		}
		a.stale = false
	}
	return 0, a.there, "", nil
}
