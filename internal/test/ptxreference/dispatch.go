package ptxreference

import "jacquard/ptx"

// bind makes the instruction ready; b.err says if it cannot.
func (b *binder) bind() step {
	switch in := b.in; in.Op {
	case ptx.OpAddc, ptx.OpSubc, ptx.OpMadc:
		return b.withCarry()
	case ptx.OpAdd, ptx.OpSub, ptx.OpMad:
		if in.Mods&ptx.CarryOut != 0 {
			return b.withCarry()
		}
		return b.compute(b.arithmetic())
	case ptx.OpMov:
		return b.move()
	case ptx.OpSet, ptx.OpSetp:
		return b.compare()
	case ptx.OpCvta:
		return b.toGeneric()
	case ptx.OpIsspacep:
		return b.inSpace()
	case ptx.OpLd, ptx.OpLdu:
		return b.load()
	case ptx.OpSt:
		return b.store()
	case ptx.OpAtom, ptx.OpRed:
		return b.atomic()
	case ptx.OpTex, ptx.OpTld4, ptx.OpSuld, ptx.OpSust, ptx.OpSured:
		return b.texture()
	case ptx.OpLop3:
		if in.Bool != ptx.NoBool {
			return b.lop3Predicate()
		}
	case ptx.OpBar, ptx.OpVote, ptx.OpShfl, ptx.OpMatch, ptx.OpRedux, ptx.OpActiveMask:
		return b.withOthers()
	case ptx.OpBra, ptx.OpBrx, ptx.OpCall, ptx.OpExit, ptx.OpRet, ptx.OpTrap:
		return b.control()
	case ptx.OpCp:
		return b.copyAsync()
	case ptx.OpCreatePolicy:
		d := b.sink(0)
		return func(t *thread) error { d.put(t, 0); return nil }
	case ptx.OpMembar, ptx.OpFence, ptx.OpPrefetch, ptx.OpPrefetchu, ptx.OpPmevent, ptx.OpNanosleep,
		ptx.OpBrkpt, ptx.OpApplyPriority, ptx.OpDiscard, ptx.OpGridDepControl, ptx.OpSetMaxNReg:
		return func(*thread) error { return nil } // memory is in order, and nothing is timed
	}
	return b.compute(b.pure())
}

// pure returns the operations that depend on their operands alone and have one result.
func (b *binder) pure() operation {
	switch b.in.Op {
	case ptx.OpCvt:
		return b.conversion()
	case ptx.OpSelp, ptx.OpSlct:
		return b.selection()
	case ptx.OpTestp:
		return b.testp()
	case ptx.OpAnd, ptx.OpOr, ptx.OpXor, ptx.OpNot, ptx.OpCnot, ptx.OpShl, ptx.OpShr, ptx.OpPopc,
		ptx.OpClz, ptx.OpBfind, ptx.OpBrev:
		return b.sized(b.logic)
	case ptx.OpBfe, ptx.OpBfi, ptx.OpBmsk, ptx.OpSzext, ptx.OpFns, ptx.OpPrmt, ptx.OpLop3, ptx.OpShf,
		ptx.OpDp4a, ptx.OpDp2a:
		return b.sized(b.field)
	case ptx.OpVabsdiff2, ptx.OpVabsdiff4, ptx.OpVadd2, ptx.OpVadd4, ptx.OpVavrg2, ptx.OpVavrg4,
		ptx.OpVmax2, ptx.OpVmax4, ptx.OpVmin2, ptx.OpVmin4, ptx.OpVset2, ptx.OpVset4,
		ptx.OpVsub2, ptx.OpVsub4:
		return b.video()
	case ptx.OpVabsdiff, ptx.OpVadd, ptx.OpVmad, ptx.OpVmax, ptx.OpVmin, ptx.OpVset, ptx.OpVshl,
		ptx.OpVshr, ptx.OpVsub:
		return b.scalarVideo()
	}
	return b.arithmetic()
}

// sized makes an operation on bits, of a type that has some.
func (b *binder) sized(of func() operation) operation {
	if !integer(b.in.Type) && b.in.Type != ptx.Pred {
		return operation{}
	}
	return of()
}

// arithmetic returns an operation on integers or floats.
func (b *binder) arithmetic() operation {
	switch t := b.in.Type; {
	case b.in.Mods&ptx.Relu != 0 && formatOf(t) != nil && formatOf(t).bits > 16:
		return operation{}
	case formatOf(t) != nil:
		return b.float()
	case t == ptx.U16x2 || t == ptx.S16x2:
		return b.halves()
	case integer(t):
		return b.integer()
	}
	return operation{}
}

// halves returns integer operations on both halves of a word.
func (b *binder) halves() operation {
	in := *b.in
	in.Type = ptx.U16
	if b.in.Type == ptx.S16x2 {
		in.Type = ptx.S16
	}
	op := twiceOver((&binder{compiler: b.compiler, in: &in}).integer())
	op.result = b.in.Type
	op.args = []ptx.Type{ptx.B32, ptx.B32, ptx.B32}[:len(op.args)]
	return op
}
