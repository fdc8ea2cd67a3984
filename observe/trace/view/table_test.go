package view

import (
	"bytes"
	"math/bits"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"jacquard/observe/table"
	"jacquard/observe/trace"
)

// The rows of a table add up to the statistics, and hold the values of the trace.
func TestTable(t *testing.T) {
	f, stats := record(t, trace.Options{Values: all}, "nvidia", 9, 7)
	var out bytes.Buffer
	require.NoError(t, Table(&out, f, &trace.Filter{}))
	rows, err := parquet.Read[tableRow](bytes.NewReader(out.Bytes()), int64(out.Len()))
	require.NoError(t, err)
	var threads [2]uint64
	for _, r := range rows {
		threads[*r.Launch] += uint64(bits.OnesCount32(r.Executed))
	}
	require.Len(t, rows, int(stats[0].WarpInstructions+stats[1].WarpInstructions))
	require.Equal(t, [2]uint64{stats[0].ThreadInstructions, stats[1].ThreadInstructions}, threads)
	i, compared := 0, 0
	for s, err := range f.Steps(&trace.Filter{}) {
		require.NoError(t, err)
		k := f.Launch(s.Launch).Kernel
		for n := range s.N {
			r := &rows[i]
			i++
			if i%97 != 0 { // a sample: all would take long
				continue
			}
			want := tableSets(s, int(s.Warp[n]))
			l := f.Launch(s.Launch)
			require.Equal(t, table.New("nvidia", "gtx280", k.Arch.String(), k.Name, s.Launch, l.Grid, l.Block), r.Lead)
			require.Equal(t, k.Code[s.Index].String(), r.Text)
			require.EqualValues(t, k.PCs[s.Index], r.PC)
			require.EqualValues(t, s.Time, r.Time)
			require.EqualValues(t, s.Warp[n], r.Warp)
			require.EqualValues(t, s.Active[n], r.Active)
			require.EqualValues(t, s.Executed[n], r.Held)
			require.Len(t, r.Values, len(want))
			for j := range want {
				require.Equal(t, want[j], r.Values[j])
				compared++
			}
		}
	}
	require.Positive(t, compared)
}
