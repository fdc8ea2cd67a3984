package branch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
)

// Every issue of four lanes under the path lists, by where paths may meet. In the first program
// lanes leave one by one for a label. In the second they leave a loop for the instruction after it,
// which no instruction names.
func TestMergingSteps(t *testing.T) {
	var out strings.Builder
	for _, c := range []struct {
		name string
		p    program
	}{
		{"lanes leave one by one", program{
			{kind: bra, target: 5, lanes: 0x8}, {kind: bra, target: 5, lanes: 0x4}, {kind: bra, target: 5, lanes: 0x2}, {}, {},
			{kind: bra, target: 6, lanes: 0x10}, {}, {exit: true},
		}},
		{"lanes leave a loop", program{{}, {kind: bra, target: 0, cond: 6}, {kind: bra, target: 5, lanes: 0x10}, {}, {}, {exit: true}}},
	} {
		for _, policy := range []string{"bfs", "bfs:merge=head", "bfs:merge=labels", "dfs", "dfs:merge=head", "dfs:merge=labels"} {
			_, issues, err := c.p.run(c.p.under(t, policy), []lane.Mask{0xf})
			require.NoError(t, err)
			fmt.Fprintf(&out, "%s, %s\n   ", c.name, policy)
			for _, s := range issues {
				fmt.Fprintf(&out, " %d:%s", s.pc, strings.ReplaceAll(lanes8(s.mask), ".", ""))
			}
			fmt.Fprintln(&out)
		}
	}
	golden(t, "merging-steps.txt", out.String())
}
