package trace_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/observe/trace"
)

// A copy holds the selected issues of the original, and the values asked for.
func TestCopy(t *testing.T) {
	all := trace.Values{Registers: true, Addresses: true, Data: true}
	for _, policy := range []string{"", "tbc"} {
		var original bytes.Buffer
		r, err := trace.NewRecorder(&original, trace.Options{Values: all}, nil)
		require.NoError(t, err)
		for i, seed := range []uint64{9, 3, 9} {
			_, err := watch(r, i, maze.New(seed), policy, idle{})
			require.NoError(t, err)
		}
		require.NoError(t, r.Close())
		f := open(t, original.Bytes())
		for name, filter := range map[string]trace.Filter{
			"all":    {},
			"launch": {Launches: []trace.Range{{First: 1, Last: 2}}},
			"part":   {Warps: []trace.Range{{First: 0, Last: 1}}, PCs: []trace.Range{{First: 0x20, Last: 0x100}}, First: 500},
		} {
			var out bytes.Buffer
			require.NoError(t, f.Copy(&out, &filter, all))
			c := open(t, out.Bytes())
			require.Nil(t, c.Damage)
			want, got := steps(t, f, filter), steps(t, c, trace.Filter{})
			require.Equal(t, len(want), len(got), name)
			for i := range want {
				require.Equal(t, normal(want[i]), normal(got[i]), name)
			}
			counts := map[int]int{}
			for i := range got {
				counts[got[i].Launch] += got[i].Count()
			}
			for _, l := range c.Launches {
				require.True(t, l.Ended)
				require.Equal(t, f.Launch(l.Number).Grid, l.Grid)
				require.EqualValues(t, counts[l.Number], l.Count, name)
			}
			if name != "all" {
				require.Less(t, out.Len(), original.Len(), name)
			}

			var bare bytes.Buffer
			require.NoError(t, f.Copy(&bare, &filter, trace.Values{Addresses: true}))
			require.Less(t, bare.Len(), out.Len())
			for i, s := range steps(t, open(t, bare.Bytes()), trace.Filter{}) {
				require.Equal(t, normal(want[i]).Active, normal(s).Active)
				for _, v := range s.Values {
					require.Equal(t, trace.Address, v.Kind)
					require.Contains(t, want[i].Values, v)
				}
			}
		}
	}
}
