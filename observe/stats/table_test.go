package stats_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"jacquard/observe/stats"
)

// A table has the rows of the files of its runs, after a column that names the run.
func TestTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	f, err := os.Create(path)
	require.NoError(t, err)
	table, err := stats.NewTable(f)
	require.NoError(t, err)
	const launches = 6000 // of three rows: more than a group
	l := launch(t, "kernel", 5)
	for n := range launches {
		require.NoError(t, table.Add([]string{"a", "b"}[n%2], l))
	}
	require.NoError(t, table.Close())
	require.NoError(t, f.Close())

	type row struct {
		Cell string `parquet:"cell"`
		parquetRow
	}
	rows, err := parquet.ReadFile[row](path)
	require.NoError(t, err)
	require.Len(t, rows, 3*launches)
	require.Equal(t, "b", rows[3*launches-1].Cell)
	for i, s := range l.Stats.ByInstruction {
		require.Equal(t, "a", rows[i].Cell)
		require.Equal(t, l.Kernel.Code[i].String(), rows[i].Instruction)
		require.EqualValues(t, s.Threads, rows[3*launches-6+i].Threads)
		require.EqualValues(t, s.Active[5], rows[i].ActiveLanes[5])
	}
}

// A table without launches is a table.
func TestEmptyTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	f, err := os.Create(path)
	require.NoError(t, err)
	table, err := stats.NewTable(f)
	require.NoError(t, err)
	require.NoError(t, table.Close())
	require.NoError(t, f.Close())
	rows, err := parquet.ReadFile[parquetRow](path)
	require.NoError(t, err)
	require.Empty(t, rows)
}
