package load

import (
	"bytes"
	"encoding/binary"
	"slices"

	"jacquard/cubin"
	"jacquard/simt/mem"
)

// Data is the data of an image on a device.
type Data struct {
	Banks     [16][]byte          // constant banks that all kernels share; bank 0 is in device memory
	Variables map[string]Variable // __constant__ and __device__ variables
}

// Variable is the memory of a variable.
type Variable struct {
	Address uint32
	Bytes   []byte // valid until the memory is freed
}

// Place allocates and fills the constant banks and the variables of an image, and gives the kernels
// their addresses. alloc allocates zeros in space.
func Place(m *cubin.Image, space *mem.Space, alloc func(size uint64) (uint32, error)) (*Data, error) {
	p := &placer{Data: Data{Variables: map[string]Variable{}}, space: space, alloc: alloc}
	constants, err := p.constants(m)
	if err != nil {
		return nil, err
	}
	globals, err := p.globals(m.Globals)
	if err != nil {
		return nil, err
	}
	for _, r := range m.Pointers {
		b := constants.Bytes
		if r.In >= 0 {
			b = globals[r.In].Bytes
		}
		word := b[r.Offset:]
		binary.LittleEndian.PutUint32(word, binary.LittleEndian.Uint32(word)+globals[r.Of].Address)
	}
	return &p.Data, nil
}

// placer places the data of an image.
type placer struct {
	Data
	space *mem.Space
	alloc func(size uint64) (uint32, error)
}

// allocate allocates memory with the given content.
func (p *placer) allocate(size int, content []byte) (v Variable, err error) {
	if v.Address, err = p.alloc(uint64(size)); err != nil {
		return v, err
	}
	v.Bytes, err = p.space.Bytes(v.Address, uint64(size))
	copy(v.Bytes, content)
	return v, err
}

// constants places the constant banks. It returns bank 0.
func (p *placer) constants(m *cubin.Image) (bank Variable, err error) {
	Constants(&p.Banks, m)
	if content := p.Banks[0]; content != nil {
		bank, err = p.allocate(len(content), content)
		if err != nil {
			return bank, err
		}
		p.Banks[0] = bank.Bytes
	}
	for _, v := range m.Constants {
		p.Variables[v.Name] = Variable{bank.Address + uint32(v.Offset), bank.Bytes[v.Offset:][:v.Bytes]}
	}
	return bank, nil
}

// globals places the __device__ variables.
func (p *placer) globals(globals []cubin.Global) ([]Variable, error) {
	placed := make([]Variable, len(globals))
	for i, g := range globals {
		v, err := p.allocate(max(g.Bytes, 1), g.Init)
		if err != nil {
			return nil, err
		}
		placed[i], p.Variables[g.Name] = v, Variable{v.Address, v.Bytes[:g.Bytes]}
		p.slots(g.Slots, v.Address)
	}
	return placed, nil
}

// Share returns the data of image m with the variables of d, which was placed for image of: m is the
// same program compiled again, and its kernels find what the host and earlier launches wrote. ok is
// false if the two images have other variables.
func (d *Data) Share(of, m *cubin.Image) (shared *Data, ok bool) {
	shared = &Data{Variables: d.Variables}
	var before [16][]byte
	Constants(&before, of)
	Constants(&shared.Banks, m)
	same := func(v, w cubin.Variable) bool { return v.Name == w.Name && v.Offset == w.Offset && v.Bytes == w.Bytes }
	if !slices.EqualFunc(of.Constants, m.Constants, same) || !bytes.Equal(before[0], shared.Banks[0]) {
		return nil, false
	}
	shared.Banks[0] = d.Banks[0]
	for _, g := range m.Globals {
		v, found := d.Variables[g.Name]
		if !found || len(v.Bytes) != g.Bytes {
			return nil, false
		}
		shared.slots(g.Slots, v.Address)
	}
	return shared, true
}

// slots writes the address of a variable where kernels read it.
func (d *Data) slots(slots []cubin.Slot, at uint32) {
	for _, s := range slots {
		address := binary.LittleEndian.AppendUint32(nil, at+s.Addend)
		Fill(&d.Banks, []cubin.Segment{{Bank: cubin.AddressBank, Offset: s.Offset, Bytes: 4, Init: address}})
	}
}

// Const returns the constant banks of a kernel: its own and the image's.
func (d *Data) Const(k *cubin.Kernel) (banks [16][]byte) {
	Fill(&banks, k.Segments)
	for i, shared := range d.Banks {
		if banks[i] == nil {
			banks[i] = shared
		}
	}
	return banks
}

// Constants fills the banks that all kernels of an image share, without addresses.
func Constants(banks *[16][]byte, m *cubin.Image) {
	Fill(banks, m.Segments)
	for _, v := range m.Constants {
		Fill(banks, []cubin.Segment{{Offset: v.Offset, Bytes: v.Bytes, Init: v.Init}})
	}
}
