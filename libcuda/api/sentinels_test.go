package api_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/api"
)

// TestSentinels covers the enumerators that only count or bound the others of release 6.5, and the
// enumerators that releases 3.0 to 6.5 renamed. Programs and bindings use both, so the header
// declares each.
func TestSentinels(t *testing.T) {
	header, err := os.ReadFile("../include/cuda.h")
	require.NoError(t, err)
	type value struct {
		value       int
		from, until api.Version
	}
	got := map[string][]value{}
	for _, e := range load(t).Enums {
		for _, c := range e.Values {
			got[c.Name] = append(got[c.Name], value{c.Value, c.From, c.Until})
		}
	}
	for name, want := range map[string][]value{
		"CU_DEVICE_ATTRIBUTE_MAX":          {{86, 0, 0}},
		"CU_FUNC_ATTRIBUTE_MAX":            {{8, 0, 0}},
		"CU_FUNC_ATTRIBUTE_CACHE_MODE_CA":  {{7, 6000, 0}},
		"CU_JIT_NUM_OPTIONS":               {{15, 0, 0}},
		"CU_JIT_NUM_INPUT_TYPES":           {{5, 0, 0}},
		"CU_LIMIT_MAX":                     {{5, 0, 0}},
		"CU_MAX_JIT_TARGET":                {{8, 0, 0}},
		"CU_TARGET_COMPUTE_13":             {{3, 0, 6000}, {13, 6000, 0}},
		"CU_TARGET_COMPUTE_35":             {{7, 0, 6000}, {35, 6000, 0}},
		"CU_TARGET_COMPUTE_52":             {{52, 6050, 0}},
		"CU_POINTER_ATTRIBUTE_SYNC_MEMOPS": {{6, 6000, 0}},
		"CU_POINTER_ATTRIBUTE_BUFFER_ID":   {{7, 6000, 0}},
		"CU_POINTER_ATTRIBUTE_IS_MANAGED":  {{8, 6000, 0}},
		"CUDA_ERROR_POINTER_IS_64BIT":      {{800, 0, 5000}},
		"CUDA_ERROR_SIZE_IS_64BIT":         {{801, 0, 5000}},
		"CUDA_ERROR_NOT_PERMITTED":         {{800, 5000, 0}},
		"CU_GET_PROC_ADDRESS_SUCCESS":      {{0, 0, 0}},
		"CU_CTX_LMEM_RESIZE_TO_MAX":        {{16, 0, 0}},
	} {
		require.Equal(t, want, got[name], name)
		require.Contains(t, string(header), "\t"+name+" = ")
	}
	require.Contains(t, string(header), "#define CUDA_ARRAY3D_DEPTH_TEXTURE 16\n")
}
