package trace_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt"
	"jacquard/simt/trace"
)

// recordLaunch records a launch by some workers and returns the trace and the statistics.
func recordLaunch(t testing.TB, l *simt.Launch, workers int, o trace.Options) ([]byte, *simt.Stats) {
	t.Helper()
	var out bytes.Buffer
	r, err := trace.NewRecorder(&out, o, func(err error) { require.NoError(t, err) })
	require.NoError(t, err)
	l.Workers = workers
	end := r.Attach(l)
	stats, err := simt.Run(l)
	end(err)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	return out.Bytes(), stats
}

// The bytes of a trace depend on neither workers nor vector instructions, nor on which blocks go together;
// nor does it depend on them what first leaves.
func TestSameBytes(t *testing.T) {
	all := trace.Values{Registers: true, Addresses: true, Data: true}
	for _, w := range workloads() {
		for _, o := range []trace.Options{{}, {Values: all}, {Values: all, Filter: trace.Filter{First: 12345, Warps: []trace.Range{{First: 1, Last: 9}}}}, {Filter: trace.Filter{Blocks: []trace.Range{{First: 3, Last: 5}, {First: 30, Last: 31}}}}} {
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
