package optimize

import (
	"slices"

	"jacquard/ptx/compile/ir"
)

// Hoist moves address registers that do not change in a loop to the block before the loop.
func Hoist(f *ir.Func) {
	f.Order()
	moved := map[*ir.Value]bool{} // by a loop: their start belongs right before it
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ir.Phi && v.Kind == ir.Addr {
				for _, a := range v.Args {
					moved[a] = true
				}
			}
		}
	}
	room := rooms{}
	for _, b := range f.Blocks {
		if b.Loop == nil {
			continue
		}
		kept := b.Values[:0]
		for _, v := range b.Values {
			to := outside(v)
			if to == nil || moved[v] || !room.take(to, v) {
				kept = append(kept, v)
				continue
			}
			v.Block = to
			to.Values = append(to.Values, v)
		}
		clear(b.Values[len(kept):])
		b.Values = kept
	}
}

// mostHoisted is the number of different address registers that are set before a loop: four exist.
const mostHoisted = 3

// made is the source of an address register.
type made struct {
	op  ir.Op
	arg *ir.Value
	imm uint64
}

// rooms are the address registers that are set at the end of a block.
type rooms map[*ir.Block]map[made]bool

// take reports whether there is room for v at the end of a block, or an equal one.
func (r rooms) take(at *ir.Block, v *ir.Value) bool {
	set := r[at]
	if set == nil {
		set = map[made]bool{}
		r[at] = set
	}
	m := made{v.Op, v.Args[0], v.Imm}
	if !set[m] && len(set) >= mostHoisted {
		return false
	}
	set[m] = true
	return true
}

// outside returns the block before the outermost loop in which a value does not change, or nil.
func outside(v *ir.Value) *ir.Block {
	if v.Op != ir.Shl16 && v.Op != ir.AddrTo {
		return nil
	}
	var to *ir.Block
	for loop := v.Block.Loop; loop != nil && loop.Idom != nil; loop = loop.Around {
		if !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return !a.Block.Dominates(loop.Idom) }) {
			to = loop.Idom
		}
	}
	return to
}
