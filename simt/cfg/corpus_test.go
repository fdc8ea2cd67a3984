package cfg_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/decoder"
	"jacquard/simt/cfg"
)

// TestCorpus resolves every break and return of third-party kernels. One kernel is unstructured:
// from its innermost loop, lanes go to the start of any of three enclosing loops.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("../../../shared/corpus/*/*/*.cubin")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no third-party cubins beside the repository, in ../shared/corpus")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		img, err := cubin.Parse(data)
		require.NoError(t, err)
		for _, k := range img.Kernels {
			t.Run(filepath.Base(file)+"/"+k.Name, func(t *testing.T) {
				g, err := cfg.New(decoder.Kernel(img.Arch, k.Code))
				require.NoError(t, err)
				require.Empty(t, g.Problems)
				for _, f := range g.Functions {
					requireSound(t, f)
					require.True(t, resolved(f) && f.Reducible())
					_, err := f.Structure()
					require.Equal(t, filepath.Base(filepath.Dir(file)) == "decuda-test28pred", err != nil, "%v", err)
				}
			})
		}
	}
}
