package trace_test

import (
	"bytes"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/observe/trace"
	"jacquard/simt/branch"
	"jacquard/tesla"
)

// A filter selects the same steps while recording and while reading, and exactly the steps that
// meet its conditions.
func TestFilter(t *testing.T) {
	const seed = 9 // several warps and blocks
	values := trace.Values{Registers: true, Addresses: true, Data: true, States: true}
	for _, policy := range []string{"", "stackless", "dwf"} {
		data, _, _, ok := record(t, seed, policy, trace.Options{Values: values})
		require.True(t, ok, policy)
		whole := open(t, data)
		all := steps(t, whole, trace.Filter{})
		for name, c := range map[string]struct {
			filter trace.Filter
			wanted func(s *trace.Step) bool
		}{
			"warp":  {trace.Filter{Warps: []trace.Range{{1, 2}}}, func(s *trace.Step) bool { return warpsOf(s)&6 != 0 }},
			"block": {trace.Filter{Blocks: []trace.Range{{1, 1}}}, func(s *trace.Step) bool { return s.Block == 1 }},
			"pc":    {trace.Filter{PCs: []trace.Range{{0x10, 0x47}}}, func(s *trace.Step) bool { return s.Index >= 2 && s.Index <= 8 }},
			"op": {trace.Filter{Ops: []tesla.Op{tesla.OpBra, tesla.OpIAdd}}, func(s *trace.Step) bool {
				op := whole.Kernels[0].Code[s.Index].Op
				return op == tesla.OpBra || op == tesla.OpIAdd
			}},
			"other launch": {trace.Filter{Launches: []trace.Range{{1, 9}}}, func(*trace.Step) bool { return false }},
			"other kernel": {trace.Filter{Kernels: []string{"x"}}, func(*trace.Step) bool { return false }},
		} {
			read := steps(t, whole, c.filter)
			wanted := 0
			for i := range all {
				if c.wanted(&all[i]) {
					wanted += countOf(&all[i], name)
				}
			}
			count := 0
			for i := range read {
				require.True(t, c.wanted(&read[i]))
				count += read[i].Count()
			}
			require.Equal(t, wanted, count, "%s %s", policy, name)
			data, _, _, ok := record(t, seed, policy, trace.Options{Values: values, Filter: c.filter})
			require.True(t, ok)
			written := steps(t, open(t, data), trace.Filter{})
			require.Len(t, written, len(read), "%s %s", policy, name)
			for i := range read {
				if policy == "dwf" && name == "warp" { // the state of the block is with warps that are not read
					require.Empty(t, read[i].States)
					require.Len(t, written[i].States, 1)
					read[i].States, written[i].States = nil, nil
				}
				require.Equal(t, normal(read[i]), normal(written[i]), "%s %s", policy, name)
			}
		}
	}
}

// countOf returns the number of warp-instructions of a step, as the named filter counts them.
func countOf(s *trace.Step, name string) int {
	if name == "warp" && !s.Mixed {
		return bits.OnesCount16(uint16(warpsOf(s) & 6))
	}
	return s.Count()
}

func warpsOf(s *trace.Step) (set branch.WarpSet) {
	for _, w := range s.Warp[:s.N] {
		set |= 1 << w
	}
	return set
}

// The first N warp-instructions are recorded without a gap, and no others; later launches are not
// recorded.
func TestFirst(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 17, 100} {
		var out bytes.Buffer
		r, err := trace.NewRecorder(&out, trace.Options{Filter: trace.Filter{First: n}}, nil)
		require.NoError(t, err)
		for i := range 2 {
			_, err := watch(r, i, maze.New(9), "", &want{blocks: map[int][]trace.Step{}})
			require.NoError(t, err)
		}
		require.NoError(t, r.Close())
		f := open(t, out.Bytes())
		require.Len(t, f.Launches, 1)
		require.Equal(t, n, f.Launches[0].Count)
		data, _, _, ok := record(t, 9, "", trace.Options{})
		require.True(t, ok)
		var count uint64
		for _, s := range steps(t, open(t, data), trace.Filter{First: n}) {
			count += uint64(s.Count())
		}
		require.Equal(t, n, count)
	}
}
