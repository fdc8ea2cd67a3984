package maze

import (
	"fmt"
	"math/rand/v2"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/tesla"
)

// The registers of a maze.
const (
	regThread  = 0 // thread in the block, as the hardware gives it
	regScratch = 1
	regOther   = 2 // scratch too
	regSlot    = 3 // address of the thread's slot
	regHash    = 4 // hash of the thread's instructions
	regFuel    = 5 // rounds of loops and calls left to the thread
	regStored  = 6 // hashes stored
	regCounter = 7 // first of the counters of loops with equal rounds in all threads
	registers  = regCounter + maxCounters
)

const (
	maxCounters = 2 // nested loops with equal rounds in all threads
	leastFuel   = 6
)

// The conditions on $c0 that mazes use.
const (
	equal     = tesla.CondE
	lessEqual = tesla.CondLE
	greater   = tesla.CondG
	different = tesla.CondLG
)

// writer writes the code of a maze.
type writer struct {
	asm.Builder
	r     *rand.Rand
	table []uint32
	left  int // statements still to write

	functions []asm.Label // of subroutines
	burns     []bool      // by subroutine: a thread without fuel returns at once
	counters  int         // loops around the code being written with equal rounds in all threads
}

func newWriter(r *rand.Rand) *writer { return &writer{Builder: asm.Builder{Arch: arch}, r: r} }

// instructions returns the code written so far.
func (w *writer) instructions() []tesla.Instruction {
	words, err := w.Code()
	if err != nil {
		panic(fmt.Sprintf("maze: %v", err))
	}
	return decoder.Kernel(arch, words)
}

// flags appends an instruction that also sets $c0.
func (w *writer) flags(in tesla.Instruction) {
	in.CDst = tesla.C0
	w.Add(in)
}

// add appends d = a + b.
func (w *writer) add(d, a uint8, b tesla.Operand) { w.Add(asm.Do(tesla.OpIAdd, d, a, b)) }

func logic(l tesla.Logic, d, a, b uint8) tesla.Instruction {
	in := asm.Do(tesla.OpLogic, d, a, asm.Reg(b))
	in.Logic = l
	return in
}

// shl appends d = a << by.
func (w *writer) shl(d, a uint8, by uint32) { w.Add(asm.With(tesla.OpShl, d, a, by)) }

// entry gives every thread its slot, its hash and its fuel.
func (w *writer) entry() {
	const ctaid = 0xc
	w.Add(asm.Mov(regSlot, asm.Param(0)))
	w.Add(asm.Mov(regScratch, tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: ctaid}))
	w.shl(regScratch, regScratch, 7) // maxBlock
	w.add(regHash, regScratch, asm.Reg(regThread))
	w.shl(regScratch, regHash, 7) // slotBytes
	w.add(regSlot, regSlot, asm.Reg(regScratch))
	w.stamp()
	w.Add(asm.Mov(regOther, asm.Imm(7)))
	w.Add(logic(tesla.And, regScratch, regHash, regOther))
	w.add(regFuel, regScratch, asm.Imm(leastFuel))
}

// stamp mixes into the hash that the thread came by here.
func (w *writer) stamp() {
	w.add(regHash, regHash, asm.Imm(w.r.Uint32()))
	w.shl(regScratch, regHash, 7)
	w.Add(logic(tesla.Xor, regHash, regHash, regScratch))
	shr := asm.With(tesla.OpShr, regScratch, regHash, 9)
	shr.Type = tesla.U32
	w.Add(shr)
	w.Add(logic(tesla.Xor, regHash, regHash, regScratch))
}

// store puts the hash into the thread's slot, after the hash before.
func (w *writer) store() {
	w.Add(asm.Mov(regOther, asm.Imm(slotBytes/4-1)))
	w.Add(logic(tesla.And, regScratch, regStored, regOther))
	w.shl(regScratch, regScratch, 2)
	w.add(regScratch, regScratch, asm.Reg(regSlot))
	w.Add(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32,
		Src: [3]tesla.Operand{asm.Memory(regScratch), asm.Reg(regHash)}})
	w.add(regStored, regStored, asm.Imm(1))
}

// test sets $c0 by bits of the hash or of the thread's number, and returns a guard that few or
// many lanes pass.
func (w *writer) test() tesla.Guard {
	of, mask := uint8(regHash), []uint32{1, 3, 7, 0x30}[w.r.IntN(4)]
	if w.r.IntN(4) == 0 {
		of, mask = regThread, []uint32{1, 2, 0x10, 0x1f, 0x20}[w.r.IntN(5)]
	}
	w.Add(asm.Mov(regOther, asm.Imm(mask)))
	w.flags(logic(tesla.And, regScratch, of, regOther))
	return tesla.Guard{Cond: []tesla.Cond{equal, different}[w.r.IntN(2)]}
}

// burn takes one of the thread's fuel, and returns a guard that holds if none is left.
func (w *writer) burn() tesla.Guard { return w.step(regFuel) }

// step takes one from a register, and returns a guard that holds if none is left.
func (w *writer) step(counter uint8) tesla.Guard {
	w.Add(asm.Mov(regOther, asm.Imm(^uint32(0))))
	w.flags(asm.Do(tesla.OpIAdd, counter, counter, asm.Reg(regOther)))
	return tesla.Guard{Cond: lessEqual}
}

// control appends a control instruction.
func (w *writer) control(op tesla.Op, g tesla.Guard) { w.Add(tesla.Instruction{Op: op, Guard: g}) }

// jump appends a control instruction that leads to a label.
func (w *writer) jump(op tesla.Op, g tesla.Guard, to asm.Label) {
	w.Jump(tesla.Instruction{Op: op, Guard: g}, to)
}

// ahead appends a control instruction that leads to a new label.
func (w *writer) ahead(op tesla.Op, g tesla.Guard) asm.Label {
	to := w.Label()
	w.jump(op, g, to)
	return to
}

// meet places labels at a nop with a join marker.
func (w *writer) meet(labels ...asm.Label) {
	w.Place(labels...)
	w.Add(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerJoin})
}
