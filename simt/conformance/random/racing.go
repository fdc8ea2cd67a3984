package random

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

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
	w := &racer{r: rand.New(rand.NewPCG(seed, 7))}
	blocks := 1 + w.r.IntN(3)
	w.start()
	for range 12 {
		w.statement(3)
	}
	w.add(exit())
	k := &Kernel{Grid: [2]int{blocks, 1}, Block: [3]int{raceBlock, 1, 1}, Memory: make([]byte, blocks*raceBytes)}
	k.Name, k.Arch, k.Registers, k.Shared = fmt.Sprintf("racing%d", seed), tesla.SM13, raceRegisters, sharedBytes
	k.Params = binary.LittleEndian.AppendUint32(nil, Base)
	var err error
	k.Code, err = assemble(k.Arch, w.code)
	return k, err
}

// racer writes the code of a racing kernel.
type racer struct {
	r    *rand.Rand
	code []tesla.Instruction
}

// add appends an instruction in the long format and returns its index.
func (w *racer) add(in tesla.Instruction) int {
	in.Size = 8
	w.code = append(w.code, in)
	return len(w.code) - 1
}

// aim has control instructions lead to where the code ends now. Every instruction takes 8 bytes.
func (w *racer) aim(at ...int) {
	for _, i := range at {
		w.code[i].Target = uint32(8 * len(w.code))
	}
}

func (w *racer) data() tesla.Operand { return reg(raceData + w.r.IntN(raceRegisters-raceData)) }

func (w *racer) sum(a tesla.Arith, d, x, y tesla.Operand) {
	in := instruction(tesla.OpIAdd, tesla.B32, d, x, y)
	in.Arith = a
	w.add(in)
}

func (w *racer) and(d, x, y tesla.Operand) {
	in := instruction(tesla.OpLogic, tesla.B32, d, x, y)
	in.Logic = tesla.And
	w.add(in)
}

// start gives every block words of its own, because blocks may not race, and threads data whose bits
// from 5 up are the same in all lanes of a warp.
func (w *racer) start() {
	w.add(instruction(tesla.OpMov, tesla.B32, reg(raceBuffer), shared(0, parameter)))
	w.add(instruction(tesla.OpMov, tesla.B32, reg(raceData), shared(0, blockIndex)))
	w.add(instruction(tesla.OpShl, tesla.B32, reg(raceData), reg(raceData), imm(5)))
	w.sum(tesla.Add, reg(raceBuffer), reg(raceBuffer), reg(raceData))
	for d := raceData; d < raceRegisters; d++ {
		w.sum(tesla.Add, reg(d), reg(raceThread), imm(32*w.r.Uint32N(4)))
	}
}

// offset puts the offset of one of eight words into raceOffset, picked by data.
func (w *racer) offset() {
	w.and(reg(raceOffset), w.data(), imm(7))
	w.add(instruction(tesla.OpShl, tesla.B32, reg(raceOffset), reg(raceOffset), imm(2)))
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
		w.add(instruction(tesla.OpMovFromSpecial, tesla.B32, w.data(), tesla.Operand{Kind: tesla.Special, Index: 1}))
	case n == 12:
		w.vote()
	default:
		w.add(tesla.Instruction{Op: tesla.OpBar, Barrier: tesla.Barrier{Count: 0xfff, Inc: true, Wait: true}})
	}
}

func (w *racer) accessShared() {
	w.offset()
	w.add(instruction(tesla.OpShlToAddr, tesla.B32, addr(1), reg(raceOffset), imm(0)))
	if w.r.IntN(3) == 0 {
		w.add(instruction(tesla.OpStShared, tesla.B32, tesla.Operand{}, shared(1, raceShared), w.data()))
	} else {
		w.add(instruction(tesla.OpLdShared, tesla.B32, w.data(), shared(1, raceShared)))
	}
}

func (w *racer) accessGlobal() {
	w.offset()
	w.sum(tesla.Add, reg(raceAddress), reg(raceBuffer), reg(raceOffset))
	switch w.r.IntN(3) {
	case 0:
		w.add(instruction(tesla.OpStGlobal, tesla.B32, tesla.Operand{}, global(raceAddress), w.data()))
	case 1:
		w.add(instruction(tesla.OpLdGlobal, tesla.B32, w.data(), global(raceAddress)))
	default:
		w.add(instruction(tesla.OpAtom, tesla.U32, w.data(), global(raceAddress), w.data())) // AtomAdd
	}
}

// test sets $c0 to whether data has a bit.
func (w *racer) test() {
	w.and(reg(raceOffset), w.data(), imm(1<<(2+w.r.IntN(6))))
	in := instruction(tesla.OpISet, tesla.U32, tesla.Operand{Kind: tesla.Discard}, reg(raceOffset), reg(noRegister))
	in.Cmp, in.CDst = tesla.Greater, tesla.C0
	w.add(in)
}

// vote asks whether the bit is set in some or all active lanes, and keeps the answer.
func (w *racer) vote() {
	w.test()
	w.add(tesla.Instruction{
		Op: tesla.OpVote, Vote: []tesla.VoteOp{tesla.VoteAny, tesla.VoteAll}[w.r.IntN(2)],
		Guard: tesla.Guard{Cond: tesla.CondLG}, CDst: tesla.C1,
	})
	w.add(instruction(tesla.OpMovFromCond, tesla.B32, reg(raceOffset), tesla.Operand{Kind: tesla.CondReg, Index: 1}))
	w.sum(tesla.Add, w.data(), w.data(), reg(raceOffset))
}

// branch writes an if with an else.
func (w *racer) branch(depth int) {
	w.test()
	announced := w.add(tesla.Instruction{Op: tesla.OpJoinAt})
	other := w.add(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
	for range 1 + w.r.IntN(3) {
		w.statement(depth - 1)
	}
	end := w.add(tesla.Instruction{Op: tesla.OpBra})
	w.aim(other)
	for range w.r.IntN(3) {
		w.statement(depth - 1)
	}
	w.aim(announced, end)
	w.add(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerJoin})
}
