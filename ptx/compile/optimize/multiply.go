package optimize

import (
	"math/bits"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// Multiply replaces products of 32 bits, which the machine lacks, by products of 16 bits.
func Multiply(f *ir.Func) {
	s := &simplifier{f: f, carried: map[*ir.Value]bool{}}
	for _, b := range f.Blocks {
		s.at, s.out = b, nil
		for _, v := range b.Values {
			s.line = v.Line
			switch v.Op {
			case ir.Mul:
				s.mul(v)
			case ir.MulHi:
				s.mulHi(v)
			}
			s.out = append(s.out, v)
		}
		b.Values = s.out
	}
	Simplify(f)
}

// part16 is the product of halves of x and y.
func (s *simplifier) part16(x, y *ir.Value) *ir.Value {
	v := s.new(ir.Mul16, ir.Word, x, y)
	v.Sub = ptx.U16
	return v
}

// upper is the upper half of x.
func (s *simplifier) upper(x *ir.Value) *ir.Value {
	if c, ok := constant(x); ok {
		return s.f.Word(c >> 16)
	}
	if known(x) <= 16 {
		return s.f.Word(0)
	}
	return s.new(ir.ShrU, ir.Word, x, s.f.Word(16))
}

// lower is the lower half of x, where the upper does not matter.
func (s *simplifier) lower(x *ir.Value) *ir.Value {
	if c, ok := constant(x); ok {
		return s.f.Word(c & 0xffff)
	}
	return x
}

// mul makes x*y = xl*yl + ((xl*yh + xh*yl) << 16).
func (s *simplifier) mul(v *ir.Value) {
	x, y := v.Args[0], v.Args[1]
	if c, ok := constant(y); ok && s.shifts(v, x, c) {
		return
	}
	xl, xh, yl, yh := s.lower(x), s.upper(x), s.lower(y), s.upper(y)
	cross := s.sumOf(s.partOrZero(xl, yh), s.partOrZero(xh, yl))
	low := s.part16(xl, yl)
	if cross.Is(0) {
		v.CopyOf(low)
		return
	}
	v.Become(ir.Add, s.new(ir.Shl, ir.Word, cross, s.f.Word(16)), low)
}

func (s *simplifier) partOrZero(x, y *ir.Value) *ir.Value {
	if x.Is(0) || y.Is(0) {
		return s.f.Word(0)
	}
	return s.part16(x, y)
}

func (s *simplifier) sumOf(x, y *ir.Value) *ir.Value {
	switch {
	case x.Is(0):
		return y
	case y.Is(0):
		return x
	}
	return s.new(ir.Add, ir.Word, x, y)
}

// shifts multiplies by a constant that is a sum or difference of two powers of two.
func (s *simplifier) shifts(v, x *ir.Value, c uint32) bool {
	low := c & -c
	switch {
	case bits.OnesCount32(c) == 2:
		v.Become(ir.Add, s.scaled(x, c&^low), s.scaled(x, low))
	case c+low != 0 && (c+low)&(c+low-1) == 0:
		v.Become(ir.Sub, s.scaled(x, c+low), s.scaled(x, low))
	case c+low == 0:
		v.Become(ir.Sub, s.f.Word(0), s.scaled(x, low))
	default:
		return false
	}
	return true
}

func (s *simplifier) scaled(x *ir.Value, c uint32) *ir.Value {
	if c == 1 {
		return x
	}
	return s.new(ir.Shl, ir.Word, x, s.f.Word(uint32(bits.TrailingZeros32(c))))
}

// mulHi makes the upper Word of a product. The sums do not overflow: a product of halves leaves
// room for another half.
func (s *simplifier) mulHi(v *ir.Value) {
	x, y := v.Args[0], v.Args[1]
	xl, xh, yl, yh := s.lower(x), s.upper(x), s.lower(y), s.upper(y)
	sixteen := s.f.Word(16)
	add := func(a, b *ir.Value) *ir.Value { return s.new(ir.Add, ir.Word, a, b) }
	shr := func(a *ir.Value) *ir.Value { return s.new(ir.ShrU, ir.Word, a, sixteen) }
	m := add(s.part16(xh, yl), shr(s.part16(xl, yl)))
	n := add(s.part16(xl, yh), s.new(ir.ZExt16, ir.Word, m))
	hi := add(add(s.part16(xh, yh), shr(m)), shr(n))
	if v.Signed() {
		hi = s.signedHi(hi, x, y)
	}
	v.CopyOf(hi)
}

// signedHi corrects the upper Word of an unsigned product: each negative factor counts 2^32 too
// much.
func (s *simplifier) signedHi(hi, x, y *ir.Value) *ir.Value {
	for i, a := range [2]*ir.Value{x, y} {
		other := [2]*ir.Value{y, x}[i]
		sign := s.new(ir.ShrS, ir.Word, a, s.f.Word(31))
		hi = s.new(ir.Sub, ir.Word, hi, s.new(ir.And, ir.Word, sign, other))
	}
	return hi
}
