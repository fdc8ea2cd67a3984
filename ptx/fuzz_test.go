package ptx

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse reads any text. What has no mistakes must be printed and read again as it was.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.ptx")
	require.NoError(f, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(text)
	}
	for _, text := range []string{
		"", "\x00", ".version 1.4\n.entry k { }", kernelText("\tret;\n"),
		".version 3.0\n.global .u32 x[] = {1, {2}, 3, x, generic(x)+4, 0xff(x)};",
		".version 1.0\n.func f { .reg .u32 %r<4>; { { a: bra a; } } }",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Parse("fuzz", text)
		if err != nil {
			var one *Error
			require.ErrorAs(t, err, &one)
			require.LessOrEqual(t, len(err.(Errors)), maxErrors)
			require.False(t, errors.Is(err, nil))
			return
		}
		if size(m) < 10000 {
			requireRoundTrip(t, m)
		}
	})
}

// size counts the registers of a module, which a short text can make many.
func size(m *Module) int {
	n := 0
	for _, item := range m.Items {
		if f, ok := item.(*Func); ok {
			n += len(f.Regs)
		}
	}
	return n
}
