package hostcode

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/simt/engine/translate/x86"
)

// loop is code that counts ctx.a down, and pushes and pops, with all of Go's registers overwritten.
func loop(a *x86.Assembler) {
	for r := x86.RAX; r <= x86.R15; r++ {
		if r != x86.RSP && r != x86.RDI {
			a.Mov(64, x86.R(r), x86.Imm(-int64(r)))
		}
	}
	again := a.NewLabel()
	a.Bind(again)
	a.Push(x86.R(x86.RBP))
	a.V(x86.Ins{Op: x86.VPADDD, L: x86.Y, D: 15, S: 15, RM: x86.V(15)})
	a.Pop(x86.R(x86.RBP))
	a.Dec(64, x86.At(x86.RDI, atA))
	a.Jcc(x86.NE, again)
	a.Ret()
}

// Code that runs for long is no trouble for the profiler, the tracer, the garbage collector, and
// goroutines whose stacks grow: nothing crashes, and the count is right.
func TestRuntime(t *testing.T) {
	e := load(t, false, loop).Entry(0)
	turns := calibrate(e, 200*time.Millisecond)

	var samples, events bytes.Buffer
	startProfile(t, &samples)
	if trace.Start(&events) == nil {
		defer trace.Stop()
	}
	stop := make(chan struct{})
	var others, loops sync.WaitGroup
	for _, do := range []func(){
		runtime.GC,
		func() { grow(2000) },
		func() { _ = pprof.Lookup("goroutine").WriteTo(&discard{}, 2) },
		func() { runtime.Stack(make([]byte, 1<<16), true) },
		func() { garbage = make([]*context, 1000) },
	} {
		others.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					do()
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	for n := range 4 {
		loops.Go(func() {
			ctx := context{mxcsr: usual} // on the stack, and after some calls moved
			onHeap := &context{mxcsr: usual, b: uint64(n)}
			for k := range 3 {
				ctx.a, onHeap.a = turns/6, turns/6
				e.with(&ctx)
				grow(100 << k)
				e.with(onHeap)
				if ctx.a != 0 || onHeap.a != 0 || onHeap.b != uint64(n) {
					t.Error("the context is another one")
				}
			}
		})
	}
	loops.Wait()
	close(stop)
	others.Wait()
	pprof.StopCPUProfile()
	require.NotEmpty(t, samples.Bytes())
}

// A profile shows the time in machine code as time of a function of the runtime.
func TestProfile(t *testing.T) {
	e := load(t, false, loop).Entry(0)
	for range 5 { // a busy machine may take no sample
		var samples bytes.Buffer
		startProfile(t, &samples)
		ctx := context{mxcsr: usual, a: calibrate(e, 300*time.Millisecond)}
		e.with(&ctx)
		pprof.StopCPUProfile()
		r, err := gzip.NewReader(&samples)
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		if bytes.Contains(text, []byte("runtime._ExternalCode")) {
			return
		}
	}
	t.Error("no profile shows the machine code")
}

// startProfile starts the CPU profiler, and skips the test if it runs already.
func startProfile(t *testing.T, w io.Writer) {
	t.Helper()
	if err := pprof.StartCPUProfile(w); err != nil {
		t.Skip("wants the profiler for itself: ", err)
	}
}

// calibrate returns how many turns of the loop take about the time.
func calibrate(e Entry, d time.Duration) uint64 {
	const some = 1 << 20
	ctx := context{mxcsr: usual, a: some}
	start := time.Now()
	e.with(&ctx)
	return some * uint64(d) / uint64(max(time.Since(start), 1))
}

// garbage keeps the collector busy.
var garbage []*context

// discard drops all output.
type discard struct{}

func (*discard) Write(p []byte) (int, error) { return len(p), nil }

// grow makes the goroutine's stack grow.
//
//go:noinline
func grow(n int) int {
	var a [32]int
	a[n%32] = n
	if n > 0 {
		a[0] += grow(n - 1)
	}
	return a[n%32]
}
