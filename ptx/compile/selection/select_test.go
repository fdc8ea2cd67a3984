package selection_test

import (
	"flag"
	"fmt"
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

var update = flag.Bool("update", false, "rewrite what is selected in testdata")

// TestSelect selects the instructions of the kernels in testdata, for sm_13 or for the architecture
// that a title begins with. Behind the code stands what its text leaves out.
func TestSelect(t *testing.T) {
	cases.Run(t, "testdata/select.txt", *update, func(t *testing.T, title, text string) string {
		arch := tesla.SM13
		for _, a := range tesla.Archs {
			if strings.HasPrefix(title, a.String()) {
				arch = a
			}
		}
		f, err := ir.Parse("k\n" + text)
		require.NoError(t, err)
		out, err := choose(f, arch)
		if err != nil {
			return "error: " + err.Error()
		}
		require.NoError(t, code.Verify(out))
		_, blocks, _ := strings.Cut(out.String(), "\n")
		return blocks + literals(out) + registers(out) + meetings(out)
	})
}

// choose selects for a module whose variables have their addresses at 0x40 of bank 14.
func choose(f *ir.Func, arch tesla.Arch) (*code.Func, error) {
	return selection.Select(f, arch, selection.Layout{
		Slot: func(v *ptx.Var, addend uint32) uint32 { return 0x40 + addend },
		Unit: func(*ptx.Var) int { return 3 },
	})
}

// literals returns a line with the words of the literal pool.
func literals(f *code.Func) string {
	if len(f.Literals) == 0 {
		return ""
	}
	return fmt.Sprintf("literals %#x\n", f.Literals)
}

// registers returns a line for each property that registers have.
func registers(f *code.Func) string {
	out := ""
	for k, name := range []string{"low", "open", "first"} {
		line := ""
		for i, r := range f.Regs {
			if [...]bool{r.Low, r.Open, r.Fixed == 1}[k] {
				line += fmt.Sprintf(" v%d", i)
			}
		}
		if line != "" {
			out += name + line + "\n"
		}
	}
	return out
}

// meetings returns a line for each block where lanes of a warp come together.
func meetings(f *code.Func) (out string) {
	for _, b := range f.Blocks {
		if b.Meet || b.All || b.Bar {
			out += fmt.Sprintf("b%d meet=%t all=%t barrier=%t\n", b.ID, b.Meet, b.All, b.Bar)
		}
	}
	return out
}
