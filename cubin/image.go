package cubin

import "jacquard/tesla"

// Image is a loaded module, whatever container it came from. It is read-only once parsed.
type Image struct {
	Arch       tesla.Arch
	ABIVersion int    // text cubins: 0 or 1
	Name       string // modname; "" if missing
	Kernels    []Kernel
	Constants  []Variable // bank 0, __constant__ variables
	Globals    []Variable // __device__ variables; each has a 4-byte address slot in bank 14
	Samplers   []Sampler
}

// Kernel is one entry point.
type Kernel struct {
	Name      string
	Code      []uint32 // whole machine code; branch targets count bytes from its start
	Registers int      // 32-bit registers a thread, 0..128
	Shared    int      // bytes a block: 16-byte header, parameters and static arrays
	Local     int      // bytes a thread
	Barriers  int
	Segments  []Segment // literal pools, bank 1 in practice
	Params    []Param   // nil if the container does not record them (text cubins)
}

// Segment is initial content of a constant bank that belongs to one kernel.
type Segment struct {
	Bank   int // 0..15
	Offset int // bytes
	Bytes  int
	Init   []byte // at most Bytes long, the rest is zero; nil for all zero
}

// Variable is a module-level variable.
type Variable struct {
	Name   string
	Bank   int // 0 for constants, 14 for globals
	Offset int // bytes in the bank: the variable itself (constants) or its address slot (globals)
	Bytes  int
	Init   []byte // at most Bytes long, the rest is zero; nil for all zero
}

// Sampler is a texture reference bound to a fixed texture unit.
type Sampler struct {
	Name string
	Unit int
}

// Param is one kernel parameter.
type Param struct {
	Offset int // bytes from the start of the parameter block
	Size   int // bytes
}

// Kernel returns the kernel called name, or nil.
func (m *Image) Kernel(name string) *Kernel {
	for i := range m.Kernels {
		if m.Kernels[i].Name == name {
			return &m.Kernels[i]
		}
	}
	return nil
}
