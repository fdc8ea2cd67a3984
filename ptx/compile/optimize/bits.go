package optimize

import (
	"math/bits"

	"jacquard/ptx/compile/ir"
)

// tidBits is the width of a thread's index along x and y: a block has at most 512 threads.
const tidBits = 10

// known returns how many lower bits of a Word may be set; the bits above are zero.
func known(v *ir.Value) int { return knownTo(v, 6) }

// knownTo looks through depth operations.
func knownTo(v *ir.Value, depth int) int {
	if v.Kind != ir.Word {
		return 32
	}
	if v.Op == ir.Const {
		return bits.Len32(uint32(v.Imm))
	}
	if depth == 0 {
		return 32
	}
	arg := func(i int) int { return knownTo(v.Args[i], depth-1) }
	switch v.Op {
	case ir.ZExt8:
		return min(8, arg(0))
	case ir.ZExt16:
		if v.Args[0].Op == ir.Tid {
			return tidBits
		}
		return min(16, arg(0))
	case ir.Header:
		return 16
	case ir.And:
		return min(arg(0), arg(1))
	case ir.Or, ir.Xor:
		return max(arg(0), arg(1))
	case ir.Select:
		return max(arg(1), arg(2))
	case ir.Add:
		if v.Sat {
			return 32
		}
		return min(32, max(arg(0), arg(1))+1)
	case ir.Mul16, ir.Mul24:
		if v.Signed() {
			return 32
		}
		width := 16
		if v.Op == ir.Mul24 {
			width = 24
		}
		return min(32, min(arg(0), width)+min(arg(1), width))
	case ir.Mul:
		return min(32, arg(0)+arg(1))
	case ir.Shl, ir.ShrU:
		return knownShift(v, arg(0))
	case ir.Load, ir.Param:
		if b := v.Sub.Bits(); b < 32 && !v.Signed() && v.Count <= 1 {
			return b
		}
	}
	return 32
}

func knownShift(v *ir.Value, k int) int {
	n, ok := constant(v.Args[1])
	switch {
	case !ok && v.Op == ir.Shl:
		return 32
	case !ok:
		return k
	case v.Op == ir.Shl:
		return int(min(32, uint32(k)+min(n, 32)))
	}
	return max(0, k-int(min(n, 32)))
}
