package cubin

import (
	"cmp"
	"slices"
	"strconv"

	"jacquard/internal/debuginfo"
	"jacquard/tesla"
)

// Image is the machine code and data of one module, from any container. It is read-only once
// parsed.
type Image struct {
	Arch       tesla.Arch
	ABIVersion int    // text cubins: 0 or 1
	Name       string // modname; "" if missing
	// Pointer is the width of an address among parameters in bytes: 4 or 8; 0 if the container does
	// not record it (text cubins).
	Pointer int
	// Virtual is the target of the PTX that the code was made of, 20 for sm_20. It is 0 if that is the
	// code's own architecture, or if the container does not record it (text cubins).
	Virtual int
	Kernels []Kernel
	// Segments are initial content of constant banks that all kernels share. Constants come on top.
	Segments  []Segment
	Constants []Variable // __constant__ variables
	Globals   []Global
	// Pointers are words of initial content that hold addresses, by In and Offset (ELF cubins).
	Pointers []Pointer
	Samplers []Sampler
}

// Target returns the target of the PTX that the code was made of: 13 for sm_13. Where it is not
// recorded, the code's own architecture stands in.
func (img *Image) Target() int { return cmp.Or(img.Virtual, 10+int(img.Arch)) }

// Kernel is one entry point.
type Kernel struct {
	Name      string
	Code      []uint32 // all machine code; branch targets count bytes from its start
	Registers int      // 32-bit registers per thread, 0..128
	Shared    int      // bytes per block: 16-byte header, parameters and static arrays
	Local     int      // bytes per thread
	Barriers  int
	// MaxThreads is the largest block that the kernel was compiled for; zero if the container sets
	// no bound.
	MaxThreads [3]int
	Segments   []Segment // literal pools, bank 1 in practice
	// Params are in order of declaration; nil if the container does not record them (text cubins).
	Params []Param
	// Textures are texture units of this kernel alone (ELF cubins).
	Textures []Texture
	// Lines is the line table, by ascending offset; nil if there is none (text cubins).
	Lines []Line
	// Debug describes functions and variables; nil if nothing is known of them. Only ELF cubins of the
	// 64-bit class hold it.
	Debug *debuginfo.Info
}

// Line says that the code from an offset on is made of a line of source, up to the next Line.
type Line struct {
	Offset uint32 // bytes from the start of the kernel's code
	File   string // as the compiler was given it
	Line   int    // from 1
}

// String returns "file:line".
func (l Line) String() string { return l.File + ":" + strconv.Itoa(l.Line) }

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

// Global is a __device__ variable. Kernels find its address in AddressBank.
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

// Pointer is a word of initial content to which the address of a [Global] is added when the image is
// loaded.
type Pointer struct {
	In     int // index in Image.Globals of the variable with the word; -1 for bank 0
	Offset int // bytes in the variable or the bank
	Of     int // index in Image.Globals of the variable whose address is added
}

// Sampler is a texture reference.
type Sampler struct {
	Name string
	Unit int // texture unit in all kernels; -1 if each kernel's Textures say it
}

// Texture is the use of a texture reference by a kernel.
type Texture struct {
	Sampler int // index in Image.Samplers
	Unit    int
}

// Param is one kernel parameter.
type Param struct {
	Offset int // bytes from the start of the parameter block
	Size   int // bytes
	// Padded says that Size may include padding or later bytes: the container records offsets
	// alone.
	Padded bool
}

// ParamRoom returns the most bytes that the parameters of k can take. It is exact if k has no
// static shared memory.
func (k *Kernel) ParamRoom() int { return max(k.Shared-tesla.HeaderBytes, 0) }

// Kernel returns the kernel called name, or nil.
func (m *Image) Kernel(name string) *Kernel {
	for i := range m.Kernels {
		if m.Kernels[i].Name == name {
			return &m.Kernels[i]
		}
	}
	return nil
}

// LineAt returns the entry of the line table for the code at an offset in bytes.
func (k *Kernel) LineAt(offset uint32) (Line, bool) {
	i, found := slices.BinarySearchFunc(k.Lines, offset, func(l Line, at uint32) int { return cmp.Compare(l.Offset, at) })
	if found {
		return k.Lines[i], true
	}
	if i == 0 {
		return Line{}, false
	}
	return k.Lines[i-1], true
}

// Units returns the texture reference of each texture unit of k: Units(k)[unit] is an index in
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

// ParamBytes returns where the last parameter of the kernel ends, 0 if its container does not record
// the parameters.
func (k *Kernel) ParamBytes() (end int) {
	for _, p := range k.Params {
		end = max(end, p.Offset+p.Size)
	}
	return end
}
