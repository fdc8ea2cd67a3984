package vector

import (
	"errors"
	"math/bits"

	"jacquard/simt/engine/translate/x86"
)

// Vec is a vector register.
type Vec uint8

// Mask selects lanes of a vector. With AVX512 it is a mask register. With AVX2 it is a vector
// register whose lanes are all ones or zero; only the sign bits count in a mask for Collect.
type Mask uint8

// Mem is a vector in memory, or one word with embedded broadcast.
type Mem x86.Operand

// Source is the last source of an operation: a Vec, a Mem, or with AVX2 a Mask.
type Source interface{ source() }

func (Vec) source()  {}
func (Mask) source() {}
func (Mem) source()  {}

// Pair is two vectors with the halves of 64-bit words.
type Pair struct{ Lo, Hi Vec }

// ScratchBytes is the size of Builder.Scratch.
const ScratchBytes = 1024

// Builder appends vector code to an assembler. Bodies, its methods named like the kernels of
// package lane, compute one vector of a result from the same vector of the sources. A body returns
// a fresh register, leaves its sources as they are and frees all others that it took. It may
// destroy RAX, RCX, RDX, R8 to R11 and the flags.
type Builder struct {
	Level Level
	// Bytes says that the host permutes bytes, by AVX-512 VBMI.
	Bytes bool
	// Evict frees a vector register when none is free, and returns false if it cannot. The register
	// must not be a source of the present body. It may be nil.
	Evict func() bool
	// Scratch is memory of ScratchBytes bytes that out-of-line code uses.
	Scratch x86.Operand

	a         *x86.Assembler
	vectors   uint32 // in use
	masks     uint8  // in use
	low       int    // the least number of free vector registers, for tests
	mode      Mode
	cold      []cold
	checks    *check     // of Together
	madExact  [3]routine // by sum
	constants map[constant]x86.Operand
	tables    map[string]table
}

// FirstMask is the first mask register that bodies use: K0 means no mask, K1 and K2 belong to the
// translator.
const FirstMask = 3

// Demand is the number of vector registers that a body takes at most, besides its sources;
// SpecialDemand is the same for a special function of two parts. MaskDemand counts mask registers.
const (
	Demand        = 6
	SpecialDemand = 9
	MaskDemand    = 4
)

// New returns a builder that appends to a. The assembler must encode as the level needs.
func New(a *x86.Assembler, l Level) *Builder {
	if a.EVEX() != (l == AVX512) {
		panic("vector: the assembler has another level")
	}
	b := &Builder{a: a, Level: l, constants: map[constant]x86.Operand{}, tables: map[string]table{}}
	b.Reset()
	return b
}

// Reset makes all registers free and forgets the mode, the constants and the out-of-line code. The
// caller resets the assembler.
func (b *Builder) Reset() {
	b.vectors, b.masks, b.mode = 0, 1<<FirstMask-1, 0
	if b.Level == AVX2 {
		b.vectors = 0xffff0000
	}
	b.cold = b.cold[:0]
	b.madExact = [3]routine{}
	clear(b.constants)
	clear(b.tables)
}

// Vec takes a vector register.
func (b *Builder) Vec() Vec {
	b.Spare(1)
	i := bits.TrailingZeros32(^b.vectors)
	b.vectors |= 1 << i
	b.low = min(b.low, b.FreeVecs())
	return Vec(i)
}

// Take takes a certain vector register, which must be free.
func (b *Builder) Take(v Vec) {
	if b.vectors>>v&1 != 0 {
		panic("vector: the register is in use")
	}
	b.vectors |= 1 << v
}

// ErrRegisters is the panic of a Builder without a free vector register.
var ErrRegisters = errors.New("vector: out of vector registers")

// Spare makes sure that n vector registers are free.
func (b *Builder) Spare(n int) {
	for b.FreeVecs() < n {
		if b.Evict == nil || !b.Evict() {
			panic(ErrRegisters)
		}
	}
}

// FreeVecs is the number of free vector registers.
func (b *Builder) FreeVecs() int { return 32 - bits.OnesCount32(b.vectors) }

// Free frees vector registers.
func (b *Builder) Free(list ...Vec) {
	for _, v := range list {
		if b.vectors>>v&1 == 0 {
			panic("vector: a register was freed twice")
		}
		b.vectors &^= 1 << v
	}
}

// Mask takes a mask.
func (b *Builder) Mask() Mask {
	if b.Level == AVX2 {
		return Mask(b.Vec())
	}
	for i := Mask(FirstMask); i < 8; i++ {
		if b.masks>>i&1 == 0 {
			b.masks |= 1 << i
			return i
		}
	}
	panic("vector: out of mask registers")
}

func (b *Builder) freeMasks() int { return 8 - bits.OnesCount8(b.masks) }

// FreeMask frees masks.
func (b *Builder) FreeMask(list ...Mask) {
	for _, m := range list {
		switch {
		case b.Level == AVX2:
			b.Free(Vec(m))
		case b.masks>>m&1 == 0:
			panic("vector: a mask was freed twice")
		default:
			b.masks &^= 1 << m
		}
	}
}
