package driver

import "jacquard/simt/load"

// place allocates and fills the module's variables and constant banks.
func (m *module) place() (err error) {
	m.data, err = load.Place(m.image, m.ctx.space, m.alloc)
	return err
}

// alloc allocates device memory that the program cannot free.
func (m *module) alloc(size uint64) (uint32, error) {
	ptr, err := m.ctx.alloc(size)
	if err != nil {
		return 0, err
	}
	addr := uint32(ptr)
	m.allocated = append(m.allocated, addr)
	m.ctx.owned[addr] = true
	return addr, nil
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
