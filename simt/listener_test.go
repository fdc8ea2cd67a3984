package simt_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/simt"
	"jacquard/tesla"
)

// branches counts the issues of branches at which lanes part.
type branches struct{ parted int }

func (o *branches) Block(*simt.Block) simt.BlockObserver { return o }

func (o *branches) Issue(i *simt.Issue) {
	for w := range i.Warps() {
		if i.Instruction.Op == tesla.OpBra && w.Executed != 0 && w.Executed != w.Active {
			o.parted++
		}
	}
}

func (o *branches) End() {}

// The listener above stands in the guide of CONTRIBUTING.md. It counts as statistics do.
func TestListenerOfTheGuide(t *testing.T) {
	page, err := os.ReadFile("../CONTRIBUTING.md")
	require.NoError(t, err)
	own, err := os.ReadFile("listener_test.go")
	require.NoError(t, err)
	_, shown, ok := strings.Cut(string(page), "```go\n")
	require.True(t, ok)
	shown, _, _ = strings.Cut(shown, "```")
	require.Contains(t, string(own), shown)

	all := 0
	for seed := range uint64(40) {
		o, m := &branches{}, maze.New(seed)
		s, err := m.Watch("nvidia", o)
		require.NoError(t, err)
		parted := 0
		for i := range m.Code {
			if m.Code[i].Op == tesla.OpBra {
				parted += int(s.ByInstruction[i].Branch.Divergent)
			}
		}
		require.Equal(t, parted, o.parted, "seed %d", seed)
		all += parted
	}
	require.NotZero(t, all)
}
