package maze

import "jacquard/tesla"

// loop is a loop that a lane may go on with.
type loop struct{ head uint32 }

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

// leave lets the lanes that pass go away from here: out of the loop or the subroutine, to
// the next round, or into the knot.
func (w *writer) leave(in scope, g tesla.Guard) {
	switch n := w.r.IntN(6); {
	case n < 2 && in.breaks:
		w.control(tesla.OpBreak, g)
	case n < 3 && in.loop != nil:
		w.jump(tesla.OpBra, g, in.loop.head)
	case n < 5 && in.knot != nil:
		in.knot.jumps = append(in.knot.jumps, w.control(tesla.OpBra, g))
	default:
		w.control(tesla.OpRet, g)
	}
}

// side is one side of an if. It reports whether some lane may come out of it.
func (w *writer) side(in scope) (open bool) {
	w.block(in)
	switch w.r.IntN(10) {
	case 0:
		w.leave(in, tesla.Guard{})
		return false
	case 1:
		w.store()
		w.mark(tesla.MarkerExit)
		return false
	}
	return true
}

func (w *writer) ifElse(in scope) {
	in.together = false
	joinAt := w.control(tesla.OpJoinAt, tesla.Guard{})
	toElse := w.control(tesla.OpBra, w.test())
	toEnd := []int{joinAt}
	if w.side(in) {
		toEnd = append(toEnd, w.control(tesla.OpBra, tesla.Guard{}))
	}
	w.aim(toElse)
	if w.r.IntN(3) > 0 {
		w.side(in)
	}
	w.aim(toEnd...)
	w.join()
}

// join writes a join marker, on a nop as most compilers do or on an instruction that every lane must
// execute once.
func (w *writer) join() {
	if w.r.IntN(4) > 0 {
		w.mark(tesla.MarkerJoin)
		return
	}
	in := logic(tesla.Xor, regHash, reg(regHash), reg(regThread))
	in.Marker = tesla.MarkerJoin
	w.emit(in)
}

// region writes code between an announcement and the place it announces.
func (w *writer) region(announce tesla.Op, body func()) {
	at := w.control(announce, tesla.Guard{})
	body()
	w.aim(at)
	w.stamp()
}

// while is a loop that lanes leave by breaks.
func (w *writer) while(in scope) {
	w.region(tesla.OpBreakAddr, func() {
		in.together, in.breaks, in.loop = false, true, &loop{w.here()}
		w.control(tesla.OpBreak, w.burn())
		if w.r.IntN(3) > 0 {
			w.control(tesla.OpBreak, w.test())
		}
		w.block(in)
		if w.r.IntN(3) == 0 {
			w.control(tesla.OpBreak, w.test())
		}
		w.jump(tesla.OpBra, tesla.Guard{}, in.loop.head)
	})
}

// doWhile is a loop closed by a conditional branch, without a break address.
func (w *writer) doWhile(in scope) {
	in.together = false
	joinAt := w.control(tesla.OpJoinAt, tesla.Guard{})
	head := w.here()
	w.block(in)
	burnt := w.control(tesla.OpBra, w.burn())
	w.jump(tesla.OpBra, w.test(), head)
	w.aim(joinAt, burnt)
	w.join()
}

// counted is a loop with as many rounds for every thread.
func (w *writer) counted(in scope) {
	counter := regCounter + w.counters
	w.counters++
	w.mov(counter, imm(2+w.r.Uint32N(3)))
	head := w.here()
	w.block(in)
	over := w.step(counter)
	over.Cond = greater
	w.jump(tesla.OpBra, over, head)
	w.counters--
}

// cases is an indirect branch to one of a few places.
func (w *writer) cases(in scope) {
	const width = 4 // entries of the table
	in.together, in.breaks, in.loop = false, true, nil
	w.region(tesla.OpBreakAddr, func() {
		w.mov(regOther, imm(width-1))
		w.emit(logic(tesla.And, regScratch, reg(regHash), reg(regOther)))
		w.toAddress(regScratch)
		w.emit(tesla.Instruction{Op: tesla.OpBraIndirect, Src: [3]tesla.Operand{{Kind: tesla.Const, Type: tesla.B32, Base: 1, Value: uint32(4 * len(w.table))}}})
		table := len(w.table)
		w.table = append(w.table, make([]uint32, width)...)
		for i := range 2 + w.r.IntN(width-1) {
			for k := i; k < width; k++ {
				w.table[table+k] = w.here()
			}
			w.block(in)
			w.control(tesla.OpBreak, tesla.Guard{})
		}
	})
}

// exchange passes hashes between the threads of a block through shared memory.
func (w *writer) exchange() {
	word := tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: 1, Value: firstShared}
	barrier := tesla.Instruction{Op: tesla.OpBar, Barrier: tesla.Barrier{ID: uint8(w.r.IntN(4)), Count: 0xfff, Inc: true, Wait: true}}
	w.toAddress(regThread)
	w.emit(tesla.Instruction{Op: tesla.OpStShared, Type: tesla.B32, Src: [3]tesla.Operand{word, reg(regHash)}})
	w.emit(barrier)
	w.mov(regOther, imm(1+w.r.Uint32N(maxBlock-1)))
	w.emit(logic(tesla.Xor, regScratch, reg(regThread), reg(regOther)))
	w.toAddress(regScratch)
	w.emit(tesla.Instruction{Op: tesla.OpLdShared, Type: tesla.B32, Dst: reg(regScratch), Src: [3]tesla.Operand{word}})
	w.emit(logic(tesla.Xor, regHash, reg(regHash), reg(regScratch)))
	w.emit(barrier)
}

// toAddress sets $a1 to four times a register.
func (w *writer) toAddress(from int) {
	w.emit(tesla.Instruction{Op: tesla.OpShlToAddr, Type: tesla.B32, Dst: tesla.Operand{Kind: tesla.AddrReg, Index: 1}, Src: [3]tesla.Operand{reg(from), imm(2)}})
}
