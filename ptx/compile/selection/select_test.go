package selection_test

import (
	"flag"
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
// in the title.
func TestSelect(t *testing.T) {
	cases.Run(t, "testdata/select.txt", *update, func(t *testing.T, title, text string) string {
		arch := tesla.SM13
		if strings.Contains(title, "sm_10") {
			arch = tesla.SM10
		}
		f, err := ir.Parse("k\n" + text)
		require.NoError(t, err)
		out, err := selection.Select(f, arch, selection.Layout{
			Slot: func(v *ptx.Var, addend uint32) uint32 { return 0x40 + addend },
			Unit: func(*ptx.Var) int { return 3 },
		})
		if err != nil {
			return "error: " + err.Error()
		}
		require.NoError(t, code.Verify(out))
		_, blocks, _ := strings.Cut(out.String(), "\n")
		return blocks
	})
}
