package vector

import (
	"encoding/binary"

	"jacquard/simt/engine/translate/x86"
)

// constant is a number in the pool.
type constant struct {
	bits  uint64
	bytes int  // size of the number: 4 or 8
	whole bool // the number fills a whole vector
}

// Literal is a vector in memory with x in every lane.
func (b *Builder) Literal(x uint32) Mem {
	return b.number(constant{uint64(x), 4, b.Level == AVX2})
}

// Literal64 is Literal for a number of 64 bits, such as an f64.
func (b *Builder) Literal64(x uint64) Mem {
	return b.number(constant{x, 8, b.Level == AVX2})
}

// repeated is Literal for operations without embedded broadcast.
func (b *Builder) repeated(x uint32) Mem { return b.number(constant{uint64(x), 4, true}) }

func (b *Builder) number(c constant) Mem {
	if m, ok := b.constants[c]; ok {
		return Mem(m)
	}
	var data [64]byte
	n := c.bytes
	if c.whole {
		n = b.bytes()
	}
	for i := 0; i < n; i += c.bytes {
		if c.bytes == 4 {
			binary.LittleEndian.PutUint32(data[i:], uint32(c.bits))
		} else {
			binary.LittleEndian.PutUint64(data[i:], c.bits)
		}
	}
	m := b.a.Const(data[:n], n)
	if !c.whole {
		m = m.Bcst()
	}
	b.constants[c] = m
	return Mem(m)
}

// bytes is the size of a vector.
func (b *Builder) bytes() int { return 4 * b.Level.Lanes() }

// words is a vector in memory of the given words.
func (b *Builder) words(at func(i int) uint32) Mem {
	var data [64]byte
	for i := range b.Level.Lanes() {
		binary.LittleEndian.PutUint32(data[4*i:], at(i))
	}
	return Mem(b.a.Const(data[:b.bytes()], b.bytes()))
}

// bytes16 is a vector in memory that repeats 16 bytes.
func (b *Builder) bytes16(at func(i int) byte) Mem {
	return b.words(func(i int) uint32 {
		i = 4 * i % 16
		return uint32(at(i)) | uint32(at(i+1))<<8 | uint32(at(i+2))<<16 | uint32(at(i+3))<<24
	})
}

const ones = ^uint32(0)

// Constant returns a register with x in every lane.
func (b *Builder) Constant(x uint32) Vec {
	v := b.Vec()
	switch {
	case x == 0:
		b.three(x86.VPXOR, v, v, v)
	case x == ones && b.Level == AVX2:
		b.three(x86.VPCMPEQD, v, v, v)
	case x == ones:
		b.threeImm(x86.VPTERNLOGD, v, v, v, 0xff)
	case b.Level == AVX2:
		b.two(x86.VMOVDQA, v, b.Literal(x))
	default:
		b.two(x86.VPBROADCASTD, v, b.element(x))
	}
	return v
}

// constant64 is Constant for a number of 64 bits.
func (b *Builder) constant64(x uint64) Vec {
	if b.Level == AVX2 {
		return b.op1(x86.VMOVDQA, b.Literal64(x))
	}
	var data [8]byte
	binary.LittleEndian.PutUint64(data[:], x)
	return b.op1(x86.VPBROADCASTQ, Mem(b.a.Const(data[:], 8)))
}

// element is one word in memory.
func (b *Builder) element(x uint32) Mem {
	var data [4]byte
	binary.LittleEndian.PutUint32(data[:], x)
	return Mem(b.a.Const(data[:], 4))
}

// Broadcast returns a register with the word at m in every lane.
func (b *Builder) Broadcast(m x86.Operand) Vec {
	v := b.Vec()
	b.two(x86.VPBROADCASTD, v, Mem(m))
	return v
}

// Load returns a register with the vector at m.
func (b *Builder) Load(m x86.Operand) Vec {
	v := b.Vec()
	b.two(x86.VMOVDQU, v, Mem(m))
	return v
}

// Store writes v to m.
func (b *Builder) Store(m x86.Operand, v Vec) { b.two(x86.VMOVDQUStore, v, Mem(m)) }
