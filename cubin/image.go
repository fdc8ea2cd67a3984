package cubin

import "jacquard/tesla"

// Image is one module's machine code and data, whatever container it came from. It is read-only
// once parsed.
type Image struct {
	Arch       tesla.Arch
	ABIVersion int    // text cubins: 0 or 1
	Name       string // modname; "" if missing
	Pointer    int    // bytes of an address among parameters: 4 or 8; 0 if the container does not say (text cubins)
	Kernels    []Kernel
	Segments   []Segment  // initial content of constant banks that all kernels share, below that of Constants
	Constants  []Variable // __constant__ variables
	Globals    []Global
	Samplers   []Sampler
}

// Kernel is one entry point.
type Kernel struct {
	Name       string
	Code       []uint32 // whole machine code; branch targets count bytes from its start
	Registers  int      // 32-bit registers a thread, 0..128
	Shared     int      // bytes a block: 16-byte header, parameters and static arrays
	Local      int      // bytes a thread
	Barriers   int
	MaxThreads [3]int    // largest block that the kernel was compiled for; zero if the container sets no bound
	Segments   []Segment // literal pools, bank 1 in practice
	Params     []Param   // in order of declaration; nil if the container does not record them (text cubins)
	Textures   []Texture // texture units that are this kernel's own (ELF cubins)
}

// Segment is initial content of a constant bank.
type Segment struct {
	Bank   int // 0..15
	Offset int // bytes
	Bytes  int
	Init   []byte // at most Bytes long, the rest is zero; nil for all zero
}

// Variable is a __constant__ variable, in bank 0.
type Variable struct {
	Name   string
	Offset int // bytes in the bank
	Bytes  int
	Init   []byte // at most Bytes long, the rest is zero; nil for all zero
}

// Global is a __device__ variable. Kernels find its address in bank 14.
type Global struct {
	Name  string
	Bytes int
	Init  []byte // at most Bytes long, the rest is zero; nil for all zero
	Slots []Slot // one in text cubins, any number in ELF cubins
}

// Slot is a word of bank 14 that holds the address of a [Global].
type Slot struct {
	Offset int    // bytes in the bank
	Addend uint32 // added to the address
}

// Sampler is a texture reference.
type Sampler struct {
	Name string
	Unit int // texture unit in all kernels, or -1 if each kernel says in Textures what it uses
}

// Texture is the use of a texture reference by a kernel.
type Texture struct {
	Sampler int // index in Image.Samplers
	Unit    int
}

// Param is one kernel parameter.
type Param struct {
	Offset int  // bytes from the start of the parameter block
	Size   int  // bytes
	Padded bool // Size may count padding, or what follows: the container records offsets alone
}

// ParamRoom returns the most bytes that the parameters of k can have. It is what they have if k has
// no static shared memory.
func (k *Kernel) ParamRoom() int { return max(k.Shared-headerBytes, 0) }

// Kernel returns the kernel called name, or nil.
func (m *Image) Kernel(name string) *Kernel {
	for i := range m.Kernels {
		if m.Kernels[i].Name == name {
			return &m.Kernels[i]
		}
	}
	return nil
}

// Units returns which texture reference each texture unit of k reads: Units(k)[unit] is an index in
// m.Samplers, or -1. Units beyond the slice's end have none.
func (m *Image) Units(k *Kernel) []int {
	var units []int
	set := func(unit, sampler int) {
		for len(units) <= unit {
			units = append(units, -1)
		}
		units[unit] = sampler
	}
	for i, s := range m.Samplers {
		if s.Unit >= 0 {
			set(s.Unit, i)
		}
	}
	for _, t := range k.Textures {
		set(t.Unit, t.Sampler)
	}
	return units
}
