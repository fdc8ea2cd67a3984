package trace_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/trace"
	"jacquard/simt"
)

// recordLaunch records a launch with that many workers and returns the trace and the statistics.
func recordLaunch(t testing.TB, l *simt.Launch, workers int, o trace.Options) ([]byte, *simt.Stats) {
	t.Helper()
	var out bytes.Buffer
	r, err := trace.NewRecorder(&out, o, func(err error) { require.NoError(t, err) })
	require.NoError(t, err)
	l.Workers = workers
	end := r.Attach(l, "", 0)
	stats, err := simt.Run(l)
	end(err)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	return out.Bytes(), stats
}

// The bytes of a trace do not depend on the workers or on vector instructions. Option first selects
// the same issues in all of them.
func TestSameBytes(t *testing.T) {
	all := trace.Values{Registers: true, Addresses: true, Data: true}
	for _, w := range workloads() {
		for _, o := range []trace.Options{{}, {Values: all}, {Values: all, Filter: trace.Filter{First: 12345, Warps: []trace.Range{{First: 1, Last: 9}}}}, {Values: trace.Values{States: true}, Filter: trace.Filter{Blocks: []trace.Range{{First: 3, Last: 5}, {First: 30, Last: 31}}}}} {
			var want []byte
			for _, c := range []struct {
				workers int
				simd    string
			}{{1, ""}, {1, "off"}, {2, ""}, {7, ""}} {
				got, _ := recordLaunch(t, w.launch(t, c.simd), c.workers, o)
				if want == nil {
					want = got
				}
				require.True(t, bytes.Equal(want, got), fmt.Sprintf("%s %+v %+v", w.kernel, o, c))
			}
			f := open(t, want)
			require.Nil(t, f.Damage)
		}
	}
}

// The bytes of a faulting launch do not depend on them either. The trace ends with the wave of the
// fault, and holds of the faulting block only what happened. Its statistics are the same too,
// recorded or not.
func TestSameBytesAtFaults(t *testing.T) {
	const short, threads = 3000, 1 << 12
	words := func(n int) []uint32 {
		w := make([]uint32, n)
		for i := range w {
			w[i] = uint32(i*i) * 2654435761 >> 16
		}
		return w
	}
	for _, w := range []workload{
		{"vecadd", [2]int{threads / 64, 1}, [3]int{64, 1, 1}, []any{words(threads), words(short), words(threads), uint32(threads)}},
		{"collatz", [2]int{threads / 64, 1}, [3]int{64, 1, 1}, []any{words(threads), words(short), uint32(threads)}},
		{"crc32", [2]int{threads / 32, 1}, [3]int{32, 1, 1}, []any{words(short), words(threads), uint32(16)}},
	} {
		for _, o := range []trace.Options{{}, {Values: trace.Values{Registers: true, Addresses: true, Data: true}}} {
			counted, err := simt.Run(w.launch(t, ""))
			require.Error(t, err)
			counted.Elapsed = 0
			var want []byte
			for _, c := range []struct {
				workers int
				simd    string
			}{{1, ""}, {1, "off"}, {2, ""}, {3, ""}, {7, ""}} {
				name := fmt.Sprintf("%s %+v %+v", w.kernel, o, c)
				var out bytes.Buffer
				r, err := trace.NewRecorder(&out, o, nil)
				require.NoError(t, err)
				l := w.launch(t, c.simd)
				l.Workers = c.workers
				end := r.Attach(l, "", 0)
				stats, err := simt.Run(l)
				end(err)
				require.NoError(t, r.Close())
				stats.Elapsed = 0
				require.Equal(t, counted, stats, name)
				var fault *simt.Fault
				require.ErrorAs(t, err, &fault, name)
				if want == nil {
					want = out.Bytes()
					requireUpTo(t, want, fault)
				}
				require.True(t, bytes.Equal(want, out.Bytes()), name)
			}
		}
	}
}

// requireUpTo asserts that a trace of a launch of one-dimensional blocks ends at a fault.
func requireUpTo(t *testing.T, data []byte, fault *simt.Fault) {
	t.Helper()
	f := open(t, data)
	require.Len(t, f.Launches, 1)
	require.Equal(t, fault.Error(), f.Launches[0].Error)
	last, its := 0, 0
	for _, s := range steps(t, f, trace.Filter{}) {
		last = max(last, s.Block)
		if s.Block == fault.Block[0] {
			its++
			for _, w := range s.Warp[:s.N] { // earlier warps may be past the time of the fault
				require.True(t, int(w) < fault.Warp || s.Time < fault.Time)
			}
		}
	}
	require.Positive(t, its)
	require.GreaterOrEqual(t, last, fault.Block[0])
	require.Less(t, last, fault.Block[0]+8, "a wave has at most eight blocks")
	require.Less(t, last, f.Launches[0].Grid[0]-1)
}
