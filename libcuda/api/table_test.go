package api_test

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/api"
)

func load(t *testing.T) *api.Table {
	t.Helper()
	table, err := api.Load(os.DirFS(".."))
	require.NoError(t, err)
	return table
}

func TestTable(t *testing.T) {
	table := load(t)
	require.Len(t, table.Functions, 282)
	priorities := map[int]int{}
	groups := map[string]bool{}
	for _, f := range table.Functions {
		priorities[f.Priority]++
		groups[f.Group] = true
	}
	require.Equal(t, map[int]int{1: 120, 2: 80, 3: 82}, priorities)
	require.Len(t, groups, 25)
}

// TestNarrowInterface checks that functions from before 3.2 take only narrow device pointers, and
// later functions only pointer-wide ones.
func TestNarrowInterface(t *testing.T) {
	for _, f := range load(t).Functions {
		for _, p := range f.Params {
			switch p.Base() {
			case "CUdeviceptr":
				require.GreaterOrEqual(t, f.Since, api.WideABI, f.Symbol)
			case "CUdeviceptr_v1":
				require.Equal(t, "v1", f.Variant, f.Symbol)
			}
		}
	}
}

func TestNarrowStructs(t *testing.T) {
	var narrow []string
	for _, s := range load(t).Structs {
		if s.Narrow {
			require.True(t, s.Wide, s.Name)
			narrow = append(narrow, s.Name)
		}
	}
	require.Equal(t, []string{"CUDA_ARRAY_DESCRIPTOR", "CUDA_ARRAY3D_DESCRIPTOR", "CUDA_MEMCPY2D", "CUDA_MEMCPY3D"}, narrow)
}

func TestGoNames(t *testing.T) {
	for _, c := range []struct{ symbol, want string }{
		{"cuInit", "goInit"},
		{"cuMemAlloc_v2", "goMemAllocV2"},
		{"cuTexRefSetAddress2D_v3", "goTexRefSetAddress2DV3"},
	} {
		f := api.Function{Symbol: c.symbol}
		require.Equal(t, c.want, f.GoName())
	}
}

func TestVersions(t *testing.T) {
	v, err := api.ParseVersion("4.1")
	require.NoError(t, err)
	require.Equal(t, api.Version(4010), v)
	require.Equal(t, "4.1", v.String())
	for _, bad := range []string{"", "4", "four", "0.1", "4.100"} {
		_, err := api.ParseVersion(bad)
		require.Error(t, err, bad)
	}
}

// TestChangedConstants checks the one number whose meaning depends on the program's release.
func TestChangedConstants(t *testing.T) {
	type value struct {
		value       int
		from, until api.Version
	}
	got := map[string][]value{}
	for _, e := range load(t).Enums {
		for _, c := range e.Values {
			if e.Name == "CUresult" && (c.Name == "CUDA_ERROR_LAUNCH_FAILED" || c.Name == "CUDA_ERROR_ILLEGAL_ADDRESS") {
				require.True(t, e.Guarded(c))
				got[c.Name] = append(got[c.Name], value{c.Value, c.From, c.Until})
			}
		}
	}
	require.Equal(t, map[string][]value{
		"CUDA_ERROR_ILLEGAL_ADDRESS": {{700, 6000, 0}},
		"CUDA_ERROR_LAUNCH_FAILED":   {{700, 0, 6000}, {719, 6000, 0}},
	}, got)
}

func TestLoadErrors(t *testing.T) {
	const head = "function,symbol,variant,group,since,priority,parameters\n"
	files := func(functions, constants string) fstest.MapFS {
		return fstest.MapFS{
			"api/types.csv":        {Data: []byte("type,kind,tag,since,definition\nCUdevice,scalar,,1.0,int\n")},
			"api/structs.csv":      {Data: []byte("struct,field,type\nCUuuid,bytes[16],char\n")},
			"api/enums.csv":        {Data: []byte("type,name,value,note\n")},
			"api/api.csv":          {Data: []byte(head + functions)},
			"driver/constants.csv": {Data: []byte("type,name,value,note\n" + constants)},
		}
	}
	_, err := api.Load(files("cuInit,cuInit,,init,1.0,1,unsigned int Flags\n", "CUe,A,1,\n"))
	require.NoError(t, err)
	for _, c := range []struct{ name, functions, constants, want string }{
		{"suffix", "cuA,cuA_v3,v2,g,1.0,1,void\n", "", `api/api.csv: line 2: symbol cuA_v3 is not variant "v2" of cuA`},
		{"priority", "cuA,cuA,,g,1.0,4,void\n", "", `api/api.csv: line 2: priority "4" is not 1, 2 or 3`},
		{"release", "cuA,cuA,,g,one,1,void\n", "", `api/api.csv: line 2: release "one" is not of the form 3.2`},
		{"parameter", "cuA,cuA,,g,1.0,1,int\n", "", `api/api.csv: line 2: parameter "int" is not of the form 'type name' or 'type *name'`},
		{"type", "cuA,cuA,,g,1.0,1,CUnknown x\n", "", "cuA: parameter x has unknown type CUnknown"},
		{"twice", "cuA,cuA,,g,1.0,1,void\ncuA,cuA,,g,1.0,1,void\n", "", "symbol cuA appears twice"},
		{"no base", "cuA,cuA_v2,v2,g,3.2,1,void\n", "", "symbol cuA_v2 has no unsuffixed variant"},
		{"too wide", "cuA,cuA,,g,3.1,1,CUdeviceptr p\n", "", "cuA: pointer-wide parameters in release 3.1"},
		{"value", "", "CUe,A,x,\n", `driver/constants.csv: line 2: constant A: value "x" is not a number`},
		{"note", "", "CUe,A,1,sometimes\n", `driver/constants.csv: line 2: constant A: unknown note "sometimes"`},
		{"contradiction", "", "CUe,A,1,\nCUe,A,2,\n", "driver/constants.csv: line 3: constant A is both 1 and 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := api.Load(files(c.functions, c.constants))
			require.EqualError(t, err, c.want)
		})
	}
}
