package optimize

import (
	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile/ir"
)

// Uniform marks the branches whose condition is the same in all threads of a block: it depends on
// parameters, constants and the block's place alone. A value that a divergent branch may choose is
// not.
func Uniform(f *ir.Func) {
	f.Order()
	meet := f.Postdominators()
	varies := make([]bool, f.MaxID())
	divergent := make([]bool, len(f.Blocks)) // blocks that lanes may reach apart
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				if !varies[v.ID] && differs(v, varies, divergent) {
					varies[v.ID], changed = true, true
				}
			}
			if b.End == ir.Branch && varies[b.Control.ID] && spread(b, meet[b.ID], divergent) {
				changed = true
			}
		}
	}
	for _, b := range f.Blocks {
		if b.End == ir.Branch && !varies[b.Control.ID] {
			b.Uniform = true
		}
	}
}

// differs reports whether lanes may hold different values.
func differs(v *ir.Value, varies, divergent []bool) bool {
	switch v.Op {
	case ir.Tid, ir.Physid, ir.Clock, ir.Pm, ir.Atom, ir.Tex, ir.Undef:
		return true
	case ir.Load:
		if v.Space != ptx.Const {
			return true
		}
	case ir.Phi:
		if divergent[v.Block.ID] {
			return true
		}
	}
	for _, a := range v.Args {
		if varies[a.ID] {
			return true
		}
	}
	return false
}

// spread marks the blocks where lanes that a branch parts may meet or arrive alone: all that the
// branch reaches up to meet, where all its lanes meet again; nil is the end. It reports whether one
// is new.
func spread(from, meet *ir.Block, divergent []bool) bool {
	changed := false
	seen := map[*ir.Block]bool{from: true}
	work := []*ir.Block{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range b.Succs() {
			if !divergent[s.ID] {
				divergent[s.ID], changed = true, true
			}
			if s != meet && !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return changed
}
