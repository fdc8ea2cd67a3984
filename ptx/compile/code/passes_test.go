package code_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/cases"
	"jacquard/ptx"
	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/ptx/compile/selection"
	"jacquard/tesla"
)

// TestPasses shows each pass on kernels in testdata/passes/PASS.txt: values, from which instructions
// are selected, and the code before and after the pass. A title may begin with the most registers,
// and the bytes of local memory that the kernel has.
func TestPasses(t *testing.T) {
	for n, p := range code.Passes() {
		t.Run(p.Name, func(t *testing.T) {
			file := filepath.Join("testdata", "passes", p.Name+".txt")
			cases.Run(t, file, *update, func(t *testing.T, title, text string) string {
				f := selected(t, text)
				if n, _ := fmt.Sscanf(title, "[%d registers, %d bytes]", &f.MaxRegs, &f.Local); n == 0 {
					f.MaxRegs = 124
				}
				for _, before := range code.Passes()[:n] {
					require.NoError(t, before.Run(f))
				}
				before := blocks(f)
				require.NoError(t, p.Run(f))
				require.NoError(t, code.Verify(f))
				return before + "--\n" + blocks(f)
			})
		})
	}
}

// selected returns the instructions of a kernel that is written as values.
func selected(t *testing.T, text string) *code.Func {
	f, err := ir.Parse("k\n" + text)
	require.NoError(t, err)
	out, err := selection.Select(f, tesla.SM13, selection.Layout{
		Slot: func(_ *ptx.Var, addend uint32) uint32 { return 0x40 + addend },
		Unit: func(*ptx.Var) int { return 3 },
	})
	require.NoError(t, err)
	return out
}

// blocks returns the text of a function without the name.
func blocks(f *code.Func) string {
	_, text, _ := strings.Cut(f.String(), "\n")
	return text
}
