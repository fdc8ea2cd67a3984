package optimize

import "jacquard/ptx/compile/ir"

// Clean removes copies, trivial phis, values without uses or effects, blocks that control does not
// reach, and jumps to blocks with one predecessor.
func Clean(f *ir.Func) {
	branches(f)
	f.Order()
	phis(f)
	resolve(f)
	dead(f)
	merge(f)
	f.Order()
}

// branches replaces branches on constants.
func branches(f *ir.Func) {
	for _, b := range f.Blocks {
		if b.End != ir.Branch {
			continue
		}
		if b.To[0] == b.To[1] {
			same(b)
			continue
		}
		if c, ok := ir.Resolve(b.Control).IsConst(); ok {
			b.ToJump(int(1 - c&1))
		}
	}
}

// same replaces a branch whose targets are one block, where the phis agree.
func same(b *ir.Block) {
	to := b.To[0]
	first := -1
	for i, p := range to.Preds {
		if p != b {
			continue
		}
		if first < 0 {
			first = i
			continue
		}
		for _, v := range to.Values {
			if v.Op == ir.Phi && ir.Resolve(v.Args[first]) != ir.Resolve(v.Args[i]) {
				return
			}
		}
	}
	b.ToJump(0)
}

// phis replaces phis whose operands are one value. It goes over the blocks forwards and backwards
// in turn: one forward pass follows chains of phis, one backward pass follows phis from a loop to
// the loop around it.
func phis(f *ir.Func) {
	for changed, backwards := true, false; changed; backwards = !backwards {
		changed = false
		for i := range f.Blocks {
			if backwards {
				i = len(f.Blocks) - 1 - i
			}
			for _, v := range f.Blocks[i].Values {
				if v.Op != ir.Phi {
					continue
				}
				if x := only(v); x != nil {
					v.CopyOf(x)
					changed = true
				}
			}
		}
	}
}

// only returns the one value that a phi can be, or nil.
func only(phi *ir.Value) *ir.Value {
	var one *ir.Value
	for i, a := range phi.Args {
		if a.Op == ir.Copy {
			a = ir.Resolve(a)
			phi.SetArg(i, a)
		}
		if a == phi || a == one {
			continue
		}
		if one != nil {
			return nil
		}
		one = a
	}
	return one
}

// resolve makes users of copies use the source of the copy.
func resolve(f *ir.Func) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for i, a := range v.Args {
				if a.Op == ir.Copy {
					v.SetArg(i, ir.Resolve(a))
				}
			}
		}
		if b.Control != nil && b.Control.Op == ir.Copy {
			c := ir.Resolve(b.Control)
			c.Uses++
			b.Control.Uses--
			b.Control = c
		}
	}
}

// dead removes values that no effect and no branch needs. Phis go first in their blocks.
func dead(f *ir.Func) {
	live := make([]bool, f.MaxID())
	var work []*ir.Value
	mark := func(v *ir.Value) {
		if !live[v.ID] {
			live[v.ID] = true
			work = append(work, v)
		}
	}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if needed(v) {
				mark(v)
			}
		}
		if b.Control != nil {
			mark(b.Control)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range v.Args {
			mark(a)
		}
	}
	for _, b := range f.Blocks {
		sweep(b, live)
	}
}

// needed reports whether a value must stay although nothing uses it.
func needed(v *ir.Value) bool {
	return v.Effect() == ir.Writes && v.Op != ir.Clock && v.Op != ir.Pm || v.Volatile
}

func sweep(b *ir.Block, live []bool) {
	var phis, rest []*ir.Value
	for _, v := range b.Values {
		switch {
		case !live[v.ID]:
			for _, a := range v.Args {
				a.Uses--
			}
			v.Args = nil
		case v.Op == ir.Phi:
			phis = append(phis, v)
		default:
			rest = append(rest, v)
		}
	}
	b.Values = append(phis, rest...)
}

// merge joins blocks that are always run one after the other, and skips empty ones.
func merge(f *ir.Func) {
	for _, b := range f.Blocks {
		for b.End == ir.Jump && b.To[0] != b && len(b.To[0].Preds) == 1 && b.To[0] != f.Blocks[0] {
			absorb(b, b.To[0])
		}
	}
}

// absorb appends the only successor of b to b.
func absorb(b, next *ir.Block) {
	for _, v := range next.Values {
		if v.Op == ir.Phi {
			v.CopyOf(v.Args[0])
		}
		v.Block = b
	}
	b.Values = append(b.Values, next.Values...)
	b.End, b.Control, b.To, b.Uniform, b.Line = next.End, next.Control, next.To, next.Uniform, next.Line
	for _, s := range b.Succs() {
		s.ReplacePred(next, b)
	}
	if b.End == ir.Branch && b.To[0] == b.To[1] {
		b.To[1].ReplacePred(next, b)
	}
	next.Values, next.Control, next.End = nil, nil, ir.Open
	next.Preds = nil
}
