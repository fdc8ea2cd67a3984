package source_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/source"
)

// All headers of the toolkit are known, wherever they are installed, and those of users are not.
func TestSystem(t *testing.T) {
	for _, folder := range []string{"", "crt/", "jacquard/"} {
		files, err := os.ReadDir("../../toolkit/include/" + folder)
		require.NoError(t, err)
		for _, f := range files {
			if strings.HasSuffix(f.Name(), ".h") {
				require.True(t, source.System("/opt/x/include/"+folder+f.Name()), f.Name())
			}
		}
	}
	for _, file := range []string{
		"/usr/lib/llvm-19/lib/clang/19/include/__clang_cuda_math.h", "/opt/llvm/lib/clang/19/include/x.h",
		"/usr/include/c++/12/cmath",
	} {
		require.True(t, source.System(file), file)
	}
	for _, file := range []string{"", "a.cu", "/home/me/include/mine.h", "include/mine.h", "vector_types.h"} {
		require.False(t, source.System(file), file)
	}
	f := source.NewFrame("k", source.Line{File: "a.cu", Line: 3})
	require.Equal(t, "a.cu:3", f.String())
	require.False(t, f.System)
}
