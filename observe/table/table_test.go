package table_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"jacquard/observe/table"
)

func ExampleLead() {
	row := table.New("nvidia", "gtx280", "sm_13", "reduce", 0, [2]int{16, 1}, [3]int{256, 1, 1})
	other := table.New("nvidia", "gtx280", "sm_13", "reduce", 1, [2]int{1, 1}, [3]int{256, 1, 1})
	row.Merge(&other)
	fmt.Println(table.Names())
	fmt.Printf("%q\n", row.Cells())
	// Output:
	// [policy device arch kernel launch grid_x grid_y block_x block_y block_z]
	// ["nvidia" "gtx280" "sm_13" "reduce" "" "" "1" "256" "1" "1"]
}

// CSV and Parquet files have the same leading columns in the same order, and the number 0 is not
// the same as none.
func TestParquet(t *testing.T) {
	schema := parquet.SchemaOf(table.Lead{})
	var names []string
	for _, path := range schema.Columns() {
		names = append(names, path[0])
	}
	require.Equal(t, table.Names(), names)

	first := table.New("a", "b", "c", "d", 0, [2]int{1, 2}, [3]int{3, 4, 5})
	sum := first
	next := table.New("a", "b", "c", "e", 1, [2]int{1, 2}, [3]int{3, 4, 5})
	sum.Merge(&next)
	var file bytes.Buffer
	w := parquet.NewGenericWriter[table.Lead](&file)
	_, err := w.Write([]table.Lead{first, sum})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	rows, err := parquet.Read[table.Lead](bytes.NewReader(file.Bytes()), int64(file.Len()))
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "c", "d", "0", "1", "2", "3", "4", "5"}, rows[0].Cells())
	require.Equal(t, []string{"a", "b", "c", "", "", "1", "2", "3", "4", "5"}, rows[1].Cells())
}

// What launches do not share stays unknown, whatever is merged next.
func TestMergeForgets(t *testing.T) {
	a := table.New("a", "b", "c", "d", 0, [2]int{1, 1}, [3]int{32, 1, 1})
	b := table.New("x", "b", "c", "d", 1, [2]int{1, 1}, [3]int{64, 1, 1})
	sum := a
	sum.Merge(&b)
	sum.Merge(&a)
	require.Equal(t, []string{"", "b", "c", "d", "", "1", "1", "", "1", "1"}, sum.Cells())
	require.Equal(t, int64(32), *a.BlockX, "the launch itself stays")
	lost := sum
	lost.Merge(&a)
	require.Nil(t, lost.BlockX)
}
