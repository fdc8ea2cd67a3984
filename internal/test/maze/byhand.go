package maze

import (
	"math/rand/v2"

	"jacquard/asm"
	"jacquard/tesla"
)

// The kernels of this file are written by hand, each to show one property. Kernels of four threads
// show it in few steps: threads 2 and 3 take the branch.

// upper is the bit of a thread's number that decides branches of these kernels.
const upper = 2

// byHand returns the kernel that write writes, for one block.
func byHand(name string, threads int, write func(w *writer)) *Maze {
	w := newWriter(rand.New(rand.NewPCG(0, 0)))
	write(w)
	return &Maze{Name: name, Code: w.instructions(), Table: w.table, Grid: 1, Block: threads}
}

// when sets $c0 by a bit of the thread's number, and returns the guard of threads that have it.
func (w *writer) when(bit uint32) tesla.Guard {
	w.Add(asm.Mov(regOther, asm.Imm(bit)))
	w.flags(logic(tesla.And, regScratch, regThread, regOther))
	return tesla.Guard{Cond: different}
}

// count adds one to the hash, n times: instructions that stand for others.
func (w *writer) count(n int) {
	for range n {
		w.add(regHash, regHash, asm.Imm(1))
	}
}

// goTo appends an unconditional branch.
func (w *writer) goTo(to asm.Label) { w.jump(tesla.OpBra, tesla.Guard{}, to) }

// IfElse is an if with an else, between joinat and join if it is announced.
func IfElse(announced bool) *Maze {
	return byHand("ifelse", 4, func(w *writer) {
		g := w.when(upper)
		end, other := w.Label(), w.Label()
		if announced {
			w.jump(tesla.OpJoinAt, tesla.Guard{}, end)
		}
		w.jump(tesla.OpBra, g, other)
		w.count(1)
		w.goTo(end)
		w.Place(other)
		w.count(1)
		w.Place(end)
		if announced {
			w.meet()
		}
		w.Exit()
	})
}

// Sides is an if with an else, not announced. The branch leads back if before is set, and lower
// says whether the lower or the upper threads take it. taken and fallen are the addresses where
// the sides begin.
func Sides(before, lower bool) (m *Maze, taken, fallen uint32) {
	m = byHand("sides", 4, func(w *writer) {
		toTaken, end := w.Label(), w.Label()
		side := func() uint32 {
			at := w.Here()
			w.count(1)
			return at
		}
		branch := func() {
			g := w.when(upper)
			if lower {
				g.Cond = equal
			}
			w.jump(tesla.OpBra, g, toTaken)
		}
		if before {
			start := w.ahead(tesla.OpBra, tesla.Guard{})
			w.Place(toTaken)
			taken = side()
			w.goTo(end)
			w.Place(start)
			branch()
			fallen = side()
		} else {
			branch()
			fallen = side()
			w.goTo(end)
			w.Place(toTaken)
			taken = side()
		}
		w.Place(end)
		w.Exit()
	})
	return m, taken, fallen
}

// Rounds is a loop that threads leave after one, two, three and four rounds, by breaks out of an
// announced region.
func Rounds() *Maze {
	return byHand("rounds", 4, func(w *writer) {
		w.add(regFuel, regThread, asm.Imm(1))
		end := w.ahead(tesla.OpBreakAddr, tesla.Guard{})
		head := w.PlaceHere()
		w.control(tesla.OpBreak, w.step(regFuel))
		w.goTo(head)
		w.Place(end)
		w.Exit()
	})
}

// CallInIf is listing 1 of "Stack-less SIMT reconvergence at low cost": a call in an if, of
// a function after its call site. Eight instructions follow the if.
func CallInIf() *Maze {
	return byHand("callinif", 4, func(w *writer) {
		g := w.when(upper)
		end := w.ahead(tesla.OpJoinAt, tesla.Guard{})
		w.jump(tesla.OpBra, g, end)
		function := w.ahead(tesla.OpCall, tesla.Guard{})
		w.meet(end)
		w.count(8)
		w.Exit()
		w.Place(function)
		w.count(1)
		w.control(tesla.OpRet, tesla.Guard{})
	})
}

// ReturnInIf has an if within an if, eight instructions after each, and lanes that end in the
// inner if: by a return if returns is set, else by a break to the kernel's end, where they wait for
// the others. "Étude comparée et simulation d'algorithmes de branchements pour le GPGPU",
// section 6, explains the figures of inverseCND by such a return.
func ReturnInIf(returns bool) *Maze {
	return byHand("returninif", 32, func(w *writer) {
		leave, end := tesla.OpRet, w.Label()
		if !returns {
			leave = tesla.OpBreak
			w.jump(tesla.OpBreakAddr, tesla.Guard{}, end)
		}
		g := w.when(1)
		outer := w.ahead(tesla.OpJoinAt, tesla.Guard{})
		w.jump(tesla.OpBra, g, outer)
		g = w.when(upper)
		inner := w.ahead(tesla.OpJoinAt, tesla.Guard{})
		w.jump(tesla.OpBra, g, inner)
		w.control(leave, tesla.Guard{})
		w.meet(inner)
		w.count(8)
		w.meet(outer)
		w.count(8)
		if !returns {
			w.control(leave, tesla.Guard{})
			w.Place(end)
		}
		w.Exit()
	})
}

// RowScan is a row of four threads. The first goes through the row in a loop. The others branch to
// the join after it.
func RowScan() *Maze {
	return byHand("rowscan", 4, func(w *writer) {
		others := w.when(3)
		end := w.ahead(tesla.OpJoinAt, tesla.Guard{})
		w.jump(tesla.OpBra, others, end)
		w.Add(asm.Mov(regFuel, asm.Imm(4)))
		head := w.PlaceHere()
		w.count(1)
		more := w.step(regFuel)
		more.Cond = greater
		w.jump(tesla.OpBra, more, head)
		w.meet(end)
		w.Exit()
	})
}

// Depths is a subroutine that calls itself, as often as the bits of the thread's number say.
func Depths() *Maze {
	return byHand("depths", 32, func(w *writer) {
		w.Add(asm.Mov(regOther, asm.Imm(7)))
		w.Add(logic(tesla.And, regFuel, regThread, regOther))
		function := w.ahead(tesla.OpCall, tesla.Guard{})
		w.Exit()
		w.Place(function)
		w.control(tesla.OpRet, w.step(regFuel))
		w.jump(tesla.OpCall, tesla.Guard{}, function)
		w.count(3)
		w.control(tesla.OpRet, tesla.Guard{})
	})
}

// Indirect is a branch whose target each thread reads from a table.
func Indirect() *Maze {
	return byHand("indirect", 32, func(w *writer) {
		w.entry()
		w.cases(scope{})
		w.store()
		w.Exit()
	})
}

// Crossing is code that is not nested ifs and loops: a loop with two entries.
func Crossing() *Maze {
	return byHand("crossing", 32, func(w *writer) {
		w.Add(asm.Mov(regFuel, asm.Imm(3)))
		second := w.ahead(tesla.OpBra, w.when(upper))
		first := w.PlaceHere()
		w.count(1)
		w.Place(second)
		w.control(tesla.OpRet, w.step(regFuel))
		w.goTo(first)
	})
}

// Lock is a way to write a SpinLock.
type Lock uint8

// The ways to write a lock.
const (
	LockBranch Lock = iota // a backward branch while the lock is taken, then the critical section
	LockBreak              // the same with a break out of the loop
	LockInside             // the critical section in the loop, as written for the hardware
)

// SpinLock is the lock of lectures on SIMT: `while (atomicCAS(mutex, 0, 1));`, a critical
// section, and `atomicExch(mutex, 0)`. Threads of one warp can have it only one by one. The lock is
// the first word at the kernel's parameter; the next word counts the threads that had it.
func SpinLock(how Lock, threads int) *Maze {
	return byHand("spinlock", threads, func(w *writer) {
		const zero, one, got, counter = regCounter, regHash, regScratch, regOther
		atom := func(op tesla.AtomOp, sources ...tesla.Operand) {
			in := tesla.Instruction{Op: tesla.OpAtom, Type: tesla.B32, Atom: op, Dst: asm.Reg(got)}
			copy(in.Src[:], append([]tesla.Operand{asm.Memory(regSlot)}, sources...))
			w.Add(in)
		}
		critical := func() {
			count := asm.Memory(regFuel)
			w.add(regFuel, regSlot, asm.Imm(4))
			w.Add(tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32, Dst: asm.Reg(counter),
				Src: [3]tesla.Operand{count}})
			w.add(counter, counter, asm.Imm(1))
			w.Add(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32,
				Src: [3]tesla.Operand{count, asm.Reg(counter)}})
			atom(tesla.AtomExch, asm.Reg(zero))
		}
		w.Add(asm.Mov(regSlot, asm.Param(0)))
		w.Add(asm.Mov(one, asm.Imm(1)))
		announce := tesla.OpBreakAddr
		if how == LockBranch {
			announce = tesla.OpJoinAt
		}
		end := w.ahead(announce, tesla.Guard{})
		head := w.PlaceHere()
		atom(tesla.AtomCas, asm.Reg(zero), asm.Reg(one))
		w.flags(logic(tesla.Or, got, got, got))
		taken, free := tesla.Guard{Cond: different}, tesla.Guard{Cond: equal}
		switch how {
		case LockBranch:
			w.jump(tesla.OpBra, taken, head)
			w.meet(end)
			critical()
		case LockBreak:
			w.control(tesla.OpBreak, free)
			w.goTo(head)
			w.Place(end)
			critical()
		case LockInside:
			join := w.ahead(tesla.OpJoinAt, tesla.Guard{})
			w.jump(tesla.OpBra, taken, join)
			critical()
			w.control(tesla.OpBreak, tesla.Guard{})
			w.meet(join)
			w.goTo(head)
			w.Place(end)
		}
		w.Exit()
	})
}

// Barriers lets the two halves of a warp wait at different barriers, in code that never
// brings them together.
func Barriers() *Maze {
	return byHand("barriers", 32, func(w *writer) {
		wait := func(id uint8) {
			in := asm.Barrier()
			in.Barrier.ID = id
			w.Add(in)
			w.Exit()
		}
		other := w.ahead(tesla.OpBra, w.when(0x10))
		wait(0)
		w.Place(other)
		wait(1)
	})
}
