package stats_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/stats"
	"jacquard/simt"
)

// number sets every counter of v to 1, except in histograms, and returns how many there are.
func number(v reflect.Value) int {
	n := 0
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			n += number(v.Field(i))
		}
	case reflect.Uint64:
		v.SetUint(1)
		return 1
	}
	return n
}

// Every counter has exactly one column.
func TestColumns(t *testing.T) {
	names := map[string]bool{}
	name := func(n, help string) {
		require.False(t, names[n], n)
		names[n] = true
		require.Regexp(t, `^[a-z0-9_]+$`, n)
		require.Regexp(t, `^[A-Z].*\.$`, help)
	}

	var launch simt.Stats
	counters := number(reflect.ValueOf(&launch).Elem()) - number(reflect.ValueOf(&launch.Memory).Elem())
	require.Len(t, stats.Columns(), counters)
	for _, c := range stats.Columns() {
		name(c.Name, c.Help)
		require.EqualValues(t, 1, *c.Of(&launch), c.Name)
		*c.Of(&launch) = 0
	}

	var in simt.InstructionStats
	require.Len(t, stats.InstructionColumns(), number(reflect.ValueOf(&in).Elem()))
	for _, c := range stats.InstructionColumns() {
		name(c.Name, c.Help)
		require.EqualValues(t, 1, *c.Of(&in), c.Name)
		*c.Of(&in) = 0
	}
}

// docs/statistics.md defines every counter.
func TestColumnsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/statistics.md")
	require.NoError(t, err)
	for _, c := range stats.Columns() {
		require.True(t, strings.Contains(string(page), "`"+c.Name+"`"), c.Name)
	}
	for _, c := range stats.InstructionColumns() {
		require.True(t, strings.Contains(string(page), "`"+c.Name+"`"), c.Name)
	}
}
