package planted

import "math/bits"

// compute is an operation of registers: its text, its result, and the bits of the result that may
// depend on bits of the operands that nobody wrote. Results are what PTX says. May errs on the side
// of more bits; which bits really depend on others is found by guesses.
type compute struct {
	text  string // $d $a $b $c are registers, $t and $u scratch, $p a predicate
	eval  func(a, b, c uint32) uint32
	may   func(a, b, c operand) uint32
	fixed []uint32 // values of b, which is a number then
	soft  uint32   // bits of b that select
}

// operand is a value and the bits of it that may be unknown.
type operand struct{ v, may uint32 }

func upward(m uint32) uint32 { return m | -m }

func every(m uint32) uint32 {
	if m != 0 {
		return ^uint32(0)
	}
	return 0
}

func anyOf(a, b, c operand) uint32   { return every(a.may | b.may | c.may) }
func anyAB(a, b, _ operand) uint32   { return every(a.may | b.may) }
func carries(a, b, _ operand) uint32 { return upward(a.may | b.may) }

// chosen returns what may be unknown of a selection. Where nobody knows which operand it takes, all
// bits may be: the compiler may guard the operation that makes one of them, and the checker does not
// know what an operation would give that is left out.
func chosen(which bool, unknown uint32, a, c operand) uint32 {
	switch {
	case unknown != 0:
		return ^uint32(0)
	case which:
		return a.may
	}
	return c.may
}

// shifts are distances.
var shifts = []uint32{1, 4, 8, 16, 24, 31}

var masks = []uint32{0, 1, 0xff, 0xff00, 0xffff, 0xffff0000, 0x80000000, 0x0f0f0f0f, ^uint32(0)}

// adding is what a count does.
var adding = &compute{text: "add.u32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return a + b }, may: carries}

// masking is an and with a number.
var masking = &compute{text: "and.b32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return a & b }, may: bothSet, fixed: masks}

var computes = []*compute{
	adding,
	{text: "mov.u32 $d, $a;", eval: func(a, _, _ uint32) uint32 { return a }, may: func(a, _, _ operand) uint32 { return a.may }},
	{text: "sub.u32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return a - b }, may: carries},
	{text: "mul.lo.u32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return a * b }, may: carries},
	{text: "mul.lo.u32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return a * b }, may: carries, fixed: []uint32{2, 3, 64, 1000003}},
	{text: "mul24.lo.u32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return a & 0xffffff * (b & 0xffffff) },
		may: func(a, b, _ operand) uint32 { return upward((a.may | b.may) & 0xffffff) }},
	{text: "mul.hi.u32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { h, _ := bits.Mul32(a, b); return h }, may: anyAB},
	{text: "mad.lo.u32 $d, $a, $b, $c;", eval: func(a, b, c uint32) uint32 { return a*b + c },
		may: func(a, b, c operand) uint32 { return upward(a.may | b.may | c.may) }},
	{text: "and.b32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return a & b }, may: bothSet},
	masking, masking,
	{text: "or.b32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return a | b }, may: bothClear},
	{text: "or.b32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return a | b }, may: bothClear, fixed: masks},
	{text: "xor.b32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return a ^ b }, may: func(a, b, _ operand) uint32 { return a.may | b.may }},
	{text: "not.b32 $d, $a;", eval: func(a, _, _ uint32) uint32 { return ^a }, may: func(a, _, _ operand) uint32 { return a.may }},
	{text: "shl.b32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return a << b }, fixed: shifts,
		may: func(a, b, _ operand) uint32 { return a.may << b.v }},
	{text: "shr.u32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return a >> b }, fixed: shifts,
		may: func(a, b, _ operand) uint32 { return a.may >> b.v }},
	{text: "shr.s32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return uint32(int32(a) >> b) }, fixed: shifts,
		may: func(a, b, _ operand) uint32 { return uint32(int32(a.may) >> b.v) }},
	{text: "and.b32 $t, $b, 31; shl.b32 $d, $a, $t;", eval: func(a, b, _ uint32) uint32 { return a << (b & 31) },
		may: func(a, b, _ operand) uint32 { return every(b.may&31) | a.may<<(b.v&31) }},
	{text: "and.b32 $t, $b, 31; shr.u32 $d, $a, $t;", eval: func(a, b, _ uint32) uint32 { return a >> (b & 31) },
		may: func(a, b, _ operand) uint32 { return every(b.may&31) | a.may>>(b.v&31) }},
	{text: "min.u32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return min(a, b) }, may: anyAB},
	{text: "max.s32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return uint32(max(int32(a), int32(b))) }, may: anyAB},
	{text: "set.lt.u32.u32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return all(a < b) }, may: anyAB},
	{text: "set.eq.u32.u32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return all(a == b) }, may: anyAB},
	{text: "cvt.u32.u8 $d, $a;", eval: func(a, _, _ uint32) uint32 { return a & 0xff }, may: func(a, _, _ operand) uint32 { return a.may & 0xff }},
	{text: "cvt.u32.u16 $d, $a;", eval: func(a, _, _ uint32) uint32 { return a & 0xffff }, may: func(a, _, _ operand) uint32 { return a.may & 0xffff }},
	{text: "cvt.s32.s8 $d, $a;", eval: func(a, _, _ uint32) uint32 { return uint32(int8(a)) }, may: func(a, _, _ operand) uint32 { return uint32(int8(a.may)) }},
	{text: "cvt.s32.s16 $d, $a;", eval: func(a, _, _ uint32) uint32 { return uint32(int16(a)) }, may: func(a, _, _ operand) uint32 { return uint32(int16(a.may)) }},
	{text: "neg.s32 $d, $a;", eval: func(a, _, _ uint32) uint32 { return -a }, may: func(a, _, _ operand) uint32 { return upward(a.may) }},
	{text: "abs.s32 $d, $a;", eval: func(a, _, _ uint32) uint32 { return uint32(max(int32(a), -int32(a))) }, may: anyAlone},
	{text: "sad.u32 $d, $a, $b, $c;", eval: func(a, b, c uint32) uint32 { return c + max(a, b) - min(a, b) }, may: anyOf},
	{text: "div.u32 $d, $a, $b;", eval: func(a, b, _ uint32) uint32 { return a / b }, may: anyAlone, fixed: []uint32{3, 7, 1000}},
	{text: "and.b32 $t, $a, 65535; cvt.rn.f32.u32 $f, $t; and.b32 $t, $b, 65535; cvt.rn.f32.u32 $g, $t; " +
		"add.f32 $f, $f, $g; cvt.rzi.u32.f32 $d, $f;", eval: func(a, b, _ uint32) uint32 { return a&0xffff + b&0xffff },
		may: func(a, b, _ operand) uint32 { return every((a.may | b.may) & 0xffff) }},
	{text: "and.b32 $t, $b, 1; setp.ne.u32 $p, $t, 0; selp.u32 $d, $a, $c, $p;", eval: func(a, b, c uint32) uint32 { return pick(b&1 != 0, a, c) },
		may: func(a, b, c operand) uint32 { return chosen(b.v&1 != 0, b.may&1, a, c) }, soft: 1},
	{text: "slct.u32.s32 $d, $a, $c, $b;", eval: func(a, b, c uint32) uint32 { return pick(int32(b) >= 0, a, c) },
		may: func(a, b, c operand) uint32 { return chosen(int32(b.v) >= 0, b.may>>31, a, c) }, soft: 1 << 31},
}

func anyAlone(a, _, _ operand) uint32 { return every(a.may) }

func bothSet(a, b, _ operand) uint32 { return a.may&b.may | a.may&b.v | b.may&a.v }

func bothClear(a, b, _ operand) uint32 { return a.may&b.may | a.may&^b.v | b.may&^a.v }

func all(yes bool) uint32 { return pick(yes, ^uint32(0), 0) }

func pick(yes bool, a, c uint32) uint32 {
	if yes {
		return a
	}
	return c
}
