package clang

import (
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/conformance"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/tesla"
)

// TestEngines compares the engines on the machine code of every kernel. The flag -sample 1
// runs all of them under every policy.
func TestEngines(t *testing.T) {
	w := conformance.Whole{Sample: 2003}
	defer w.Report(t)
	for _, release := range releases {
		files := open(t, release)
		for i := range sources {
			for level := range 4 {
				for _, arch := range tesla.Archs {
					if why := refused(sources[i].name, arch); why != "" {
						continue // checkMachine says so
					}
					enginesAgree(t, &w, &sources[i], files, fmt.Sprintf("%s-O%d.ptx", sources[i].name, level), arch)
				}
			}
		}
	}
}

// enginesAgree compares the engines on the kernels of a file. The file is compiled if one runs.
func enginesAgree(t *testing.T, w *conformance.Whole, s *source, files fs.FS, name string, arch tesla.Arch) {
	var im *cubin.Image
	for i := range s.kernels {
		k := &s.kernels[i]
		w.Each(t, fmt.Sprintf("%s of %s on %s", k.name, name, arch), func() *simt.Launch {
			if im == nil {
				text, err := fs.ReadFile(files, name)
				require.NoError(t, err)
				m, err := ptx.Parse(name, text)
				require.NoError(t, err)
				im, err = compile.Compile(m, compile.Options{Arch: arch, Verify: true})
				require.NoError(t, err)
			}
			l, _, err := launch(im, k, s.n)
			require.NoError(t, err)
			l.Watchdog = 0
			return l
		})
	}
}
