package maze

import (
	"jacquard/asm"
	"jacquard/tesla"
)

// block writes a few statements.
func (w *writer) block(in scope) {
	for range 1 + w.r.IntN(3) {
		w.statement(in)
	}
}

func (w *writer) statement(in scope) {
	w.left--
	if w.left <= 0 || in.depth == 0 {
		w.plain()
		return
	}
	in.depth--
	switch n := w.r.IntN(20); {
	case n < 3:
		w.plain()
	case n < 7:
		w.ifElse(in)
	case n < 10:
		w.while(in)
	case n < 12:
		w.doWhile(in)
	case n < 14:
		w.leave(in, w.test())
	case n == 14 && in.together:
		w.exchange()
	case n == 15 && in.together && w.counters < maxCounters:
		w.counted(in)
	case n < 17:
		w.call(in)
	case n == 17 && in.style >= Knotted:
		w.region(tesla.OpBreakAddr, func() { w.knotBody(in, tesla.OpBreak) })
	case n == 18 && in.style >= Knotted:
		w.cases(in)
	case n == 19 && in.style != Structured:
		w.region(tesla.OpPreRet, func() {
			w.block(scope{style: in.style, depth: in.depth, called: true, function: in.function})
			w.control(tesla.OpRet, tesla.Guard{})
		})
	default:
		w.ifElse(in)
	}
}

// plain is code without control.
func (w *writer) plain() {
	w.stamp()
	if w.r.IntN(3) == 0 {
		w.store()
	}
}

// leave sends the lanes that pass g out of the loop or the subroutine, to the next round, or into
// the knot.
func (w *writer) leave(in scope, g tesla.Guard) {
	switch n := w.r.IntN(6); {
	case n < 2 && in.breaks:
		w.control(tesla.OpBreak, g)
	case n < 3 && in.loop != nil:
		w.jump(tesla.OpBra, g, *in.loop)
	case n < 5 && in.knot != nil:
		in.knot.jumps = append(in.knot.jumps, w.ahead(tesla.OpBra, g))
	default:
		w.control(tesla.OpRet, g)
	}
}

// side writes one side of an if and reports whether a lane may come out of it.
func (w *writer) side(in scope) (open bool) {
	w.block(in)
	switch w.r.IntN(10) {
	case 0:
		w.leave(in, tesla.Guard{})
		return false
	case 1:
		w.store()
		w.Exit()
		return false
	}
	return true
}

func (w *writer) ifElse(in scope) {
	in.together = false
	end := w.ahead(tesla.OpJoinAt, tesla.Guard{})
	other := w.ahead(tesla.OpBra, w.test())
	if w.side(in) {
		w.goTo(end)
	}
	w.Place(other)
	if w.r.IntN(3) > 0 {
		w.side(in)
	}
	w.join(end)
}

// join places a label at a join marker, on a nop as most compilers do or on an instruction that
// every lane must execute once.
func (w *writer) join(to asm.Label) {
	if w.r.IntN(4) > 0 {
		w.meet(to)
		return
	}
	w.Place(to)
	in := logic(tesla.Xor, regHash, regHash, regThread)
	in.Marker = tesla.MarkerJoin
	w.Add(in)
}

// region writes code between an announcement and the address that it announces.
func (w *writer) region(announce tesla.Op, body func()) {
	end := w.ahead(announce, tesla.Guard{})
	body()
	w.Place(end)
	w.stamp()
}

// while is a loop that lanes leave by breaks.
func (w *writer) while(in scope) {
	w.region(tesla.OpBreakAddr, func() {
		head := w.PlaceHere()
		in.together, in.breaks, in.loop = false, true, &head
		w.control(tesla.OpBreak, w.burn())
		if w.r.IntN(3) > 0 {
			w.control(tesla.OpBreak, w.test())
		}
		w.block(in)
		if w.r.IntN(3) == 0 {
			w.control(tesla.OpBreak, w.test())
		}
		w.goTo(head)
	})
}

// doWhile is a loop closed by a conditional branch, without a break address.
func (w *writer) doWhile(in scope) {
	in.together = false
	end := w.ahead(tesla.OpJoinAt, tesla.Guard{})
	head := w.PlaceHere()
	w.block(in)
	w.jump(tesla.OpBra, w.burn(), end)
	w.jump(tesla.OpBra, w.test(), head)
	w.join(end)
}

// counted is a loop with equal rounds in all threads.
func (w *writer) counted(in scope) {
	counter := regCounter + uint8(w.counters)
	w.counters++
	w.Add(asm.Mov(counter, asm.Imm(2+w.r.Uint32N(3))))
	head := w.PlaceHere()
	w.block(in)
	over := w.step(counter)
	over.Cond = greater
	w.jump(tesla.OpBra, over, head)
	w.counters--
}

// cases is an indirect branch to one of a few targets.
func (w *writer) cases(in scope) {
	const width = 4 // entries of the table
	in.together, in.breaks, in.loop = false, true, nil
	w.region(tesla.OpBreakAddr, func() {
		w.Add(asm.Mov(regOther, asm.Imm(width-1)))
		w.Add(logic(tesla.And, regScratch, regHash, regOther))
		w.Add(asm.ToAddr(1, regScratch, 2))
		entry := tesla.Operand{Kind: tesla.Const, Type: tesla.B32, Base: 1, Value: uint32(4 * len(w.table))}
		w.Add(tesla.Instruction{Op: tesla.OpBraIndirect, Src: [3]tesla.Operand{entry}})
		table := len(w.table)
		w.table = append(w.table, make([]uint32, width)...)
		for i := range 2 + w.r.IntN(width-1) {
			for k := i; k < width; k++ {
				w.table[table+k] = w.Here()
			}
			w.block(in)
			w.control(tesla.OpBreak, tesla.Guard{})
		}
	})
}

// exchange passes hashes between the threads of a block through shared memory.
func (w *writer) exchange() {
	word := tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: 1, Value: firstShared}
	barrier := asm.Barrier()
	barrier.Barrier.ID = uint8(w.r.IntN(4))
	w.Add(asm.ToAddr(1, regThread, 2)) // four bytes each
	w.Add(asm.StoreShared(word, asm.Reg(regHash)))
	w.Add(barrier)
	w.Add(asm.Mov(regOther, asm.Imm(1+w.r.Uint32N(maxBlock-1))))
	w.Add(logic(tesla.Xor, regScratch, regThread, regOther))
	w.Add(asm.ToAddr(1, regScratch, 2))
	w.Add(tesla.Instruction{Op: tesla.OpLdShared, Type: tesla.B32, Dst: asm.Reg(regScratch), Src: [3]tesla.Operand{word}})
	w.Add(logic(tesla.Xor, regHash, regHash, regScratch))
	w.Add(barrier)
}
