package random

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/tesla"
)

// The registers of a racing kernel.
const (
	raceThread  = 0
	raceOffset  = 1 // of one of eight words
	raceAddress = 2 // of a word in global memory
	raceBuffer  = 3 // address of the words of the block
	raceData    = 4 // first of four registers with data

	raceRegisters = 8
	raceBytes     = 32   // of memory that the warps of a block fight over
	noRegister    = 9    // reads 0
	raceBlock     = 150  // threads
	raceShared    = 0x20 // where the eight words in s[] are
	blockIndex    = 0xc  // in s[]
	parameter     = 0x10 // in s[]
	sharedBytes   = 0x40
)

// Racing writes a kernel whose warps read and write the same few words of shared and global memory,
// with branches, barriers, votes and atomics between.
func Racing(seed uint64) (*Kernel, error) {
	w := &racer{asm.Builder{Arch: tesla.SM13}, rand.New(rand.NewPCG(seed, 7))}
	blocks := 1 + w.r.IntN(3)
	w.start()
	for range 12 {
		w.statement(3)
	}
	w.Exit()
	k := w.launch(fmt.Sprintf("racing%d", seed), blocks, raceBlock)
	words, err := w.Code()
	k.Code = decoder.Kernel(k.Arch, words)
	return k, err
}

// racer writes the code of a racing kernel.
type racer struct {
	asm.Builder
	r *rand.Rand
}

// launch returns a kernel without code, with its launch.
func (w *racer) launch(name string, blocks, threads int) *Kernel {
	k := &Kernel{Grid: [2]int{blocks, 1}, Block: [3]int{threads, 1, 1}, Memory: make([]byte, blocks*raceBytes)}
	k.Name, k.Arch, k.Registers, k.Shared = name, w.Arch, raceRegisters, sharedBytes
	k.Params = binary.LittleEndian.AppendUint32(nil, Base)
	return k
}

func (w *racer) data() tesla.Operand { return reg(raceData + w.r.IntN(raceRegisters-raceData)) }

func (w *racer) sum(a tesla.Arith, d, x, y tesla.Operand) {
	in := instruction(tesla.OpIAdd, tesla.B32, d, x, y)
	in.Arith = a
	w.Add(in)
}

func (w *racer) and(d, x, y tesla.Operand) {
	in := instruction(tesla.OpLogic, tesla.B32, d, x, y)
	in.Logic = tesla.And
	w.Add(in)
}

// start gives every block its own words, because blocks may not race. It gives threads data whose
// bits from 5 up are the same in all lanes of a warp.
func (w *racer) start() {
	w.Add(instruction(tesla.OpMov, tesla.B32, reg(raceBuffer), shared(0, parameter)))
	w.Add(instruction(tesla.OpMov, tesla.B32, reg(raceData), shared(0, blockIndex)))
	w.Add(instruction(tesla.OpShl, tesla.B32, reg(raceData), reg(raceData), imm(5)))
	w.sum(tesla.Add, reg(raceBuffer), reg(raceBuffer), reg(raceData))
	for d := raceData; d < raceRegisters; d++ {
		w.sum(tesla.Add, reg(d), reg(raceThread), imm(32*w.r.Uint32N(4)))
	}
}

// offset puts the offset of one of eight words into raceOffset, picked by data.
func (w *racer) offset() {
	w.and(reg(raceOffset), w.data(), imm(7))
	w.Add(instruction(tesla.OpShl, tesla.B32, reg(raceOffset), reg(raceOffset), imm(2)))
}

func (w *racer) statement(depth int) {
	switch n := w.r.IntN(14); {
	case n < 3:
		w.sum(tesla.Arith(w.r.IntN(3)), w.data(), w.data(), w.data())
	case n < 6:
		w.accessShared()
	case n < 9:
		w.accessGlobal()
	case n < 11 && depth > 0:
		w.branch(depth)
	case n == 11: // the time shows whether a barrier opened when it should
		w.Add(instruction(tesla.OpMovFromSpecial, tesla.B32, w.data(), tesla.Operand{Kind: tesla.Special, Index: 1}))
	case n == 12:
		w.vote()
	default:
		w.Add(asm.Barrier())
	}
}

func (w *racer) accessShared() {
	w.offset()
	w.Add(instruction(tesla.OpShlToAddr, tesla.B32, addr(1), reg(raceOffset), imm(0)))
	if w.r.IntN(3) == 0 {
		w.Add(instruction(tesla.OpStShared, tesla.B32, tesla.Operand{}, shared(1, raceShared), w.data()))
	} else {
		w.Add(instruction(tesla.OpLdShared, tesla.B32, w.data(), shared(1, raceShared)))
	}
}

func (w *racer) accessGlobal() {
	w.offset()
	w.sum(tesla.Add, reg(raceAddress), reg(raceBuffer), reg(raceOffset))
	switch w.r.IntN(3) {
	case 0:
		w.Add(instruction(tesla.OpStGlobal, tesla.B32, tesla.Operand{}, global(raceAddress), w.data()))
	case 1:
		w.Add(instruction(tesla.OpLdGlobal, tesla.B32, w.data(), global(raceAddress)))
	default:
		w.Add(instruction(tesla.OpAtom, tesla.U32, w.data(), global(raceAddress), w.data())) // AtomAdd
	}
}

// test sets $c0 to whether data has a bit.
func (w *racer) test() {
	w.and(reg(raceOffset), w.data(), imm(1<<(2+w.r.IntN(6))))
	in := instruction(tesla.OpISet, tesla.U32, tesla.Operand{Kind: tesla.Discard}, reg(raceOffset), reg(noRegister))
	in.Cmp, in.CDst = tesla.Greater, tesla.C0
	w.Add(in)
}

// vote asks whether the bit is set in some or all active lanes, and keeps the answer.
func (w *racer) vote() {
	w.test()
	w.Add(tesla.Instruction{
		Op: tesla.OpVote, Vote: []tesla.VoteOp{tesla.VoteAny, tesla.VoteAll}[w.r.IntN(2)],
		Guard: tesla.Guard{Cond: tesla.CondLG}, CDst: tesla.C1,
	})
	w.Add(instruction(tesla.OpMovFromCond, tesla.B32, reg(raceOffset), tesla.Operand{Kind: tesla.CondReg, Index: 1}))
	w.sum(tesla.Add, w.data(), w.data(), reg(raceOffset))
}

// branch writes an if with an else.
func (w *racer) branch(depth int) {
	w.test()
	other, end := w.Label(), w.Label()
	w.Jump(tesla.Instruction{Op: tesla.OpJoinAt}, end)
	w.Jump(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}}, other)
	for range 1 + w.r.IntN(3) {
		w.statement(depth - 1)
	}
	w.Jump(tesla.Instruction{Op: tesla.OpBra}, end)
	w.Place(other)
	for range w.r.IntN(3) {
		w.statement(depth - 1)
	}
	w.Place(end)
	w.Add(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerJoin})
}
