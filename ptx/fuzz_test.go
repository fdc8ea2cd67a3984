package ptx

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse reads any text. Instructions without mistakes can be printed.
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
		for _, item := range m.Items {
			if f, ok := item.(*Func); ok {
				for _, s := range f.Body {
					if in, ok := s.(*Instr); ok {
						require.NotEmpty(t, in.String())
					}
				}
			}
		}
	})
}
