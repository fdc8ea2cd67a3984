package schedule

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/count"
	"jacquard/simt/engine"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// loop emits a loop of so many rounds, four instructions each.
func (w *kernelWriter) loop(rounds uint32) {
	w.arith(tesla.Add, 6, reg(7), imm(0))
	w.again(w.here(), rounds)
}

// only emits code for one block.
func (w *kernelWriter) only(block uint32, do func()) {
	w.compare(tesla.Less|tesla.Greater, 4, block)
	skip := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
	do()
	skip()
}

// trap emits a trap.
func (w *kernelWriter) trap() { w.code = append(w.code, 0x90000002, 0x90000002) }

// oneBlock is so much dynamic shared memory that a multiprocessor holds one block.
const oneBlock = 12 << 10

// stageOf prepares a launch of blocks of one warp.
func stageOf(t *testing.T, p *Program, blocks, workers int, l Launch) (g *grid, memory []byte) {
	t.Helper()
	space := mem.NewSpace(1 << 22)
	addr, err := space.Alloc(uint64(32 * blocks))
	require.NoError(t, err)
	l.Program, l.Grid, l.Block, l.Global = p, [2]int{blocks, 1}, [3]int{32, 1, 1}, space
	l.Params, l.Pool = binary.LittleEndian.AppendUint32(nil, addr), &Pool{all: true}
	g, err = newGrid(&l)
	require.NoError(t, err)
	g.hire(workers)
	return g, space.Reach(addr)
}

// runStage runs a launch of blocks of one warp.
func runStage(t *testing.T, p *Program, blocks, workers int, l Launch) outcome {
	t.Helper()
	g, memory := stageOf(t, p, blocks, workers, l)
	fault := g.run()
	return outcome{memory, g.stats(), fault}
}

// Waves that go on together count as if each ran alone. A wave that runs for ever faults as soon,
// and later waves do not count.
func TestLivelockOfALaterWave(t *testing.T) {
	const forever = 3 // the block
	p := writtenProgram(t, func(w *kernelWriter) {
		w.only(forever, func() { w.emit(tesla.Instruction{Op: tesla.OpBra, Target: w.here()}) })
		w.loop(firstLook) // more than two looks
	})
	want := runStage(t, p, 12, 1, Launch{Dynamic: oneBlock})
	require.NotNil(t, want.fault)
	require.Equal(t, machine.FaultLivelock, want.fault.Kind)
	require.Equal(t, [2]int{forever, 0}, want.fault.Block)
	require.Equal(t, forever+1, want.stats.Waves)
	for _, workers := range []int{2, 7} {
		got := runStage(t, p, 12, workers, Launch{Dynamic: oneBlock})
		require.Equal(t, want.fault, got.fault, "%d workers", workers)
		require.Equal(t, want.stats, got.stats, "%d workers", workers)
	}
}

// A block that runs far longer than the others does not stop a launch of more blocks than may begin
// before it has ended.
func TestOneLongBlock(t *testing.T) {
	p := writtenProgram(t, func(w *kernelWriter) { w.only(0, func() { w.loop(firstLook) }) })
	blocks := 2 * 8 * max(mostRecordedAhead, mostCountedAhead/count.LedgerBytes(p.Program))
	want := runStage(t, p, blocks, 1, Launch{})
	require.Nil(t, want.fault)
	got := runStage(t, p, blocks, 2, Launch{})
	require.Nil(t, got.fault)
	require.Equal(t, want.stats, got.stats)
}

// A watchdog counts the issues of blocks that go on after their first slice, and of blocks that
// begin after they have ended.
func TestWatchdogOfLongBlocks(t *testing.T) {
	p := writtenProgram(t, func(w *kernelWriter) {
		w.only(0, func() { w.loop(firstLook / 2) })
		w.only(20, func() { w.loop(firstLook / 2) })
	})
	want := runStage(t, p, 2000, 1, Launch{}).stats
	got := runStage(t, p, 2000, 1, Launch{Watchdog: 1 << 40})
	require.Nil(t, got.fault)
	require.Equal(t, want, got.stats)
	limit := want.WarpInstructions - 5000
	got = runStage(t, p, 2000, 1, Launch{Watchdog: limit})
	require.NotNil(t, got.fault)
	require.Equal(t, machine.FaultWatchdog, got.fault.Kind)
	require.Greater(t, got.fault.Block[0], 1000)
}

// One worker runs wave after wave: a block sees what blocks of earlier waves stored.
func TestOneWorkerRunsWaveAfterWave(t *testing.T) {
	global := func(r uint32) tesla.Operand {
		return tesla.Operand{Kind: tesla.Global, Index: program.WindowGlobal, Value: r}
	}
	p := writtenProgram(t, func(w *kernelWriter) {
		w.arith(tesla.SubR, 2, reg(5), reg(3)) // memory that all blocks share
		w.only(8, func() {
			w.loop(firstLook / 2)
			w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{global(2), reg(4)}})
		})
		w.emit(tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32, Dst: reg(6), Src: [3]tesla.Operand{global(2)}})
		w.arith(tesla.Add, 3, reg(3), imm(4))
		w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{global(3), reg(6)}})
	})
	got := runStage(t, p, 200, 1, Launch{})
	require.Nil(t, got.fault)
	for block := 16; block < 200; block++ {
		require.EqualValues(t, 8, got.memory[32*block+4], "block %d", block)
	}
}

// counted is a program's code that counts its engines, and panics where no more are allowed.
type counted struct {
	engine.Code
	made *atomic.Int64
	most int64
}

func (c counted) New(warps int) engine.Engine {
	if c.made.Add(1) > c.most {
		panic("no more engines")
	}
	return c.Code.New(warps)
}

// Blocks of later waves that are over are not kept for the first wave, whose block runs far longer.
func TestFewBlocksAreMade(t *testing.T) {
	const workers = 4
	p := writtenProgram(t, func(w *kernelWriter) {
		w.only(0, func() { w.loop(20 * firstLook) })
		w.loop(firstLook / 4)
	})
	p.code = counted{p.code, new(atomic.Int64), 5 * workers}
	g, _ := stageOf(t, p, 300, workers, Launch{Dynamic: oneBlock})
	require.Nil(t, g.run())
	for _, w := range g.workers {
		require.LessOrEqual(t, len(w.idle), mostIdle)
		require.LessOrEqual(t, len(w.spare), mostSpare)
	}
}

// Waves that had to wait for blocks of the first wave go on once these have ended.
func TestLaterWavesGoOn(t *testing.T) {
	const workers = 4
	p := writtenProgram(t, func(w *kernelWriter) {
		w.only(0, func() { w.loop(4 * firstLook) })
		w.loop(firstLook / 4)
	})
	g, _ := stageOf(t, p, 16, workers, Launch{})
	require.Equal(t, 8, g.resident)
	g.watchable = false // a look is one task, and leaves room for another wave
	s := newStage(g)
	s.want = 16
	s.begin()
	require.Len(t, s.waves, 2)
	s.want = 2 * workers
	s.advance()
	require.Zero(t, s.waves[1].left, "it is over before block 0 is")
}

// A panic in the first slice of a block ends the work of all. The worker that panics is the caller
// or a helper; a helper's panic comes with its stack.
func TestPanicEndsTheFirstSlice(t *testing.T) {
	const blocks = 50_000
	p := writtenProgram(t, func(*kernelWriter) {})
	p.code = counted{p.code, new(atomic.Int64), 1}
	ended := new(atomic.Int64)
	g, _ := stageOf(t, p, blocks, 2, Launch{Signals: Signals{Ended: ended}})
	cause := func() (cause any) {
		defer func() { cause = recover() }()
		g.run()
		return nil
	}()
	require.Contains(t, fmt.Sprint(cause), "no more engines")
	require.Less(t, ended.Load(), int64(blocks/2))
}

// A panic of one worker's task ends the work of all, even if other waves run for ever.
func TestPanicEndsTheStage(t *testing.T) {
	p := writtenProgram(t, func(w *kernelWriter) {
		start := w.here()
		w.arith(tesla.Add, 6, reg(6), imm(1))
		w.emit(tesla.Instruction{Op: tesla.OpBra, Target: start})
	})
	g, _ := stageOf(t, p, 2, 2, Launch{Dynamic: oneBlock})
	g.watchable = false
	s := newStage(g)
	s.begin()
	require.Len(t, s.waves, 2)
	s.waves[0].blocks[0].g = nil
	require.Panics(t, func() {
		for {
			s.advance()
		}
	})
}

// journal writes down when listeners are told that blocks begin and end, and of a fault.
type journal struct {
	sync.Mutex
	lines []string
	ahead uint64 // how far a later block was recorded, at most, before block 0 ended
}

func (j *journal) note(format string, args ...any) {
	j.Lock()
	defer j.Unlock()
	j.lines = append(j.lines, fmt.Sprintf(format, args...))
}

// has reports whether a line was written down.
func (j *journal) has(line string) bool { return slices.Contains(j.lines, line) }

// observes and records are the journal as an observer and as a recorder.
type (
	observes struct{ *journal }
	records  struct{ *journal }
)

func (j observes) Block(b *watch.Block) watch.BlockObserver {
	j.note("block %d", b.Number())
	return observed{j.journal, b.Number()}
}

func (records) Keeps() []bool { return nil }
func (records) States() bool  { return false }

func (j records) Fault(_ *machine.Fault, block int) { j.note("fault %d", block) }

func (j records) Block(b *watch.Block) watch.BlockRecorder {
	j.note("block %d", b.Number())
	return recorded{j.journal, b.Number()}
}

// observed and recorded are one block.
type (
	observed struct {
		*journal
		block int
	}
	recorded struct {
		*journal
		block int
	}
)

func (observed) Issue(*watch.Issue) {}
func (o observed) End()             { o.note("end %d", o.block) }

func (recorded) Run(int, []watch.Stretch) {}
func (recorded) Keep(int, *watch.Values)  {}
func (o recorded) End(*machine.Fault)     { o.note("end %d", o.block) }

func (o recorded) Reached(time uint64) {
	o.Lock()
	defer o.Unlock()
	if o.block > 0 && !o.has("end 0") {
		o.ahead = max(o.ahead, time)
	}
}

// An observer is told of one wave after the other.
func TestObserversSeeWaveAfterWave(t *testing.T) {
	p := writtenProgram(t, func(w *kernelWriter) { w.loop(firstLook / 2) })
	j := new(journal)
	require.Nil(t, runStage(t, p, 3, 1, Launch{Dynamic: oneBlock, Observer: observes{j}}).fault)
	require.Equal(t, []string{"block 0", "end 0", "block 1", "end 1", "block 2", "end 2"}, j.lines)
}

// A recorder is told of a fault before the blocks of its wave end, and of no more than a slice of a
// later wave before the earlier one has ended.
func TestRecordersHearOfFaultsFirst(t *testing.T) {
	for _, workers := range []int{1, 4} {
		p := writtenProgram(t, func(w *kernelWriter) { w.only(0, func() { w.loop(firstLook / 2); w.trap() }) })
		j := new(journal)
		require.NotNil(t, runStage(t, p, 40, workers, Launch{Dynamic: oneBlock, Recorder: records{j}}).fault)
		require.Equal(t, []string{"fault 0", "end 0"}, j.lines[len(j.lines)-2:], "%d workers", workers)

		p = writtenProgram(t, func(w *kernelWriter) { w.loop(firstLook) })
		j = new(journal)
		require.Nil(t, runStage(t, p, 6, workers, Launch{Dynamic: oneBlock, Recorder: records{j}}).fault)
		require.LessOrEqual(t, j.ahead, uint64(freeSlice))
	}
}
