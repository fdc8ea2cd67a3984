package optimize

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// Contract makes one multiply-add of a product and a sum of f32, where the text gives neither a
// rounding. As in the code of NVIDIA's compiler, both are in one block, no division stands between
// them, and of two products the first becomes part of the sum.
func Contract(f *ir.Func) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ir.FAdd && v.Round == ptx.NoRound {
				contract(f, v)
			}
		}
	}
	Clean(f)
}

func contract(f *ir.Func, v *ir.Value) {
	for at := range v.Args {
		x, negated := product(v.Args[at])
		if x == nil || x.Block != v.Block || x.Divisions != v.Divisions {
			continue
		}
		p, q, c := x.Args[0], x.Args[1], v.Args[1-at]
		if negated {
			p = insertNeg(f, v, p)
		}
		v.Become(ir.FMad, p, q, c)
		return
	}
}

// product returns the product that an operand is, perhaps negated, if it may be contracted.
func product(x *ir.Value) (_ *ir.Value, negated bool) {
	if a, neg := x.Sign(); neg && x.Uses == 1 {
		x, negated = a, true
	}
	if !contractible(x) {
		return nil, false
	}
	return x, negated
}

func contractible(x *ir.Value) bool {
	return x.Op == ir.FMul && x.Round == ptx.NoRound && !x.Sat && x.Uses == 1
}

// insertNeg makes the negation of p in front of v.
func insertNeg(f *ir.Func, v, p *ir.Value) *ir.Value {
	n := f.New(ir.FNeg, ir.Word, p)
	n.Line, n.Block = v.Line, v.Block
	list := v.Block.Values
	for i, x := range list {
		if x == v {
			v.Block.Values = append(list[:i:i], append([]*ir.Value{n}, list[i:]...)...)
			return n
		}
	}
	return n
}
