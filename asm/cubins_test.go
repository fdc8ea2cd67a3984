package asm_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/cubin"
)

// folders hold cubins; a folder that may be missing is not part of the repository.
var folders = []struct {
	path     string
	optional bool
}{{"../testdata", false}, {"../../shared/corpus", true}}

// images calls f with every file of a folder that is a cubin.
func images(t *testing.T, folder string, f func(name string, img *cubin.Image)) (n int) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".cubin") {
			return err
		}
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		if img, err := cubin.Parse(data); err == nil {
			f(path, img)
			n++
		}
		return nil
	}))
	return n
}

// The reader makes of the writer's text the same module: in both syntaxes, as a listing and with
// labels.
func TestCubins(t *testing.T) {
	for _, folder := range folders {
		t.Run(filepath.Base(folder.path), func(t *testing.T) {
			if _, err := os.Stat(folder.path); err != nil && folder.optional {
				t.Skipf("%s is not there: %v", folder.path, err)
			}
			kernels := images(t, folder.path, func(name string, img *cubin.Image) {
				for _, syntax := range []asm.Syntax{asm.Envy, asm.SASS} {
					for _, labels := range []bool{false, true} {
						requireSame(t, name, img, asm.Writer{Syntax: syntax, Labels: labels})
					}
				}
			})
			require.NotZero(t, kernels)
		})
	}
}

func requireSame(t *testing.T, name string, img *cubin.Image, w asm.Writer) {
	t.Helper()
	var text strings.Builder
	require.NoError(t, w.Write(&text, img.Arch, img))
	back, err := asm.Read(text.String())
	require.NoError(t, err, "%s %s:\n%s", name, w.Syntax.Name, text.String())
	require.Equal(t, img, back, "%s %s:\n%s", name, w.Syntax.Name, text.String())
}
