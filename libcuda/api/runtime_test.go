package api_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/api"
)

func loadRuntime(t *testing.T) *api.Runtime {
	t.Helper()
	r, err := api.LoadRuntime(os.DirFS("../runtime"))
	require.NoError(t, err)
	return r
}

func TestRuntime(t *testing.T) {
	r := loadRuntime(t)
	needs := map[api.Need]int{}
	releases := map[api.Version]int{}
	for _, f := range r.Functions {
		needs[f.Needs]++
		for _, v := range []api.Version{2030, 3020, 4020, 10000} {
			if f.Since <= v && (f.Until == 0 || v < f.Until) {
				releases[v]++
			}
		}
	}
	require.Equal(t, len(r.Functions), needs[api.NeedsContext]+needs[api.NeedsDriver]+needs[api.NeedsNothing]+needs[api.Unsupported]+needs[api.ByHand])
	// The library of release 4.2 exports as many names as NVIDIA's.
	require.Equal(t, map[api.Version]int{2030: 95, 3020: 120, 4020: 151, 10000: 184}, releases)
}

// TestRuntimeErrors checks that numbers and driver errors are unique, and that an error stands for
// another, of an older release, in the releases before its own.
func TestRuntimeErrors(t *testing.T) {
	numbers, drivers := map[int]api.RuntimeError{}, map[string]string{}
	for _, e := range loadRuntime(t).Errors {
		require.NotContains(t, numbers, e.Value, e.Name)
		numbers[e.Value] = e
		if e.Driver != "" {
			require.Empty(t, drivers[e.Driver], e.Name)
			drivers[e.Driver] = e.Name
		}
	}
	for _, e := range numbers {
		require.Contains(t, numbers, e.Before, e.Name)
		if e.Before != e.Value {
			require.Less(t, numbers[e.Before].Since, e.Since, e.Name)
		}
	}
}

func TestInternalNames(t *testing.T) {
	f := api.RuntimeFunction{Name: "cudaMalloc"}
	require.Equal(t, "runtime_Malloc", f.Internal())
}

// TestBadRuntimeTables reads tables with one mistake each.
func TestBadRuntimeTables(t *testing.T) {
	good := map[string]string{
		"api.csv":     "function,since,until,group,needs,result,parameters\ncudaFree,2.0,,memory,context,,void *p\n",
		"errors.csv":  "name,value,since,before,driver,text\ncudaSuccess,0,2.0,,CUDA_SUCCESS,no error\n",
		"enums.csv":   "type,name,value\ncudaLimit,cudaLimitStackSize,0\n",
		"structs.csv": "struct,field,type,since,until\ncudaPos,x,size_t,2.0,\n",
		"macros.csv":  "name,value\ncudaEventDefault,0x00\n",
	}
	for _, c := range []struct{ path, old, new, want string }{
		{"api.csv", "", "", ""},
		{"api.csv", "2.0", "two", "two"},
		{"api.csv", "2.0,,", "2.0,1.1,", "release 1.1 is not after 2.0"},
		{"api.csv", "context", "luck", `cudaFree needs "luck"`},
		{"api.csv", "context,,", "context,int,", "only functions written by hand return int"},
		{"api.csv", "void *p\n", "void *p\ncudaFree,2.0,,memory,context,,void *p\n", "function cudaFree appears twice"},
		{"errors.csv", ",0,", ",none,", "none"},
		{"errors.csv", "no error", "", "error cudaSuccess has no text"},
		{"enums.csv", ",0", ",zero", "zero"},
		{"structs.csv", "2.0", "x", "x"},
		{"macros.csv", ",0x00", "", "macros.csv"},
	} {
		dir := fstest.MapFS{}
		for path, text := range good {
			if path == c.path {
				text = strings.Replace(text, c.old, c.new, 1)
			}
			dir[path] = &fstest.MapFile{Data: []byte(text)}
		}
		_, err := api.LoadRuntime(dir)
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, c.want)
		}
	}
	_, err := api.LoadRuntime(fstest.MapFS{})
	require.ErrorIs(t, err, os.ErrNotExist)
}
