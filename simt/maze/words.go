package maze

import (
	"math/rand/v2"

	"jacquard/tesla"
)

// The registers of a maze.
const (
	regThread  = 0 // thread in the block, as the hardware gives it
	regScratch = 1
	regOther   = 2 // scratch too
	regSlot    = 3 // address of the thread's slot
	regHash    = 4 // of all the thread came through
	regFuel    = 5 // rounds of loops and calls it still may make
	regStored  = 6 // hashes stored
	regCounter = 7 // first of the counters of loops that are the same for all threads
	registers  = regCounter + maxCounters
)

const (
	maxCounters = 2 // loops within loops that are the same for all threads
	leastFuel   = 6
)

// The conditions on $c0 that mazes use.
const (
	never     = tesla.CondNever
	equal     = tesla.CondE
	lessEqual = tesla.CondLE
	greater   = tesla.CondG
	different = tesla.CondLG
	always    = tesla.CondAlways
)

// writer writes the code of a maze.
type writer struct {
	r     *rand.Rand
	code  []tesla.Instruction
	table []uint32
	left  int // statements still to write

	burns    []bool // by subroutine: it returns at once to a thread without fuel
	calls    []int  // instructions whose target is still the number of a subroutine
	counters int    // loops around here that are the same for all threads
}

// here returns the address of the next instruction.
func (w *writer) here() uint32 { return uint32(len(w.code) * size) }

// emit appends an instruction, and returns its index.
func (w *writer) emit(in tesla.Instruction) int {
	in.Size = size
	w.code = append(w.code, in)
	return len(w.code) - 1
}

// emitFlags appends an instruction that sets $c0.
func (w *writer) emitFlags(in tesla.Instruction) int {
	in.CDst = tesla.C0
	return w.emit(in)
}

func reg(n int) tesla.Operand    { return tesla.Operand{Kind: tesla.Reg, Index: uint8(n)} }
func imm(v uint32) tesla.Operand { return tesla.Operand{Kind: tesla.Imm, Value: v} }

func (w *writer) mov(d int, from tesla.Operand) {
	w.emit(tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(d), Src: [3]tesla.Operand{from}})
}

func add(d int, a, b tesla.Operand) tesla.Instruction {
	return tesla.Instruction{Op: tesla.OpIAdd, Type: tesla.B32, Dst: reg(d), Src: [3]tesla.Operand{a, b}}
}

func logic(l tesla.Logic, d int, a, b tesla.Operand) tesla.Instruction {
	return tesla.Instruction{Op: tesla.OpLogic, Type: tesla.B32, Logic: l, Dst: reg(d), Src: [3]tesla.Operand{a, b}}
}

func shift(op tesla.Op, d, a int, by uint32) tesla.Instruction {
	t := tesla.B32
	if op == tesla.OpShr {
		t = tesla.U32
	}
	return tesla.Instruction{Op: op, Type: t, Dst: reg(d), Src: [3]tesla.Operand{reg(a), imm(by)}}
}

// entry gives every thread its slot, its hash and its fuel.
func (w *writer) entry() {
	const ctaid = 0xc
	w.mov(regSlot, tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: parameter})
	w.mov(regScratch, tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: ctaid})
	w.emit(shift(tesla.OpShl, regScratch, regScratch, 7)) // maxBlock
	w.emit(add(regHash, reg(regScratch), reg(regThread)))
	w.emit(shift(tesla.OpShl, regScratch, regHash, 7)) // slotBytes
	w.emit(add(regSlot, reg(regSlot), reg(regScratch)))
	w.stamp()
	w.mov(regOther, imm(7))
	w.emit(logic(tesla.And, regScratch, reg(regHash), reg(regOther)))
	w.emit(add(regFuel, reg(regScratch), imm(leastFuel)))
}

// stamp mixes into the hash that the thread came by here.
func (w *writer) stamp() {
	w.emit(add(regHash, reg(regHash), imm(w.r.Uint32())))
	w.emit(shift(tesla.OpShl, regScratch, regHash, 7))
	w.emit(logic(tesla.Xor, regHash, reg(regHash), reg(regScratch)))
	w.emit(shift(tesla.OpShr, regScratch, regHash, 9))
	w.emit(logic(tesla.Xor, regHash, reg(regHash), reg(regScratch)))
}

// store puts the hash into the thread's slot, behind the one before.
func (w *writer) store() {
	w.mov(regOther, imm(slotBytes/4-1))
	w.emit(logic(tesla.And, regScratch, reg(regStored), reg(regOther)))
	w.emit(shift(tesla.OpShl, regScratch, regScratch, 2))
	w.emit(add(regScratch, reg(regScratch), reg(regSlot)))
	w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32,
		Src: [3]tesla.Operand{{Kind: tesla.Global, Index: 14, Value: regScratch}, reg(regHash)}})
	w.emit(add(regStored, reg(regStored), imm(1)))
}

// test sets $c0 to some bits of the hash, or of the thread's number, and returns a guard
// that few or many lanes pass.
func (w *writer) test() tesla.Guard {
	of, mask := regHash, []uint32{1, 3, 7, 0x30}[w.r.IntN(4)]
	if w.r.IntN(4) == 0 {
		of, mask = regThread, []uint32{1, 2, 0x10, 0x1f, 0x20}[w.r.IntN(5)]
	}
	w.mov(regOther, imm(mask))
	w.emitFlags(logic(tesla.And, regScratch, reg(of), reg(regOther)))
	return tesla.Guard{Cond: []tesla.Cond{equal, different}[w.r.IntN(2)]}
}

// burn takes one of the thread's fuel, and returns a guard for having none left.
func (w *writer) burn() tesla.Guard { return w.step(regFuel) }

// step takes one from a register, and returns a guard for having none left.
func (w *writer) step(counter int) tesla.Guard {
	w.mov(regOther, imm(^uint32(0)))
	w.emitFlags(add(counter, reg(counter), reg(regOther)))
	return tesla.Guard{Cond: lessEqual}
}

// control appends a control instruction and returns its index, for aim.
func (w *writer) control(op tesla.Op, g tesla.Guard) int {
	return w.emit(tesla.Instruction{Op: op, Guard: g})
}

// jump appends a control instruction that leads to target.
func (w *writer) jump(op tesla.Op, g tesla.Guard, target uint32) {
	w.code[w.control(op, g)].Target = target
}

// aim lets the instructions lead to the next one written.
func (w *writer) aim(at ...int) {
	for _, i := range at {
		w.code[i].Target = w.here()
	}
}

// mark appends a nop with a marker.
func (w *writer) mark(m tesla.Marker) { w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: m}) }
