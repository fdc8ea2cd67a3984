package optimize

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// expression identifies the computation of a pure value.
type expression struct {
	op        ir.Op
	kind      ir.Kind
	sub, from ptx.Type
	round     ptx.Round
	cmp       ptx.Cmp
	space     ptx.Space
	count     uint8
	sat       bool
	imm       uint64
	sym       *ptx.Var
	args      [3]int32
}

// Common replaces a pure value by an equal one that dominates it.
func Common(f *ir.Func) {
	f.Order()
	seen := map[expression][]*ir.Value{}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for i, a := range v.Args {
				if a.Op == ir.Copy {
					v.SetArg(i, ir.Resolve(a))
				}
			}
			if !shareable(v) {
				continue
			}
			key := keyOf(v)
			if other := dominating(seen[key], v); other != nil {
				v.CopyOf(other)
			} else {
				seen[key] = append(seen[key], v)
			}
		}
	}
	Clean(f)
}

// shareable reports whether two equal values may be one.
func shareable(v *ir.Value) bool {
	switch v.Op {
	case ir.Phi, ir.Copy, ir.Undef, ir.Const:
		return false
	}
	return v.Effect() == ir.Pure && v.Kind != ir.None && len(v.Args) <= 3
}

func keyOf(v *ir.Value) expression {
	e := expression{v.Op, v.Kind, v.Sub, v.From, v.Round, v.Cmp, v.Space, v.Count, v.Sat, v.Imm, v.Sym, [3]int32{-1, -1, -1}}
	for i, a := range v.Args {
		e.args[i] = a.ID
	}
	return e
}

// dominating returns the value of the list whose block dominates the block of v.
func dominating(list []*ir.Value, v *ir.Value) *ir.Value {
	for _, o := range list {
		if o.Block == v.Block || o.Block.Dominates(v.Block) {
			return o
		}
	}
	return nil
}
