package schedule

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt/branch"
	"jacquard/simt/count"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// cut is a way to cut up a launch.
type cut struct {
	workers int
	slice   uint64 // of cutTurn
	policy  string
	watched bool // by an observer
}

// cutTurn is the rounds of a turn in tests: kernels are short.
const cutTurn = 16

// grids are ways to cut up a launch: from a turn at a time to blocks run to their end.
var grids = []cut{
	{1, freeSlice, "", false}, {1, cutTurn, "", false}, {1, 7 * cutTurn, "", true}, {1, freeSlice, "", true},
	{2, freeSlice, "", false}, {2, 7 * cutTurn, "", false}, {7, freeSlice, "", false}, {7, 3 * cutTurn, "", false},
}

// glancing is an observer that does nothing.
type glancing struct{}

func (glancing) Block(*watch.Block) watch.BlockObserver { return glancing{} }
func (glancing) Issue(*watch.Issue)                     {}
func (glancing) End()                                   {}

// writtenProgram makes a kernel of the code that write emits. $r3 is the address of 32 bytes that
// only the block uses.
func writtenProgram(t testing.TB, write func(w *kernelWriter)) *Program {
	t.Helper()
	w := &kernelWriter{t: t}
	w.ownBuffer()
	write(w)
	w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
	p, err := lower(program.Kernel{Name: "random", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, w.code), Registers: writerRegisters, Shared: 0x40})
	require.NoError(t, err)
	return p
}

// runCut runs blocks of a little more than two warps, with 32 bytes of memory each.
func runCut(t testing.TB, p *Program, blocks int, c cut) outcome {
	t.Helper()
	return runSlack(t, p, blocks, c, 0)
}

// runSlack is runCut with the last bytes of the memory in the slack of an allocation.
func runSlack(t testing.TB, p *Program, blocks int, c cut, slack int) outcome {
	t.Helper()
	space := mem.NewSpace(1 << 21)
	addr, err := space.AllocIn(make([]byte, 32*blocks), slack)
	require.NoError(t, err)
	l := &Launch{
		Program: p, Grid: [2]int{blocks, 1}, Block: [3]int{70, 1, 1}, Global: space,
		Params: binary.LittleEndian.AppendUint32(nil, addr), Pool: &Pool{all: true}, Policy: c.policy,
	}
	if c.watched {
		l.Observer = glancing{}
	}
	g, err := newGrid(l)
	require.NoError(t, err)
	g.turn, g.slice = cutTurn, c.slice
	g.hire(c.workers)
	fault := g.run()
	return outcome{space.Reach(addr), g.stats(), fault}
}

// begin makes data from the block's and the thread's index.
func (w *kernelWriter) begin(r *rand.Rand) {
	w.r = r
	for d := 4; d < writerRegisters; d++ {
		w.arith(tesla.Add, d, reg(4), reg(0))
	}
}

// Independent blocks give the same memory, statistics and faults for any number of workers and any
// slice.
func TestWorkersAreNotNoticed(t *testing.T) {
	faults := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		p := writtenProgram(t, func(w *kernelWriter) {
			w.begin(r)
			for range 20 {
				w.step(3)
			}
		})
		var want outcome
		for i, c := range grids {
			got := runCut(t, p, 20, c)
			if i == 0 {
				want = got
			}
			require.Equal(t, want.fault, got.fault, "seed %d, %+v", seed, c)
			// Otherwise memory is unspecified, and counts go to the end of the slice.
			if want.fault == nil {
				require.Equal(t, want, got, "seed %d, %+v", seed, c)
			}
		}
		if want.fault != nil {
			faults++
		}
	}
	require.Less(t, faults, 30, "kernels that run to their end")
}

// The counts of a launch that faults do not depend on its workers and observers: waves after the
// fault do not count.
func TestFaultsAreCounted(t *testing.T) {
	faults, policies := 0, everyPolicy()
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 11))
		p := writtenProgram(t, func(w *kernelWriter) {
			w.begin(r)
			bad := r.IntN(20)
			for i := range 20 {
				if i == bad {
					w.someFault(r)
				}
				w.step(3)
			}
		})
		policy := policies[seed%uint64(len(policies))]
		if _, err := p.policies(policy); err != nil {
			require.ErrorAs(t, err, new(*branch.RefusedError))
			policy = ""
		}
		for _, slice := range []uint64{freeSlice, 10 * cutTurn} {
			want := runCut(t, p, 40, cut{1, slice, policy, false})
			if want.fault == nil {
				continue
			}
			faults++
			for _, c := range []cut{{1, slice, policy, true}, {2, slice, policy, false}, {7, slice, policy, false}} {
				got := runCut(t, p, 40, c)
				require.Equal(t, want.fault, got.fault, "seed %d, %+v", seed, c)
				require.Equal(t, want.stats, got.stats, "seed %d, %+v", seed, c)
			}
		}
	}
	require.Greater(t, faults, 60)
}

// someFault emits code that faults in some blocks, warps and lanes.
func (w *kernelWriter) someFault(r *rand.Rand) {
	w.arith(tesla.Add, 1, reg(w.data()), imm(uint32(r.IntN(64))))
	w.logic(tesla.And, 1, reg(1), imm(uint32(1)<<(1+r.IntN(7))-1))
	w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Equal, CDst: tesla.C1, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(1), reg(9)}})
	guard := tesla.Guard{Reg: 1, Cond: tesla.CondLG}
	nowhere := tesla.Operand{Kind: tesla.Global, Index: program.WindowGlobal, Value: 1}
	switch r.IntN(5) {
	case 4: // into a half register, which takes a second step
		w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Equal, CDst: tesla.NoCond, Dst: reg(1), Src: [3]tesla.Operand{reg(1), reg(9)}})
		w.emit(asm.ToAddr(1, 1, 0))
		w.emit(tesla.Instruction{Op: tesla.OpLdShared, Type: tesla.U16, Dst: tesla.Operand{Kind: tesla.Half, Index: uint8(2 * w.data())}, Src: [3]tesla.Operand{{Kind: tesla.Shared, Type: tesla.U16, Base: 1, Value: 0x20}}})
	case 0:
		w.emit(tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32, Dst: reg(w.data()), Src: [3]tesla.Operand{nowhere}, Guard: guard})
	case 1:
		w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B64, Src: [3]tesla.Operand{nowhere, {Kind: tesla.Pair, Index: 4}}, Guard: guard})
	case 2:
		w.emit(tesla.Instruction{Op: tesla.OpBra, Target: 0x40000, Guard: guard})
	default:
		w.emit(tesla.Instruction{Op: tesla.OpBreak, Guard: guard})
	}
}

// The reported fault is the least by wave, then time, then block. Later blocks trap earlier here,
// so the last block of the first wave is reported.
func TestFaultsAreOrdered(t *testing.T) {
	p := writtenProgram(t, func(w *kernelWriter) {
		w.arith(tesla.Add, 4, reg(4), imm(0xffffff9c)) // index - 100
		loop := uint32(4 * len(w.code))
		w.arith(tesla.Add, 4, reg(4), imm(1))
		w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Less | tesla.Greater, CDst: tesla.C0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(4), reg(9)}})
		w.emit(tesla.Instruction{Op: tesla.OpBra, Target: loop, Guard: tesla.Guard{Cond: tesla.CondLG}})
		w.trap()
	})
	for _, c := range grids {
		for range 5 {
			f := runCut(t, p, 50, c).fault
			require.NotNil(t, f, "%+v", c)
			require.Equal(t, [2]int{7, 0}, f.Block, "%+v", c)
			require.Equal(t, machine.FaultTrap, f.Kind)
			require.EqualValues(t, 8+3*93, f.Time, "eight instructions, 93 times around a loop of three")
		}
	}
}

// Reductions of all blocks on one word, at the same time by several workers.
func TestReductionsOfWorkers(t *testing.T) {
	p := writtenProgram(t, func(w *kernelWriter) {
		w.arith(tesla.SubR, 3, reg(5), reg(3)) // memory that all blocks share
		w.emit(tesla.Instruction{Op: tesla.OpRed, Type: tesla.U32, Atom: tesla.AtomAdd, Src: [3]tesla.Operand{{Kind: tesla.Global, Index: program.WindowGlobal, Value: 3}, reg(4)}})
	})
	require.False(t, p.Plan.Reference)
	for _, c := range grids {
		got := runCut(t, p, 200, c)
		require.Nil(t, got.fault)
		require.EqualValues(t, 70*200*199/2, binary.LittleEndian.Uint32(got.memory), "%+v", c)
	}
}

// There are more blocks than may begin before an earlier one has ended.
func TestManyBlocks(t *testing.T) {
	const blocks = 50_000
	p := writtenProgram(t, func(w *kernelWriter) {
		w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{{Kind: tesla.Global, Index: program.WindowGlobal, Value: 3}, reg(4)}})
	})
	require.Less(t, 8*max(mostRecordedAhead, mostCountedAhead/count.LedgerBytes(p.Program)), blocks, "there is no such limit")
	for _, workers := range []int{1, 2, 7} {
		got := runCut(t, p, blocks, cut{workers, freeSlice, "", false})
		require.Nil(t, got.fault)
		require.EqualValues(t, blocks-1, binary.LittleEndian.Uint32(got.memory[32*(blocks-1):]))
		require.EqualValues(t, 3*blocks*uint64(len(got.stats.ByInstruction)), got.stats.WarpInstructions)
	}
}

// A watchdog counts the issues of all blocks, even those that begin before an earlier block has
// ended.
func TestWatchdogCountsAll(t *testing.T) {
	for _, c := range []struct {
		endless uint32 // a block
		limit   uint64
	}{{7, 70_000}, {2, 70_000}, {2, 10_000}} { // within the first slice, others come later in their wave
		p := writtenProgram(t, func(w *kernelWriter) {
			w.only(c.endless, func() {
				loop := w.here()
				w.arith(tesla.Add, 7, reg(7), imm(1))
				w.emit(tesla.Instruction{Op: tesla.OpBra, Target: loop})
			})
		})
		l := &Launch{
			Program: p, Grid: [2]int{200, 1}, Block: [3]int{32, 1, 1}, Global: mem.NewSpace(1 << 20),
			Params: make([]byte, 4), Watchdog: c.limit,
		}
		stats, err := Run(l)
		var f *machine.Fault
		require.ErrorAs(t, err, &f)
		require.Equal(t, machine.FaultWatchdog, f.Kind)
		require.Equal(t, [2]int{int(c.endless), 0}, f.Block)
		require.InDelta(t, l.Watchdog, stats.WarpInstructions, 50, "it is looked at where control is")
		require.Equal(t, 1, stats.Waves)
	}
}

// A block may wait for another of its wave, even one that starts later.
func TestBlocksWaitForEachOther(t *testing.T) {
	flag := tesla.Operand{Kind: tesla.Global, Index: program.WindowGlobal, Value: 3}
	p := writtenProgram(t, func(w *kernelWriter) {
		test := func(cmp tesla.Cmp, r int, v uint32) {
			w.arith(tesla.Add, 6, reg(r), imm(-v))
			w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: cmp, CDst: tesla.C0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(6), reg(9)}})
		}
		w.arith(tesla.SubR, 3, reg(5), reg(3)) // memory that all blocks share
		test(tesla.Less|tesla.Greater, 4, 7)
		wait := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
		// Block 7 lets the others go.
		w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{flag, reg(4)}})
		wait()
		loop := uint32(4 * len(w.code))
		w.emit(tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32, Dst: reg(7), Src: [3]tesla.Operand{flag}})
		test(tesla.Equal, 7, 0)
		w.emit(tesla.Instruction{Op: tesla.OpBra, Target: loop, Guard: tesla.Guard{Cond: tesla.CondLG}})
	})
	for _, c := range grids {
		if c.workers == 1 { // the race detector reports several workers
			got := runCut(t, p, 20, c)
			require.Nil(t, got.fault, "%+v", c)
			require.EqualValues(t, 7, got.memory[0])
		}
	}
}
