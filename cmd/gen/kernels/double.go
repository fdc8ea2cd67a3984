package main

import (
	"fmt"
	"math"
)

// f64 inside a kernel: a vector of words is two of doubles. The registers' lower halves have the
// names of the next smaller size.

func (f *function) lower(v vec) string {
	return fmt.Sprintf("%c%d", [...]byte{avx2: 'X', avx512: 'Y'}[f.level], v)
}

// widen converts one half of a vector of signed words to f64.
func (f *function) widen(v vec, half int) vec {
	return f.widenBy("VCVTDQ2PD", [...]string{avx2: "VEXTRACTI128", avx512: "VEXTRACTI64X4"}[f.level], v, half)
}

// widenFloat is widen for f32.
func (f *function) widenFloat(v vec, half int) vec {
	return f.widenBy("VCVTPS2PD", [...]string{avx2: "VEXTRACTF128", avx512: "VEXTRACTF64X4"}[f.level], v, half)
}

func (f *function) widenBy(convert, extract string, v vec, half int) vec {
	d := f.vec()
	from := v
	if half != 0 {
		from = d
		f.ins(extract, 1, v, f.lower(d))
	}
	f.ins(convert, f.lower(from), d)
	return d
}

// inDoubles makes a vector of f32 from f64, towards zero.
func (f *function) inDoubles(half func(half int) vec) vec {
	return f.halved(func(h int) vec {
		v := half(h)
		if f.level == avx512 {
			f.ins("VCVTPD2PS.RZ_SAE", v, f.lower(v))
			return v
		}
		f.in("VPAND", v, f.bits64(^uint64(lost))) // bits that do not fit in an f32
		f.ins("VCVTPD2PSY", v, f.lower(v))
		return v
	})
}

// lost are the bits of an f64 that do not fit in an f32.
const lost = 1<<29 - 1

// halved joins the lower halves of two vectors.
func (f *function) halved(half func(half int) vec) vec {
	lo, hi := half(0), half(1)
	f.ins([...]string{avx2: "VINSERTF128", avx512: "VINSERTF64X4"}[f.level], 1, f.lower(hi), lo, lo)
	f.free(hi)
	return lo
}

// compareDouble compares f64 by a predicate of VCMPPD.
func (f *function) compareDouble(predicate int, a vec, b any) mask {
	m := f.mask()
	f.ins("VCMPPD", predicate, b, a, m)
	return m
}

// double is a vector of the number x in memory, usable as a second source.
func (f *function) double(x float64) any { return f.bits64(math.Float64bits(x)) }

func (f *function) bits64(x uint64) any {
	f.data.doubles[x] = true
	return fmt.Sprintf("double%016x<>(SB)", x)
}

// quads is the name of a bitwise operation on lanes of 64 bits.
func (f *function) quads(name string) string {
	if f.level == avx512 {
		return name + "Q"
	}
	return name
}

// complement subtracts one from the magnitude of negative numbers, and keeps their sign.
func (f *function) complement(v vec) vec {
	and, or := f.quads("VPAND"), f.quads("VPOR")
	s, zero := f.vec(), f.vec()
	f.ins(and, f.double(math.Copysign(0, -1)), v, s)
	f.ins(f.bitwise("VPXOR"), zero, zero, zero)
	m := f.mask()
	f.ins("VCMPPD", predicateLess, zero, v, m)
	if f.level == avx512 {
		f.ins("VADDPD", f.double(1), v, m, v)
	} else {
		f.ins("VPAND", f.double(1), m, m)
		f.ins("VADDPD", m, v, v)
	}
	f.ins(or, s, v, v)
	f.free(s, zero)
	f.freeMask(m)
	return v
}
