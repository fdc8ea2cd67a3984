package schedule

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt/count"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// kernelWriter makes random kernels full of races: warps of a block read and write the same few
// words of shared and global memory, so that any change of order shows.
type kernelWriter struct {
	t    testing.TB
	r    *rand.Rand
	code []uint32
}

// $r0 thread id, $r1 and $r2 addresses, $r3 global buffer, $r4 .. $r7 data.
const writerRegisters = 8

func (w *kernelWriter) emit(in tesla.Instruction) {
	w0, w1, err := decoder.Encode(tesla.SM13, in)
	require.NoError(w.t, err, "%+v", in)
	if w0&1 == 0 {
		w.code = append(w.code, w0, 0x10008000) // mov b32 $r0 $r0 keeps long instructions aligned
		return
	}
	w.code = append(w.code, w0, w1)
}

func reg(n int) tesla.Operand    { return tesla.Operand{Kind: tesla.Reg, Index: uint8(n)} }
func imm(v uint32) tesla.Operand { return tesla.Operand{Kind: tesla.Imm, Value: v} }

func (w *kernelWriter) data() int { return 4 + w.r.IntN(4) }

func (w *kernelWriter) arith(a tesla.Arith, d int, x, y tesla.Operand) {
	w.emit(tesla.Instruction{Op: tesla.OpIAdd, Type: tesla.B32, Arith: a, Dst: reg(d), Src: [3]tesla.Operand{x, y}})
}

func (w *kernelWriter) logic(l tesla.Logic, d int, x, y tesla.Operand) {
	w.emit(tesla.Instruction{Op: tesla.OpLogic, Type: tesla.B32, Logic: l, Dst: reg(d), Src: [3]tesla.Operand{x, y}})
}

// address puts into $r1 the byte offset of one of eight words picked by a data register.
func (w *kernelWriter) address() {
	w.logic(tesla.And, 1, reg(w.data()), imm(7))
	w.emit(tesla.Instruction{Op: tesla.OpShl, Type: tesla.B32, Dst: reg(1), Src: [3]tesla.Operand{reg(1), imm(2)}})
}

func (w *kernelWriter) step(depth int) {
	shared := tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: 1, Value: 0x20}
	global := tesla.Operand{Kind: tesla.Global, Index: program.WindowGlobal, Value: 2}
	switch n := w.r.IntN(13); {
	case n == 12: // the time shows whether a barrier opened in time
		w.emit(tesla.Instruction{Op: tesla.OpMovFromSpecial, Type: tesla.B32, Dst: reg(w.data()), Src: [3]tesla.Operand{{Kind: tesla.Special, Index: program.SpecialClock}}})
	case n < 3:
		w.arith(tesla.Arith(w.r.IntN(3)), w.data(), reg(w.data()), reg(w.data()))
	case n < 6: // shared memory
		w.address()
		w.emit(asm.ToAddr(1, 1, 0))
		if n == 3 {
			w.emit(tesla.Instruction{Op: tesla.OpStShared, Type: tesla.B32, Src: [3]tesla.Operand{shared, reg(w.data())}})
		} else {
			w.emit(tesla.Instruction{Op: tesla.OpLdShared, Type: tesla.B32, Dst: reg(w.data()), Src: [3]tesla.Operand{shared}})
		}
	case n < 9: // global memory
		w.address()
		w.arith(tesla.Add, 2, reg(3), reg(1))
		switch n {
		case 6:
			w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{global, reg(w.data())}})
		case 7:
			w.emit(tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32, Dst: reg(w.data()), Src: [3]tesla.Operand{global}})
		default:
			w.emit(tesla.Instruction{Op: tesla.OpAtom, Type: tesla.U32, Atom: tesla.AtomAdd, Dst: reg(w.data()), Src: [3]tesla.Operand{global, reg(w.data())}})
		}
	case n < 11 && depth > 0: // if/else on a data register
		w.branch(depth)
	default:
		w.emit(tesla.Instruction{Op: tesla.OpBar, Barrier: tesla.Barrier{ID: 0, Count: 0xfff, Inc: true, Wait: true}})
	}
}

func (w *kernelWriter) branch(depth int) {
	w.logic(tesla.And, 1, reg(w.data()), imm(uint32(1)<<(2+w.r.IntN(6))))
	w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Greater, CDst: tesla.C0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(1), reg(9)}})
	joinAt := w.hole(tesla.Instruction{Op: tesla.OpJoinAt})
	toElse := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
	for range 1 + w.r.IntN(3) {
		w.step(depth - 1)
	}
	toEnd := w.hole(tesla.Instruction{Op: tesla.OpBra})
	toElse()
	for range w.r.IntN(3) {
		w.step(depth - 1)
	}
	joinAt()
	toEnd()
	w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerJoin})
}

// hole leaves room for a control instruction; fill puts a branch there to the present end of the
// code.
func (w *kernelWriter) hole(in tesla.Instruction) (fill func()) {
	at := len(w.code)
	w.emit(in)
	return func() {
		end := w.code
		in.Target = uint32(4 * len(end))
		w.code = nil
		w.emit(in)
		copy(end[at:], w.code)
		w.code = end
	}
}

// ownBuffer puts into $r3 the address of 32 bytes that only the block uses: blocks may not race.
func (w *kernelWriter) ownBuffer() {
	word := func(at uint32) [3]tesla.Operand {
		return [3]tesla.Operand{{Kind: tesla.Shared, Type: tesla.B32, Value: at}}
	}
	w.emit(tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(3), Src: word(tesla.HeaderBytes)})
	w.emit(tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(4), Src: word(12)})
	w.emit(tesla.Instruction{Op: tesla.OpShl, Type: tesla.B32, Dst: reg(5), Src: [3]tesla.Operand{reg(4), imm(5)}})
	w.arith(tesla.Add, 3, reg(3), reg(5))
}

func randomKernel(t testing.TB, seed uint64) *Program {
	w := &kernelWriter{t: t, r: rand.New(rand.NewPCG(seed, 7))}
	w.ownBuffer()
	for d := 4; d < writerRegisters; d++ {
		// Bits 5 and up are equal in all lanes of a warp.
		w.arith(tesla.Add, d, reg(0), imm(32*w.r.Uint32N(4)))
	}
	for range 12 {
		w.step(3)
	}
	w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
	p, err := lower(program.Kernel{Name: "random", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, w.code), Registers: writerRegisters, Shared: 0x40})
	require.NoError(t, err)
	return p
}

// outcome is the results of a launch.
type outcome struct {
	memory []byte
	stats  *count.Stats
	fault  *machine.Fault
}

// runRandom runs one block of a random kernel in turns of some rounds.
func runRandom(t testing.TB, p *Program, policy string, turn uint64, o watch.Observer) outcome {
	space := mem.NewSpace(1 << 20)
	addr, err := space.Alloc(32)
	require.NoError(t, err)
	l := &Launch{
		Program: p, Grid: [2]int{1, 1}, Block: [3]int{150, 1, 1}, Params: binary.LittleEndian.AppendUint32(nil, addr),
		Global: space, Policy: policy, Observer: o,
	}
	g, err := newGrid(l)
	require.NoError(t, err)
	g.turn, g.slice = turn, freeSlice
	fault := g.run()
	data, err := space.Bytes(addr, 32)
	require.NoError(t, err)
	return outcome{data, g.stats(), fault}
}

// went reports whether some instruction was issued by some of the warps only.
func went(s *count.Stats) bool {
	const warps = 5
	for _, in := range s.ByInstruction {
		if (in.Issues-in.Vetoed)%warps != 0 {
			return true
		}
	}
	return false
}

// Warps that run on leave the same memory, counts and faults as warps that are stepped through
// their turns one instruction at a time, even in kernels full of races.
func TestRunningOnIsNotNoticed(t *testing.T) {
	apart := 0
	for seed := range uint64(1500) {
		p, turn := randomKernel(t, seed), []uint64{1, 8, 50, turnRounds}[seed%4]
		steps, runs := runRandom(t, p, "", turn, glancing{}), runRandom(t, p, "", turn, nil)
		require.Equal(t, steps, runs, "seed %d", seed)
		if went(steps.stats) {
			apart++
		}
	}
	require.Greater(t, apart, 300, "kernels in which warps go different ways")
}
