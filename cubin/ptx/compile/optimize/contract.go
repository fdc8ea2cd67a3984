package optimize

import (
	"slices"

	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile/ir"
)

// Contract makes one multiply-add of a product and a sum of f32, where the text gives neither a
// rounding. As in the code of NVIDIA's compiler, no fetch of a texture stands between the two.
func Contract(f *ir.Func) {
	for _, b := range f.Blocks {
		after := 0 // the last fetch
		for i, v := range b.Values {
			switch {
			case v.Op == ir.Tex:
				after = i
			case v.Op == ir.FAdd && !v.Exact && v.Round == ptx.NoRound:
				contract(f, v, b.Values[:after])
			}
		}
	}
	Clean(f)
}

// contract makes a multiply-add of a sum if one of its operands is a product that is not among those
// before.
func contract(f *ir.Func, v *ir.Value, before []*ir.Value) {
	at := 0
	if x, _ := product(v.Args[0]); x == nil || quotient(x) && second(v.Args[1]) {
		at = 1
	}
	x, negated := product(v.Args[at])
	if x == nil || slices.Contains(before, x) {
		return
	}
	p, q, c := x.Args[0], x.Args[1], v.Args[1-at]
	if negated {
		p = insertNeg(f, v, p)
	}
	v.Become(ir.FMad, p, q, c)
}

// quotient reports whether a product is the last step of a division. Of two products the first
// becomes part of the sum, but of two quotients the second, as in the code of NVIDIA's compiler.
func quotient(x *ir.Value) bool { return x.Args[0].Op == ir.Rcp || x.Args[1].Op == ir.Rcp }

func second(x *ir.Value) bool {
	p, _ := product(x)
	return p != nil && quotient(p)
}

// product returns the product that an operand is, perhaps negated, if it may be contracted.
func product(x *ir.Value) (_ *ir.Value, negated bool) {
	if x.Op == ir.FNeg && !x.Sat && x.Uses == 1 {
		x, negated = x.Args[0], true
	}
	if !contractible(x) {
		return nil, false
	}
	return x, negated
}

func contractible(x *ir.Value) bool {
	return x.Op == ir.FMul && !x.Exact && x.Round == ptx.NoRound && !x.Sat && x.Uses == 1
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
