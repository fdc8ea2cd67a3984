package optimize

import (
	"math/bits"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// fold replaces an integer operation on constants by its result. It reports whether it did.
func (s *simplifier) fold(v *ir.Value) bool {
	if v.Kind != ir.Word && v.Kind != ir.Pred {
		return false
	}
	var c [3]uint32
	for i, a := range v.Args {
		if a.Op != ir.Const || i > 2 || a.Kind == ir.Long {
			return false
		}
		c[i] = uint32(a.Imm)
	}
	if v.Sat {
		return false
	}
	if v.Kind == ir.Pred {
		return s.foldPred(v, c)
	}
	r, ok := foldWord(v, c)
	if ok {
		s.isWord(v, r)
	}
	return ok
}

// foldPred folds what gives a predicate.
func (s *simplifier) foldPred(v *ir.Value, c [3]uint32) bool {
	var r bool
	switch v.Op {
	case ir.ICmp:
		r = holds(v.Cmp, v.Sub, c[0], c[1])
	case ir.And:
		r = c[0]&c[1]&1 != 0
	case ir.Or:
		r = (c[0]|c[1])&1 != 0
	case ir.Xor:
		r = (c[0]^c[1])&1 != 0
	case ir.Not:
		r = c[0]&1 == 0
	default:
		return false
	}
	s.is(v, s.f.Const(ir.Pred, uint64(bit(r))))
	return true
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// ones is all ones for true.
func ones(b bool) uint32 { return -bit(b) }

// foldWord computes an operation on Words.
func foldWord(v *ir.Value, c [3]uint32) (uint32, bool) {
	a, b := c[0], c[1]
	switch v.Op {
	case ir.Add:
		return a + b, true
	case ir.Sub:
		return a - b, true
	case ir.Mul:
		return a * b, true
	case ir.MulHi:
		return mulHi(v.Signed(), a, b), true
	case ir.Mul16:
		return mul16(v.Signed(), a, b), true
	case ir.Mul24:
		return mul24(v.Signed(), a, b), true
	case ir.Neg:
		return -a, true
	case ir.And:
		return a & b, true
	case ir.Or:
		return a | b, true
	case ir.Xor:
		return a ^ b, true
	case ir.Not:
		return ^a, true
	case ir.Shl:
		return a << b, true
	case ir.ShrU:
		return a >> b, true
	case ir.ShrS:
		return uint32(int32(a) >> b), true
	case ir.ISet:
		return ones(holds(v.Cmp, v.Sub, a, b)), true
	case ir.PredSet:
		return ones(a&1 != 0), true
	case ir.FNeg:
		return 0, false
	}
	return foldExtension(v.Op, a)
}

func foldExtension(op ir.Op, a uint32) (uint32, bool) {
	switch op {
	case ir.ZExt8:
		return uint32(uint8(a)), true
	case ir.ZExt16:
		return uint32(uint16(a)), true
	case ir.SExt8:
		return uint32(int32(int8(a))), true
	case ir.SExt16:
		return uint32(int32(int16(a))), true
	}
	return 0, false
}

func mulHi(signed bool, a, b uint32) uint32 {
	if signed {
		return uint32(uint64(int64(int32(a))*int64(int32(b))) >> 32)
	}
	hi, _ := bits.Mul32(a, b)
	return hi
}

func mul16(signed bool, a, b uint32) uint32 {
	if signed {
		return uint32(int32(int16(a)) * int32(int16(b)))
	}
	return uint32(uint16(a)) * uint32(uint16(b))
}

func mul24(signed bool, a, b uint32) uint32 {
	if signed {
		return uint32((int32(a) << 8 >> 8) * (int32(b) << 8 >> 8))
	}
	return a & 0xffffff * (b & 0xffffff)
}

// holds compares integers.
func holds(cmp ptx.Cmp, t ptx.Type, a, b uint32) bool {
	if t.Bits() == 16 {
		a, b = uint32(uint16(a)), uint32(uint16(b))
		if signed(t) {
			a, b = uint32(int32(int16(a))), uint32(int32(int16(b)))
		}
	}
	less := a < b
	if signed(t) {
		less = int32(a) < int32(b)
	}
	switch cmp {
	case ptx.Eq:
		return a == b
	case ptx.Ne:
		return a != b
	case ptx.Lt:
		return less
	case ptx.Le:
		return less || a == b
	case ptx.Gt:
		return !less && a != b
	}
	return !less
}
