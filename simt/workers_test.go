package simt

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// cut is a way to cut up a launch.
type cut struct {
	workers int
	slice   uint64
	convoy  int
}

// grids are ways to cut a launch up: from a few rounds at a time to blocks run to their end,
// alone and in convoys.
var grids = []cut{{1, freeSlice, 1}, {1, 3, 1}, {1, freeSlice, 5}, {1, 3, 5}, {2, freeSlice, 1}, {2, 70, 4}, {7, freeSlice, 2}, {7, 70, 5}}

// program makes a kernel of what write emits. $r3 is the address of 32 bytes of the block's own.
func program(t testing.TB, write func(w *kernelWriter)) *Program {
	t.Helper()
	w := &kernelWriter{t: t}
	w.ownBuffer()
	write(w)
	w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
	p, err := Lower(Kernel{Name: "random", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, w.code), Registers: writerRegisters, Shared: 0x40})
	require.NoError(t, err)
	return p
}

// runCut runs blocks of two warps and a bit, with 32 bytes of memory each.
func runCut(t testing.TB, p *Program, blocks, workers int, slice uint64, convoy int) outcome {
	t.Helper()
	space := mem.NewSpace(1 << 20)
	addr, err := space.Alloc(uint64(32 * blocks))
	require.NoError(t, err)
	g, err := newGrid(&Launch{
		Program: p, Grid: [2]int{blocks, 1}, Block: [3]int{70, 1, 1}, Global: space,
		Params: binary.LittleEndian.AppendUint32(nil, addr), Crew: &Crew{all: true},
	})
	require.NoError(t, err)
	g.slice, g.size = slice, convoy
	g.hire(workers)
	fault := g.run()
	data, err := space.Bytes(addr, uint64(32*blocks))
	require.NoError(t, err)
	return outcome{data, g.stats(), fault}
}

// Blocks that leave each other alone come to the same however many workers run them, and
// however far at a time: memory, statistics, faults.
func TestWorkersAreNotNoticed(t *testing.T) {
	faults := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		p := program(t, func(w *kernelWriter) {
			w.r = r
			for d := 4; d < writerRegisters; d++ {
				w.arith(tesla.Add, d, reg(4), reg(0))
			}
			for range 20 {
				w.step(3)
			}
		})
		var want outcome
		for i, c := range grids {
			got := runCut(t, p, 20, c.workers, c.slice, c.convoy)
			if i == 0 {
				want = got
			}
			require.Equal(t, want.fault, got.fault, "seed %d, %+v", seed, c)
			if want.fault == nil { // else memory and counts are unspecified
				require.Equal(t, want, got, "seed %d, %+v", seed, c)
			}
		}
		if want.fault != nil {
			faults++
		}
	}
	require.Less(t, faults, 30, "kernels that run to their end")
}

// The fault reported is the least by wave, then time, then block: here later blocks trap
// earlier, so it is that of the last block of the first wave.
func TestFaultsAreOrdered(t *testing.T) {
	p := program(t, func(w *kernelWriter) {
		w.arith(tesla.Add, 4, reg(4), imm(0xffffff9c)) // index - 100
		loop := uint32(4 * len(w.code))
		w.arith(tesla.Add, 4, reg(4), imm(1))
		w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Less | tesla.Greater, CDst: 0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(4), reg(9)}})
		w.emit(tesla.Instruction{Op: tesla.OpBra, Target: loop, Guard: tesla.Guard{Cond: 5}})
		w.code = append(w.code, 0x90000002, 0x90000002) // trap
	})
	for _, c := range grids {
		for range 5 {
			f := runCut(t, p, 50, c.workers, c.slice, c.convoy).fault
			require.NotNil(t, f, "%+v", c)
			require.Equal(t, [2]int{7, 0}, f.Block, "%+v", c)
			require.Equal(t, FaultTrap, f.Kind)
			require.EqualValues(t, 8+3*93, f.Time, "eight instructions, 93 times around a loop of three")
		}
	}
}

// Reductions of all blocks on one word, which workers make at the same time.
func TestReductionsOfWorkers(t *testing.T) {
	p := program(t, func(w *kernelWriter) {
		w.arith(tesla.SubR, 3, reg(5), reg(3)) // what all blocks share
		w.emit(tesla.Instruction{Op: tesla.OpRed, Type: tesla.U32, Atom: tesla.AtomAdd, Src: [3]tesla.Operand{{Kind: tesla.Global, Index: windowGlobal, Value: 3}, reg(4)}})
	})
	require.False(t, p.plan.Reference)
	for _, c := range grids {
		got := runCut(t, p, 200, c.workers, c.slice, c.convoy)
		require.Nil(t, got.fault)
		require.EqualValues(t, 70*200*199/2, binary.LittleEndian.Uint32(got.memory), "%+v", c)
	}
}

func TestPlans(t *testing.T) {
	red := func(op tesla.AtomOp) []tesla.Instruction { return []tesla.Instruction{{Op: tesla.OpRed, Atom: op}} }
	require.False(t, planFor(red(tesla.AtomAdd)).Reference)
	require.True(t, planFor(red(tesla.AtomExch)).Reference)
	require.True(t, planFor(red(tesla.AtomInc)).Reference)
	require.True(t, planFor([]tesla.Instruction{{Op: tesla.OpAtom, Atom: tesla.AtomAdd}}).Reference)
	require.False(t, planFor([]tesla.Instruction{{Op: tesla.OpAtom, Bad: tesla.OK + 1}}).Reference)
}

// A block may wait for another of its wave, even for one that starts after it.
func TestBlocksWaitForEachOther(t *testing.T) {
	flag := tesla.Operand{Kind: tesla.Global, Index: windowGlobal, Value: 3}
	p := program(t, func(w *kernelWriter) {
		test := func(cmp tesla.Cmp, r int, v uint32) {
			w.arith(tesla.Add, 6, reg(r), imm(-v))
			w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: cmp, CDst: 0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(6), reg(9)}})
		}
		w.arith(tesla.SubR, 3, reg(5), reg(3)) // what all blocks share
		test(tesla.Less|tesla.Greater, 4, 7)
		wait := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: 5}})
		w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{flag, reg(4)}}) // block 7 lets the others go
		wait()
		loop := uint32(4 * len(w.code))
		w.emit(tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32, Dst: reg(7), Src: [3]tesla.Operand{flag}})
		test(tesla.Equal, 7, 0)
		w.emit(tesla.Instruction{Op: tesla.OpBra, Target: loop, Guard: tesla.Guard{Cond: 5}})
	})
	for _, c := range grids {
		if c.workers == 1 { // the race detector does not like several
			got := runCut(t, p, 20, c.workers, c.slice, c.convoy)
			require.Nil(t, got.fault, "%+v", c)
			require.EqualValues(t, 7, got.memory[0])
		}
	}
}
