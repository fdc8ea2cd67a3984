package main

import (
	"fmt"
	"log"
)

// vec is a vector register: 16 lanes (Z) or 8 (Y).
type vec uint8

// mask selects lanes of a vector: a mask register with AVX-512, otherwise a vector register whose
// lanes are all ones or zero.
type mask uint8

func (f *function) register(v vec) string {
	return fmt.Sprintf("%c%d", [...]byte{avx2: 'Y', avx512: 'Z'}[f.level], v)
}

func (f *function) maskRegister(m mask) string {
	if f.level == avx512 {
		return fmt.Sprintf("K%d", m)
	}
	return f.register(vec(m))
}

// vec takes a vector register.
func (f *function) vec() vec {
	n := [...]int{avx2: 16, avx512: 32}[f.level]
	for i := range n {
		if !f.vectors[i] {
			f.vectors[i] = true
			return vec(i)
		}
	}
	log.Fatalf("%s: out of vector registers", f.name)
	return 0
}

// mask takes a mask.
func (f *function) mask() mask {
	if f.level == avx2 {
		return mask(f.vec())
	}
	for i := range f.masks {
		if !f.masks[i] {
			f.masks[i] = true
			return mask(i)
		}
	}
	log.Fatalf("%s: out of mask registers", f.name)
	return 0
}

// free frees registers.
func (f *function) free(list ...vec) {
	for _, v := range list {
		f.vectors[v] = false
	}
}

func (f *function) freeMask(list ...mask) {
	for _, m := range list {
		if f.level == avx512 {
			f.masks[m] = false
		} else {
			f.free(vec(m))
		}
	}
}

// scope runs code and frees the registers that it took.
func (f *function) scope(code func()) {
	vectors, masks := f.vectors, f.masks
	code()
	f.vectors, f.masks = vectors, masks
}

// keep runs code and frees all registers that it took except its result's.
func (f *function) keep(code func() mask) mask {
	vectors, masks := f.vectors, f.masks
	m := code()
	f.vectors, f.masks = vectors, masks
	if f.level == avx512 {
		f.masks[m] = true
	} else {
		f.vectors[m] = true
	}
	return m
}

// constant returns a vector with x in every lane, valid until the function ends. Its first call for
// x must be before the loops.
func (f *function) constant(x uint32) vec {
	if v, ok := f.constants[x]; ok {
		return v
	}
	if f.looping {
		log.Fatalf("%s: a constant %#x in a loop", f.name, x)
	}
	v := f.vec()
	f.constants[x] = v
	switch {
	case x == 0:
		f.ins(f.bitwise("VPXOR"), v, v, v)
	case x == ones && f.level == avx2:
		f.ins("VPCMPEQD", v, v, v)
	case x == ones:
		f.ins("VPTERNLOGD", 0xff, v, v, v)
	default:
		f.ins("MOVL", x, "AX")
		f.broadcast("AX", v)
	}
	return v
}

const ones = ^uint32(0)

// literal is an operand with x in every lane: a constant, or memory if no constant was taken,
// because AVX2 has few registers. It can be the second source of an operation.
func (f *function) literal(x uint32) any {
	if _, ok := f.constants[x]; ok || f.level == avx512 {
		return f.constant(x)
	}
	return f.memory(x)
}

// memory is an operand in memory with x in every lane.
func (f *function) memory(x uint32) any {
	f.data.words[x] = true
	return fmt.Sprintf("word%08x<>(SB)", x)
}

// broadcast fills v with a general register.
func (f *function) broadcast(from string, v vec) {
	if f.level == avx512 {
		f.ins("VPBROADCASTD", from, v)
		return
	}
	x := fmt.Sprintf("X%d", v)
	f.ins("VMOVD", from, x)
	f.ins("VPBROADCASTD", x, v)
}

// bitwise returns the name of a bitwise operation: with AVX-512 it includes the lanes' size.
func (f *function) bitwise(name string) string {
	if f.level == avx512 {
		return name + "D"
	}
	return name
}

// op is an instruction on two vectors, or on a count and a vector; the result is a new vector. a is
// the first source in the manuals' order.
func (f *function) op(name string, a vec, b any) vec {
	d := f.vec()
	f.ins(name, b, a, d)
	return d
}

func (f *function) op1(name string, a vec) vec {
	d := f.vec()
	f.ins(name, a, d)
	return d
}

func (f *function) and(a vec, b any) vec { return f.op(f.bitwise("VPAND"), a, b) }
func (f *function) andNot(a, b vec) vec  { return f.op(f.bitwise("VPANDN"), b, a) } // a &^ b
func (f *function) or(a vec, b any) vec  { return f.op(f.bitwise("VPOR"), a, b) }
func (f *function) xor(a vec, b any) vec { return f.op(f.bitwise("VPXOR"), a, b) }
func (f *function) add(a vec, b any) vec { return f.op("VPADDD", a, b) }
func (f *function) sub(a vec, b any) vec { return f.op("VPSUBD", a, b) }
func (f *function) shl(a vec, n int) vec {
	return f.op("VPSLLD", a, n)
}
func (f *function) shr(a vec, n int) vec { return f.op("VPSRLD", a, n) }
func (f *function) sar(a vec, n int) vec { return f.op("VPSRAD", a, n) }

// equal, greater and unordered compare lanes.
func (f *function) equal(a vec, b any) mask {
	m := f.mask()
	f.ins("VPCMPEQD", b, a, m)
	return m
}

func (f *function) unequal(a vec, b any) mask {
	m := f.mask()
	if f.level == avx512 {
		f.ins("VPCMPD", 4, b, a, m)
		return m
	}
	f.ins("VPCMPEQD", b, a, m)
	f.ins("VPXOR", f.literal(ones), m, m)
	return m
}

func (f *function) greater(a vec, b any) mask { // signed
	m := f.mask()
	f.ins("VPCMPGTD", b, a, m)
	return m
}

// compareFloat compares lanes by a predicate of VCMPPS.
func (f *function) compareFloat(predicate int, a, b vec) mask {
	m := f.mask()
	f.ins("VCMPPS", predicate, b, a, m)
	return m
}

const (
	predicateLess      = 0x11
	predicateEqual     = 0x00
	predicateAtMost    = 0x12
	predicateUnequal   = 0x0c // and ordered
	predicateOrdered   = 0x07
	predicateUnordered = 0x03
)

// blend is b in the lanes of m and a elsewhere.
func (f *function) blend(m mask, a, b vec) vec {
	d := f.vec()
	if f.level == avx512 {
		f.ins("VPBLENDMD", b, a, m, d)
	} else {
		f.ins("VPBLENDVB", vec(m), b, a, d)
	}
	return d
}

// nonzero returns the lanes in which a&b is not 0.
func (f *function) nonzero(a, b vec) mask {
	m := f.mask()
	if f.level == avx512 {
		f.ins("VPTESTMD", b, a, m)
		return m
	}
	f.ins("VPAND", b, a, m)
	f.ins("VPCMPEQD", f.constant(0), m, m)
	f.ins("VPXOR", f.constant(ones), m, m)
	return m
}

// bits joins the masks of a row in a general register; it destroys lo.
func (f *function) bits(lo, hi mask, to string) {
	f.ins("KUNPCKWD", lo, hi, lo)
	f.ins("KMOVD", lo, to)
}

// rowMasks returns the masks of a row's vectors from a word at an operand. AVX-512 only.
func (f *function) rowMasks(at string) []mask {
	lo, hi := f.mask(), f.mask()
	f.ins("KMOVD", at, lo)
	f.ins("KSHIFTRD", 16, lo, hi)
	return []mask{lo, hi}
}

// copy is the instruction that copies vector registers.
func (f *function) copy() string {
	if f.level == avx512 {
		return "VMOVDQA32"
	}
	return "VMOVDQA"
}

// join is the union of two masks; it consumes both.
func (f *function) join(a, b mask) mask {
	if f.level == avx512 {
		f.ins("KORW", b, a, a)
	} else {
		f.ins("VPOR", b, a, a)
	}
	f.freeMask(b)
	return a
}
