package maze

import (
	"math/rand/v2"

	"jacquard/tesla"
)

// Specimens are kernels written by hand, each to show one thing. Those of four threads show
// it in few steps: threads 2 and 3 are the ones that branch.

// parting is the bit of a thread's number that decides branches of specimens.
const parting = 2

// specimen returns the kernel that write writes, for one block.
func specimen(name string, threads int, write func(w *writer)) *Maze {
	w := &writer{r: rand.New(rand.NewPCG(0, 0))}
	write(w)
	return &Maze{Name: name, Code: w.code, Table: w.table, Grid: 1, Block: threads}
}

// when sets $c0 by a bit of the thread's number, and returns the guard of threads that have
// it.
func (w *writer) when(bit uint32) tesla.Guard {
	w.mov(regOther, imm(bit))
	w.emitFlags(logic(tesla.And, regScratch, reg(regThread), reg(regOther)))
	return tesla.Guard{Cond: different}
}

// count adds one to the hash: an instruction to stand for others.
func (w *writer) count() { w.emit(add(regHash, reg(regHash), imm(1))) }

// IfElse is an if with an else, between joinat and join if it is announced.
func IfElse(announced bool) *Maze {
	return specimen("ifelse", 4, func(w *writer) {
		g := w.when(parting)
		var ends []int
		if announced {
			ends = append(ends, w.control(tesla.OpJoinAt, tesla.Guard{}))
		}
		toElse := w.control(tesla.OpBra, g)
		w.count()
		ends = append(ends, w.control(tesla.OpBra, tesla.Guard{}))
		w.aim(toElse)
		w.count()
		w.aim(ends...)
		if announced {
			w.mark(tesla.MarkerJoin)
		}
		w.mark(tesla.MarkerExit)
	})
}

// Sides is an if with an else, not announced. The side that is branched to is before or behind the
// branch, and the threads that branch are the upper or the lower ones. It returns the address where each
// side begins.
func Sides(before, lower bool) (m *Maze, taken, fallen uint32) {
	m = specimen("sides", 4, func(w *writer) {
		branch := func() int {
			g := w.when(parting)
			if lower {
				g.Cond = equal
			}
			return w.control(tesla.OpBra, g)
		}
		if !before {
			toTaken := branch()
			fallen = w.here()
			w.count()
			toEnd := w.control(tesla.OpBra, tesla.Guard{})
			w.aim(toTaken)
			taken = w.here()
			w.count()
			w.aim(toEnd)
			w.mark(tesla.MarkerExit)
			return
		}
		toStart := w.control(tesla.OpBra, tesla.Guard{})
		taken = w.here()
		w.count()
		toEnd := w.control(tesla.OpBra, tesla.Guard{})
		w.aim(toStart)
		w.code[branch()].Target = taken
		fallen = w.here()
		w.count()
		w.aim(toEnd)
		w.mark(tesla.MarkerExit)
	})
	return m, taken, fallen
}

// Rounds is a loop that threads leave after one, two, three and four rounds, by breaks out of an announced
// region.
func Rounds() *Maze {
	return specimen("rounds", 4, func(w *writer) {
		w.emit(add(regFuel, reg(regThread), imm(1)))
		end := w.control(tesla.OpBreakAddr, tesla.Guard{})
		head := w.here()
		w.control(tesla.OpBreak, w.step(regFuel))
		w.jump(tesla.OpBra, tesla.Guard{}, head)
		w.aim(end)
		w.mark(tesla.MarkerExit)
	})
}

// CallInIf is listing 1 of "Stack-less SIMT reconvergence at low cost": a call in an if, of
// a function that is behind its call site. Eight instructions follow the if.
func CallInIf() *Maze {
	return specimen("callinif", 4, func(w *writer) {
		g := w.when(parting)
		joinAt := w.control(tesla.OpJoinAt, tesla.Guard{})
		over := w.control(tesla.OpBra, g)
		call := w.control(tesla.OpCall, tesla.Guard{})
		w.aim(joinAt, over)
		w.mark(tesla.MarkerJoin)
		for range 8 {
			w.count()
		}
		w.mark(tesla.MarkerExit)
		w.aim(call)
		w.count()
		w.control(tesla.OpRet, tesla.Guard{})
	})
}

// ReturnInIf has an if within an if, eight instructions behind each, and lanes that end in the inner one:
// by a return if returns is set, else by a branch to the kernel's end, where they wait for the others.
// "Étude comparée et simulation d'algorithmes de branchements pour le GPGPU", section 6,
// explains the figures of inverseCND by such a return.
func ReturnInIf(returns bool) *Maze {
	return specimen("returninif", 32, func(w *writer) {
		var end []int
		if !returns {
			end = append(end, w.control(tesla.OpBreakAddr, tesla.Guard{}))
		}
		outer := w.when(1)
		joins := []int{w.control(tesla.OpJoinAt, tesla.Guard{}), w.control(tesla.OpBra, outer)}
		inner := w.when(parting)
		inside := []int{w.control(tesla.OpJoinAt, tesla.Guard{}), w.control(tesla.OpBra, inner)}
		if returns {
			w.control(tesla.OpRet, tesla.Guard{})
		} else {
			w.control(tesla.OpBreak, tesla.Guard{})
		}
		w.aim(inside...)
		w.mark(tesla.MarkerJoin)
		for range 8 {
			w.count()
		}
		w.aim(joins...)
		w.mark(tesla.MarkerJoin)
		for range 8 {
			w.count()
		}
		if !returns {
			w.control(tesla.OpBreak, tesla.Guard{})
			w.aim(end...)
		}
		w.mark(tesla.MarkerExit)
	})
}

// Depths is a subroutine that calls itself, as often as the bits of the thread's number say.
func Depths() *Maze {
	return specimen("depths", 32, func(w *writer) {
		w.mov(regOther, imm(7))
		w.emit(logic(tesla.And, regFuel, reg(regThread), reg(regOther)))
		call := w.control(tesla.OpCall, tesla.Guard{})
		w.mark(tesla.MarkerExit)
		w.aim(call)
		start := w.here()
		w.control(tesla.OpRet, w.step(regFuel))
		w.jump(tesla.OpCall, tesla.Guard{}, start)
		w.count()
		w.count()
		w.count()
		w.control(tesla.OpRet, tesla.Guard{})
	})
}

// Indirect is a branch whose target each thread reads from a table.
func Indirect() *Maze {
	return specimen("indirect", 32, func(w *writer) {
		w.entry()
		w.cases(scope{})
		w.store()
		w.mark(tesla.MarkerExit)
	})
}

// Crossing is code that is not nested ifs and loops: a loop with two entries.
func Crossing() *Maze {
	return specimen("crossing", 32, func(w *writer) {
		w.mov(regFuel, imm(3))
		toSecond := w.control(tesla.OpBra, w.when(parting))
		first := w.here()
		w.count()
		w.aim(toSecond)
		w.control(tesla.OpRet, w.step(regFuel))
		w.jump(tesla.OpBra, tesla.Guard{}, first)
	})
}

// The words that threads of a lock meet at, from the kernel's parameter on.
const (
	lockWord  = 0
	lockCount = 4 // how many threads had the lock
)

// Lock is how a SpinLock is written.
type Lock uint8

// The ways to write a lock.
const (
	LockBranch Lock = iota // a backward branch while the lock is taken, the critical section behind the loop
	LockBreak              // the same with a break out of the loop
	LockInside             // the critical section inside the loop, as programmers write it who know the hardware
)

// SpinLock is the lock of lectures on SIMT: `while (atomicCAS(mutex, 0, 1));`, a critical
// section, and `atomicExch(mutex, 0)`. Threads of one warp can have it only one by one.
func SpinLock(how Lock, threads int) *Maze {
	return specimen("spinlock", threads, func(w *writer) {
		const zero, one, got, counter = regCounter, regHash, regScratch, regOther
		word := tesla.Operand{Kind: tesla.Global, Index: 14, Value: regSlot}
		critical := func() {
			w.emit(add(regFuel, reg(regSlot), imm(lockCount)))
			count := tesla.Operand{Kind: tesla.Global, Index: 14, Value: regFuel}
			w.emit(tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32, Dst: reg(counter), Src: [3]tesla.Operand{count}})
			w.emit(add(counter, reg(counter), imm(1)))
			w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{count, reg(counter)}})
			w.emit(tesla.Instruction{Op: tesla.OpAtom, Type: tesla.B32, Atom: tesla.AtomExch, Dst: reg(got), Src: [3]tesla.Operand{word, reg(zero)}})
		}
		w.mov(regSlot, tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: parameter})
		w.mov(one, imm(1))
		var announced int
		switch how {
		case LockBranch:
			announced = w.control(tesla.OpJoinAt, tesla.Guard{})
		default:
			announced = w.control(tesla.OpBreakAddr, tesla.Guard{})
		}
		head := w.here()
		w.emit(tesla.Instruction{Op: tesla.OpAtom, Type: tesla.B32, Atom: tesla.AtomCas, Dst: reg(got), Src: [3]tesla.Operand{word, reg(zero), reg(one)}})
		w.emitFlags(logic(tesla.Or, got, reg(got), reg(got)))
		taken, free := tesla.Guard{Cond: different}, tesla.Guard{Cond: equal}
		switch how {
		case LockBranch:
			w.jump(tesla.OpBra, taken, head)
			w.aim(announced)
			w.mark(tesla.MarkerJoin)
			critical()
		case LockBreak:
			w.control(tesla.OpBreak, free)
			w.jump(tesla.OpBra, tesla.Guard{}, head)
			w.aim(announced)
			critical()
		case LockInside:
			joins := []int{w.control(tesla.OpJoinAt, tesla.Guard{}), w.control(tesla.OpBra, taken)}
			critical()
			w.control(tesla.OpBreak, tesla.Guard{})
			w.aim(joins...)
			w.mark(tesla.MarkerJoin)
			w.jump(tesla.OpBra, tesla.Guard{}, head)
			w.aim(announced)
		}
		w.mark(tesla.MarkerExit)
	})
}

// Barriers lets the two halves of a warp wait at different barriers, in code that never
// brings them together.
func Barriers() *Maze {
	return specimen("barriers", 32, func(w *writer) {
		bar := func(id uint8) {
			w.emit(tesla.Instruction{Op: tesla.OpBar, Barrier: tesla.Barrier{ID: id, Count: 0xfff, Inc: true, Wait: true}})
		}
		toElse := w.control(tesla.OpBra, w.when(0x10))
		bar(0)
		w.mark(tesla.MarkerExit)
		w.aim(toElse)
		bar(1)
		w.mark(tesla.MarkerExit)
	})
}
