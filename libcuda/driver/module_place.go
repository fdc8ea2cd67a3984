package driver

import (
	"encoding/binary"

	"jacquard/cubin"
)

// place allocates and fills the module's variables and constant banks.
func (m *module) place() error {
	var sizes [len(m.banks)]int
	for _, s := range m.image.Segments {
		sizes[s.Bank] = max(sizes[s.Bank], s.Offset+s.Bytes)
	}
	for _, v := range m.image.Constants {
		sizes[0] = max(sizes[0], v.Offset+v.Bytes)
	}
	for _, g := range m.image.Globals {
		for _, s := range g.Slots {
			sizes[cubin.AddressBank] = max(sizes[cubin.AddressBank], s.Offset+4)
		}
	}
	for i, size := range sizes {
		if i > 0 && size > 0 {
			m.banks[i] = make([]byte, size)
		}
	}
	var constants uint32
	if sizes[0] > 0 {
		var err error
		if constants, m.banks[0], err = m.alloc(sizes[0]); err != nil {
			return err
		}
	}
	for _, s := range m.image.Segments {
		copy(m.banks[s.Bank][s.Offset:], s.Init)
	}
	for _, v := range m.image.Constants {
		copy(m.banks[0][v.Offset:], v.Init)
		m.variables[v.Name] = variable{constants + uint32(v.Offset), v.Bytes}
	}
	return m.placeGlobals()
}

// placeGlobals allocates and fills the __device__ variables, and gives the kernels their addresses.
func (m *module) placeGlobals() error {
	at, content := make([]uint32, len(m.image.Globals)), make([][]byte, len(m.image.Globals))
	for i, g := range m.image.Globals {
		addr, b, err := m.alloc(max(g.Bytes, 1))
		if err != nil {
			return err
		}
		copy(b, g.Init)
		at[i], content[i] = addr, b
		m.variables[g.Name] = variable{addr, g.Bytes}
		for _, s := range g.Slots {
			binary.LittleEndian.PutUint32(m.banks[cubin.AddressBank][s.Offset:], addr+s.Addend)
		}
	}
	for _, p := range m.image.Pointers {
		b := m.banks[0]
		if p.In >= 0 {
			b = content[p.In]
		}
		word := b[p.Offset:]
		binary.LittleEndian.PutUint32(word, binary.LittleEndian.Uint32(word)+at[p.Of])
	}
	return nil
}

// alloc allocates device memory that the program cannot free.
func (m *module) alloc(size int) (uint32, []byte, error) {
	ptr, err := m.ctx.alloc(uint64(size))
	if err != nil {
		return 0, nil, err
	}
	addr := uint32(ptr)
	m.allocated = append(m.allocated, addr)
	m.ctx.owned[addr] = true
	b, err := m.ctx.space.Bytes(addr, uint64(size))
	if err != nil {
		panic("driver: " + err.Error())
	}
	return addr, b, nil
}

// free frees the module's device memory.
func (m *module) free() {
	for _, addr := range m.allocated {
		delete(m.ctx.owned, addr)
		if !m.ctx.free(addr) {
			panic("driver: a module's memory is not there")
		}
	}
}
