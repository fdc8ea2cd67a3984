package debug_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/debug"
	"jacquard/internal/test/stops"
	"jacquard/simt"
)

// begin starts the program with breakpoints, and goes on to the first stop.
func begin(t *testing.T, p *stops.Program, list ...debug.Breakpoint) (debug.Target, *debug.Stop) {
	target, err := p.Start(nil)
	require.NoError(t, err)
	require.NoError(t, target.SetCatch(debug.Catch{Faults: true, Traps: true}))
	require.NoError(t, target.SetBreakpoints(list))
	return target, goOn(t, target, debug.Order{Kind: debug.Continue})
}

func program(t *testing.T, launches int) *stops.Program {
	p, err := stops.New(launches)
	require.NoError(t, err)
	return p
}

// goOn goes on and returns the next stop, nil at the end.
func goOn(t *testing.T, target debug.Target, o debug.Order) *debug.Stop {
	t.Helper()
	stop, err := target.Resume(o)
	if err != nil {
		require.ErrorIs(t, err, debug.ErrGone)
		return nil
	}
	return stop
}

func value(t *testing.T, target debug.Target, text string, at debug.Focus) string {
	t.Helper()
	v, err := target.Evaluate(debug.Expression{Text: text, Focus: at})
	require.NoError(t, err)
	return v.Text
}

var right = [stops.Blocks]uint32{2016, 6112, 10208, 14304}

func TestBreakpoints(t *testing.T) {
	p := program(t, 1)
	pc := uint32(0)
	target, stop := begin(t, p,
		debug.Breakpoint{ID: 1, File: "src/sum.cu", Line: 16, Condition: "blockIdx.x == 2 && threadIdx.x == 5 && $r0 == 5"},
		debug.Breakpoint{ID: 2, PC: &pc, Condition: "blockIdx.x == 3", Hits: "2"})
	require.Equal(t, debug.ReasonBreakpoint, stop.Reason)
	require.Equal(t, []int{1}, stop.Breakpoints)
	require.Equal(t, debug.Focus{Block: 2, Warp: 0, Lane: 5}, stop.Focus)
	require.Equal(t, 16, stop.Frame.Line)
	require.Equal(t, "5", value(t, target, "threadIdx.x", stop.Focus))
	for range 4 { // the rounds of the loop in which thread 5 adds: 32, 16, 8
		if stop = goOn(t, target, debug.Order{Kind: debug.Continue}); stop.Breakpoints[0] == 2 {
			break
		}
		require.Equal(t, []int{1}, stop.Breakpoints)
	}
	require.Equal(t, []int{2}, stop.Breakpoints)
	require.Equal(t, debug.Focus{Block: 3, Warp: 1, Lane: 0}, stop.Focus)
	list, err := target.Breakpoints()
	require.NoError(t, err)
	require.Equal(t, 3, list[0].Hits)
	require.Equal(t, 2, list[1].Hits)
	require.Nil(t, goOn(t, target, debug.Order{Kind: debug.Continue}))
	require.Equal(t, right, p.Sums)
}

func TestSteps(t *testing.T) {
	p := program(t, 1)
	target, stop := begin(t, p, debug.Breakpoint{ID: 1, Entry: true, Kernel: "sum", Condition: "blockIdx.x == 1"})
	require.Equal(t, debug.Focus{Block: 1}, stop.Focus)
	var lines []int
	for range 12 {
		lines = append(lines, stop.Frame.Line)
		stop = goOn(t, target, debug.Order{Kind: debug.Step, Focus: stop.Focus})
		require.Equal(t, debug.ReasonStep, stop.Reason)
		require.Equal(t, 0, stop.Focus.Warp)
	}
	require.Equal(t, []int{10, 11, 12, 13, 14, 15, 16, 17, 18, 15, 16, 17}, lines)
	at := stop
	for range 3 {
		stop = goOn(t, target, debug.Order{Kind: debug.StepInstruction, Focus: stop.Focus})
		require.Greater(t, stop.Position.Time, at.Position.Time)
	}
	for range 3 {
		stop = goOn(t, target, debug.Order{Kind: debug.ReverseStepInst, Focus: stop.Focus})
	}
	require.Equal(t, at.Position, stop.Position)
	for i := 11; i >= 0; i-- {
		stop = goOn(t, target, debug.Order{Kind: debug.ReverseStep, Focus: stop.Focus})
		require.Equal(t, lines[i], stop.Frame.Line)
	}
	require.Nil(t, goOn(t, target, debug.Order{Kind: debug.Continue}))
	require.Equal(t, right, p.Sums)
}

// What a user changes changes the result, also on the way back and forth.
func TestChanges(t *testing.T) {
	p := program(t, 1)
	target, stop := begin(t, p, debug.Breakpoint{ID: 1, File: "sum.cu", Line: 12, Condition: "blockIdx.x == 1 && threadIdx.x == 3"})
	e := debug.Expression{Text: "*(@shared int*)0x1c", Focus: stop.Focus}
	_, err := target.Assign(e, "5")
	require.NoError(t, err)
	require.Equal(t, "5", value(t, target, e.Text, stop.Focus))
	stop = goOn(t, target, debug.Order{Kind: debug.ReverseStepInst, Focus: stop.Focus})
	require.Equal(t, "0", value(t, target, e.Text, stop.Focus))
	stop = goOn(t, target, debug.Order{Kind: debug.Continue})
	require.Equal(t, "5", value(t, target, e.Text, stop.Focus))

	// The registers of the sum.
	require.NoError(t, target.SetBreakpoints([]debug.Breakpoint{{ID: 2, File: "sum.cu", Line: 19, Condition: "blockIdx.x == 1 && threadIdx.x == 0"}}))
	stop = goOn(t, target, debug.Order{Kind: debug.Continue})
	_, err = target.Assign(debug.Expression{Text: "*(@shared unsigned*)0x1c", Focus: stop.Focus}, "7 + 1")
	require.NoError(t, err)
	require.NoError(t, target.SetBreakpoints(nil))
	require.Nil(t, goOn(t, target, debug.Order{Kind: debug.Continue}))
	want := right
	want[1] = 8
	require.Equal(t, want, p.Sums)
}

func TestWatch(t *testing.T) {
	p := program(t, 1)
	target, stop := begin(t, p, debug.Breakpoint{ID: 1, File: "sum.cu", Line: 19, Condition: "blockIdx.x == 2 && threadIdx.x == 0"})
	w, err := target.LastWrite(debug.Expression{Text: "*(@shared int*)0x1c", Focus: stop.Focus})
	require.NoError(t, err)
	require.Equal(t, debug.Focus{Block: 2}, w.Focus)
	require.Equal(t, 16, w.Place.Line)
	require.NoError(t, target.SetBreakpoints([]debug.Breakpoint{
		{ID: 2, Watch: &debug.Watch{Space: "shared", Address: 0x1c, Size: 4, Focus: stop.Focus, Writes: true}},
	}))
	for range 6 { // each round of the loop
		stop = goOn(t, target, debug.Order{Kind: debug.ReverseContinue, Focus: stop.Focus})
		require.Equal(t, debug.ReasonWatch, stop.Reason)
		require.Equal(t, 16, stop.Frame.Line)
	}
	stop = goOn(t, target, debug.Order{Kind: debug.ReverseContinue, Focus: stop.Focus})
	require.Equal(t, 12, stop.Frame.Line)
	stop = goOn(t, target, debug.Order{Kind: debug.ReverseContinue, Focus: stop.Focus})
	require.Equal(t, debug.ReasonHistory, stop.Reason)
	times := 0
	for stop = goOn(t, target, debug.Order{Kind: debug.Continue}); stop != nil; stop = goOn(t, target, debug.Order{Kind: debug.Continue}) {
		require.Equal(t, debug.ReasonWatch, stop.Reason)
		times++
	}
	require.Equal(t, 7, times)
	require.Equal(t, right, p.Sums)
}

// Steps back in a long block begin to look late in it.
func TestLongBlock(t *testing.T) {
	p := program(t, 1)
	p.Spin = 60000
	target, stop := begin(t, p, debug.Breakpoint{ID: 1, File: "sum.cu", Line: 15, Condition: "blockIdx.x == 2"})
	require.Greater(t, stop.Position.Time, uint64(150000))
	at := stop
	stop = goOn(t, target, debug.Order{Kind: debug.ReverseStepInst, Focus: stop.Focus})
	require.Equal(t, at.Position.Time-1, stop.Position.Time)
	require.Equal(t, 14, stop.Frame.Line)
	for range 4 {
		stop = goOn(t, target, debug.Order{Kind: debug.ReverseStepInst, Focus: stop.Focus})
	}
	require.Equal(t, 13, stop.Frame.Line)
	stop = goOn(t, target, debug.Order{Kind: debug.ReverseStep, Focus: stop.Focus})
	require.Equal(t, 13, stop.Frame.Line)
	require.Less(t, stop.Position.Time, uint64(50), "the start of the line is at its barrier")
	require.NoError(t, target.SetBreakpoints(nil))
	require.Nil(t, goOn(t, target, debug.Order{Kind: debug.Continue}))
	require.Equal(t, right, p.Sums)
}

// A pause stops a launch that nobody watches, and steps go on from there.
func TestPauseInside(t *testing.T) {
	for spin := uint32(1 << 16); ; spin *= 4 {
		p := program(t, 1)
		p.Spin = spin
		target, err := p.Start(nil)
		require.NoError(t, err)
		stops := make(chan *debug.Stop, 1)
		go func() {
			stop, _ := target.Resume(debug.Order{Kind: debug.Continue})
			stops <- stop
		}()
		time.Sleep(20 * time.Millisecond)
		require.NoError(t, target.Pause())
		stop := <-stops
		if stop == nil || stop.Position.Time < 1000 { // it had ended, or had not begun
			require.NoError(t, target.Detach())
			p.Wait()
			continue
		}
		require.Equal(t, debug.ReasonPause, stop.Reason)
		before := stop.Position
		for range 20 {
			stop = goOn(t, target, debug.Order{Kind: debug.StepInstruction, Focus: stop.Focus})
			require.Equal(t, debug.ReasonStep, stop.Reason)
		}
		require.Equal(t, before.Block, stop.Position.Block)
		require.NoError(t, target.Detach())
		p.Wait()
		require.Equal(t, right, p.Sums)
		return
	}
}

func TestWatchRegisterAndGlobal(t *testing.T) {
	p := program(t, 1)
	target, stop := begin(t, p, debug.Breakpoint{ID: 1, File: "sum.cu", Line: 11})
	v, err := target.Evaluate(debug.Expression{Text: "param0", Focus: stop.Focus})
	require.NoError(t, err)
	out := uint32(v.Bits) + 1024 + 8
	require.NoError(t, target.SetBreakpoints([]debug.Breakpoint{
		{ID: 2, Watch: &debug.Watch{Space: "global", Address: out, Size: 4, Writes: true}},
		{ID: 3, Watch: &debug.Watch{Register: "r1", Focus: stop.Focus, Writes: true}, Hits: "1"},
	}))
	stop = goOn(t, target, debug.Order{Kind: debug.Continue})
	for stop.Breakpoints[0] == 3 {
		stop = goOn(t, target, debug.Order{Kind: debug.Continue})
	}
	require.Equal(t, []int{2}, stop.Breakpoints)
	require.Equal(t, 2, stop.Focus.Block)
	require.Contains(t, stop.Text, "0x00000000 -> 0x000027e0")
	require.Nil(t, goOn(t, target, debug.Order{Kind: debug.Continue}))
	require.Equal(t, right, p.Sums)
}

// A launch that faults is stopped before the instruction, with nothing to stop at beforehand.
func TestFault(t *testing.T) {
	p := program(t, 1)
	p.Wrong = true
	target, stop := begin(t, p)
	require.Equal(t, debug.ReasonFault, stop.Reason)
	require.Equal(t, "illegal address", stop.Fault)
	require.Equal(t, debug.Focus{Block: 1}, stop.Focus)
	require.Equal(t, 20, stop.Frame.Line)
	stop = goOn(t, target, debug.Order{Kind: debug.ReverseStep, Focus: stop.Focus})
	require.Equal(t, debug.ReasonStep, stop.Reason)
	stop = goOn(t, target, debug.Order{Kind: debug.Continue})
	require.Equal(t, debug.ReasonFault, stop.Reason, "again")
	require.Nil(t, goOn(t, target, debug.Order{Kind: debug.Continue}))
	require.Error(t, p.Err)
	require.Equal(t, simt.FaultIllegalAddress, p.Err.(*simt.Fault).Kind)
}

// Launches without a reason to stop run by; a pause stops the next.
func TestPauseAndLaunches(t *testing.T) {
	p := program(t, 3)
	target, stop := begin(t, p, debug.Breakpoint{ID: 1, Entry: true, Kernel: "sum", Hits: "2"})
	require.Equal(t, 1, stop.Launch.Number)
	require.NoError(t, target.SetBreakpoints(nil))
	require.Nil(t, goOn(t, target, debug.Order{Kind: debug.Continue}))
	require.Equal(t, right, p.Sums)

	p = program(t, 1)
	target, err := p.Start(nil)
	require.NoError(t, err)
	_, err = target.Launch()
	require.ErrorIs(t, err, debug.ErrNone)
	require.NoError(t, target.SetBreakpoints([]debug.Breakpoint{{ID: 1, Entry: true, Log: "block {blockIdx.x} of {gridDim.x}"}}))
	stop = goOn(t, target, debug.Order{Kind: debug.Continue})
	require.Equal(t, debug.ReasonLog, stop.Reason)
	require.Equal(t, "block 0 of 4", stop.Text)
	require.NoError(t, target.Detach())
	p.Wait()
	require.Equal(t, right, p.Sums)
}

// Random steps, forward and back, under several policies leave the results and counts of a run that
// nobody watches.
func TestRandomSteps(t *testing.T) {
	kinds := []debug.Kind{
		debug.Step, debug.Next, debug.StepInstruction, debug.NextInstruction, debug.Continue,
		debug.ReverseStep, debug.ReverseStepInst, debug.ReverseContinue,
	}
	policies := []string{"", "pdom", "stackless", "dwf", "mimd"}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := program(t, 1)
		p.Policy = policies[seed%uint64(len(policies))]
		if seed%20 == 0 {
			p.Spin = 9000
		}
		require.NoError(t, p.Run(0, nil))
		plain := *p.Stats
		target, stop := begin(t, p, debug.Breakpoint{ID: 1, File: "sum.cu", Line: 10 + r.IntN(9)})
		for range 8 {
			if stop == nil {
				break
			}
			f := stop.Focus
			stop = goOn(t, target, debug.Order{Kind: kinds[r.IntN(len(kinds))], Focus: f})
		}
		if stop != nil {
			require.NoError(t, target.SetBreakpoints(nil))
			stop = goOn(t, target, debug.Order{Kind: debug.Continue})
		}
		require.Nil(t, stop)
		p.Wait()
		require.Equal(t, right, p.Sums, seed)
		again := *p.Stats
		plain.Elapsed, again.Elapsed = 0, 0
		require.Equal(t, plain, again, "seed %d, %s", seed, p.Policy)
	}
}
