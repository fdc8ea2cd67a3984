package main_test

import (
	"debug/elf"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/api"
)

// TestExportedSymbols checks that the library exports exactly the symbols of the table: a client
// that finds a name that never existed would call it.
func TestExportedSymbols(t *testing.T) {
	file, err := elf.Open(filepath.Join(library(t), "libcuda.so.1"))
	require.NoError(t, err)
	defer file.Close()
	symbols, err := file.DynamicSymbols()
	require.NoError(t, err)
	var exported []string
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && elf.ST_BIND(s.Info) != elf.STB_LOCAL {
			require.Equal(t, elf.STT_FUNC, elf.ST_TYPE(s.Info), s.Name)
			require.Empty(t, s.Version, "%s has a symbol version", s.Name)
			exported = append(exported, s.Name)
		}
	}
	slices.Sort(exported)
	table, err := api.Load(os.DirFS("."))
	require.NoError(t, err)
	var want []string
	for _, f := range table.Functions {
		want = append(want, f.Symbol)
	}
	slices.Sort(want)
	require.Equal(t, want, exported)
}

func TestSharedObjectName(t *testing.T) {
	file, err := elf.Open(filepath.Join(library(t), "libcuda.so"))
	require.NoError(t, err)
	defer file.Close()
	name, err := file.DynString(elf.DT_SONAME)
	require.NoError(t, err)
	require.Equal(t, []string{"libcuda.so.1"}, name)
}
