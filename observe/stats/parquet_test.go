package stats_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"jacquard/observe/stats"
)

// parquetRow holds some columns of a row.
type parquetRow struct {
	Launch      int64   `parquet:"launch"`
	Kernel      string  `parquet:"kernel"`
	Seconds     float64 `parquet:"seconds"`
	PC          int64   `parquet:"pc"`
	Instruction string  `parquet:"instruction"`
	Issues      int64   `parquet:"issues"`
	Threads     int64   `parquet:"threads"`
	ActiveLanes []int64 `parquet:"active_lanes,list"`
}

// Another implementation reads the file after every launch and finds all rows in order.
func TestParquet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.parquet")
	w, err := stats.Target{Path: path, Kind: stats.Parquet}.Create(run())
	require.NoError(t, err)
	rows, err := parquet.ReadFile[parquetRow](path)
	require.NoError(t, err)
	require.Empty(t, rows)

	var want []parquetRow
	for n := range 16 {
		l := launch(t, "kernel", 1+n*17)
		l.Number = n
		if n == 8 {
			l.Stats.ByInstruction = nil // a launch that counted nothing
		}
		require.NoError(t, w.Add(l))
		for i, s := range l.Stats.ByInstruction {
			r := parquetRow{int64(n), "kernel", 1500e-9, int64(s.PC), l.Kernel.Code[i].String(), int64(s.Issues), int64(s.Threads), nil}
			for _, v := range s.Active {
				r.ActiveLanes = append(r.ActiveLanes, int64(v))
			}
			want = append(want, r)
		}
		rows, err := parquet.ReadFile[parquetRow](path)
		require.NoError(t, err)
		require.Equal(t, want, rows)
	}
	require.NoError(t, w.Close())

	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	info, err := f.Stat()
	require.NoError(t, err)
	file, err := parquet.OpenFile(f, info.Size())
	require.NoError(t, err)
	require.Less(t, len(file.RowGroups()), 6, "of 15 launches")
}

// A full group is not rewritten.
func TestParquetOfManyRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.parquet")
	w, err := stats.Target{Path: path, Kind: stats.Parquet}.Create(run())
	require.NoError(t, err)
	l := launch(t, "kernel", 32)
	many, code := l.Stats.ByInstruction, l.Kernel.Code
	for len(many) < 3000 {
		many, code = append(many, many...), append(code, code...)
	}
	l.Kernel.Code, l.Stats.ByInstruction = code, many
	l.Kernel.PCs = make([]uint32, len(code))
	for n := range 14 {
		l.Number = n
		require.NoError(t, w.Add(l))
	}
	require.NoError(t, w.Close())
	rows, err := parquet.ReadFile[parquetRow](path)
	require.NoError(t, err)
	require.Len(t, rows, 14*len(many))
	require.EqualValues(t, 13, rows[len(rows)-1].Launch)
}
