package ptxreference

import "jacquard/ptx"

// control binds the instructions that say where a thread goes.
func (b *binder) control() step {
	switch b.in.Op {
	case ptx.OpBra:
		b.operands(1)
		pc := b.label(b.arg(0).Label)
		return func(t *thread) error {
			t.pc = pc
			return nil
		}
	case ptx.OpBrx:
		return b.indexed()
	case ptx.OpCall:
		return b.call()
	case ptx.OpRet:
		return (*thread).ret
	case ptx.OpExit:
		return func(t *thread) error {
			t.state = ended
			return nil
		}
	}
	return func(t *thread) error { return t.fault(Trapped, "trap") }
}

// label returns the instruction that a label stands before.
func (b *binder) label(l *ptx.Label) int {
	pc, ok := b.labels[l]
	if !ok || l == nil {
		b.fail(Malformed, "branch to a label outside of the function")
	}
	return pc
}

// indexed binds brx.idx.
func (b *binder) indexed() step {
	b.operands(2)
	index, targets := b.source(0, ptx.U32), b.arg(1).Targets
	if targets == nil {
		b.fail(Malformed, "branch without targets")
		return nil
	}
	var pcs []int
	for _, l := range targets.Labels {
		pcs = append(pcs, b.label(l))
	}
	return func(t *thread) error {
		i := index.get(t)
		if i >= uint64(len(pcs)) {
			return t.fault(Fault, "target %d of %d", i, len(pcs))
		}
		t.pc = pcs[i]
		return nil
	}
}
