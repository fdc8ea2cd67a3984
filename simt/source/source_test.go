package source_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/source"
)

func TestTable(t *testing.T) {
	pcs := []uint32{0, 4, 8, 16}
	table := source.New(pcs, func(pc uint32) source.Line {
		if pc == 4 {
			return source.Line{}
		}
		return source.Line{File: []string{"a.cu", "b,.h"}[pc/8%2], Line: int(pc) + 1}
	})
	data, err := json.Marshal(table)
	require.NoError(t, err)
	require.Equal(t, `{"files":["a.cu","b,.h"],"file":[1,0,2,1],"line":[1,0,9,17]}`, string(data))
	var again source.Table
	require.NoError(t, json.Unmarshal(data, &again))
	require.Equal(t, table, again)
	require.Equal(t, "b,.h:9", again.At(2).String())
	require.Empty(t, again.At(1).String())
	require.Equal(t, 8, again.Size())

	var none source.Table
	require.Nil(t, source.New(pcs, nil))
	require.Empty(t, none.At(3).String())
	data, err = json.Marshal(none)
	require.NoError(t, err)
	require.Equal(t, "null", string(data))
	require.NoError(t, json.Unmarshal(data, &again))
	require.Nil(t, again)
}

// A table with names that are too long is left out, and one that no writer makes is refused.
func TestTableLimits(t *testing.T) {
	data, err := json.Marshal(source.Table{{File: strings.Repeat("x", 1<<17+1), Line: 1}})
	require.NoError(t, err)
	require.Equal(t, "null", string(data))
	many := "[" + strings.Repeat("1,", 1<<17) + "1]"
	for _, bad := range []string{
		`{"files":[],"file":[1],"line":[1]}`,
		`{"files":["a"],"file":[2],"line":[1]}`,
		`{"files":["a"],"file":[-1],"line":[1]}`,
		`{"files":["a"],"file":[1],"line":[-1]}`,
		`{"files":["a"],"file":[1],"line":[2147483648]}`,
		`{"files":["a"],"file":[1],"line":[]}`,
		`{"files":["a"],"file":` + many + `,"line":` + many + `}`,
		`{"files":["` + strings.Repeat("x", 1<<17+1) + `"],"file":[1],"line":[1]}`,
		`{"files":["` + strings.Repeat("x", 1<<23) + `"],"file":[1],"line":[1]}`,
		`[1]`,
	} {
		var table source.Table
		require.Error(t, json.Unmarshal([]byte(bad), &table), "%.80s", bad)
		require.Nil(t, table)
	}
}
