package optimize

import (
	"math"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// Uniform marks the branches whose condition is the same in all lanes of a warp: it depends on
// parameters, constants, the block's place and words that its lanes read together. A value that a
// divergent branch may choose is not.
func Uniform(f *ir.Func) {
	f.Order()
	varies, spread := make([]bool, f.MaxID()), newSpreading(f)
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks {
			together := false
			for _, v := range b.Values {
				together = (together || v.Op == ir.Bar) && !spread.apart[b.ID]
				if !varies[v.ID] && differs(v, varies, spread.divergent, together) {
					varies[v.ID], changed = true, true
				}
			}
			if b.End == ir.Branch && varies[b.Control.ID] && spread.from(b) {
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

// differs reports whether lanes may hold different values. If all lanes execute v together, one
// address has one value for them.
func differs(v *ir.Value, varies, divergent []bool, together bool) bool {
	switch v.Op {
	case ir.Tid, ir.Physid, ir.Clock, ir.Pm, ir.Atom, ir.Tex, ir.Locked, ir.Undef:
		return true
	case ir.Load:
		if v.Space != ptx.Const && !(together && !v.Lock && (v.Space == ptx.Shared || v.Space == ptx.Global)) {
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

// spreading marks the blocks where lanes may not be together.
type spreading struct {
	meet      []*ir.Block // by block: where all lanes meet again that it parts; nil is the end
	depth     []int32     // by block: places to meet behind it
	divergent []bool      // by block: lanes may reach it apart, or come from different blocks
	apart     []bool      // by block: lanes may reach it apart
	// far is, by block, the least depth of a place to meet up to which all that the block reaches
	// is marked. Each block is visited again only for a place farther away.
	far []int32
}

func newSpreading(f *ir.Func) *spreading {
	n := len(f.Blocks)
	s := &spreading{f.Postdominators(), make([]int32, n), make([]bool, n), make([]bool, n), make([]int32, n)}
	for i := range s.far {
		s.far[i] = math.MaxInt32
	}
	var path []*ir.Block
	for _, b := range f.Blocks {
		for path = path[:0]; b != nil && s.depth[b.ID] == 0; b = s.meet[b.ID] {
			path = append(path, b)
		}
		d := int32(0)
		if b != nil {
			d = s.depth[b.ID]
		}
		for i := len(path) - 1; i >= 0; i-- {
			d++
			s.depth[path[i].ID] = d
		}
	}
	return s
}

// from marks the blocks where lanes that the end of a block parts may meet or arrive alone: all that
// it reaches up to where all its lanes meet again. It reports whether one is new.
func (s *spreading) from(b *ir.Block) bool {
	meet, depth := s.meet[b.ID], int32(0)
	if meet != nil {
		depth = s.depth[meet.ID]
	}
	changed := false
	var work []*ir.Block
	visit := func(b *ir.Block) {
		if b != meet && s.far[b.ID] > depth {
			s.far[b.ID] = depth
			work = append(work, b)
		}
	}
	for visit(b); len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, t := range b.Succs() {
			if !s.divergent[t.ID] {
				s.divergent[t.ID], changed = true, true
			}
			if t != meet && !s.apart[t.ID] {
				s.apart[t.ID], changed = true, true
			}
			visit(t)
		}
	}
	return changed
}
