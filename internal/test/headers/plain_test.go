package headers

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// forCUDA are headers that refuse other programs.
var forCUDA = map[string]bool{"cuda_fp16.h": true}

// TestPlain includes each header alone in a program that is no CUDA, in the oldest standards.
func TestPlain(t *testing.T) {
	for _, language := range []struct{ variable, compiler, option, suffix string }{
		{"CC", "cc", "-std=gnu89", ".c"}, {"CC", "cc", "-std=c99", ".c"},
		{"CXX", "c++", "-std=gnu++98", ".cpp"}, {"CXX", "c++", "-std=c++17", ".cpp"},
	} {
		compiler := os.Getenv(language.variable)
		if compiler == "" {
			compiler = language.compiler
		}
		if _, err := exec.LookPath(compiler); err != nil {
			t.Logf("SKIPPED %s: no %s", language.option, compiler)
			continue
		}
		for _, name := range headers(t) {
			t.Run(language.option+"/"+name, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "alone"+language.suffix)
				text := []byte("#include <" + name + ">\nint main(void) { return 0; }\n")
				require.NoError(t, os.WriteFile(file, text, 0o666))
				out, err := exec.Command(compiler, language.option, "-fsyntax-only",
					"-pedantic", "-Wall", "-Werror", "-Wno-unused-function", "-Wno-long-long",
					"-I", filepath.Join(root, "toolkit/include"),
					"-I", filepath.Join(root, "libcuda/include"), file).CombinedOutput()
				if forCUDA[name] {
					require.ErrorContains(t, err, "exit status")
					require.Contains(t, string(out), "is for CUDA C++ alone")
					return
				}
				require.NoError(t, err, "%s", out)
			})
		}
	}
}
