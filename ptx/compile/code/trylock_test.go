package code

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// A loop that tries a lock may begin the loop around: lanes meet behind it all the same.
func TestSeparate(t *testing.T) {
	for _, c := range []struct{ name, graph, without, with string }{
		{"two loops with one start", "1 1/2 1/3 .", "0-3", "0-3 new-2"},
		{"the entry", "0/1 0/2 .", "new-2", "new-2 new-1"},
		{"a loop of its own", "1 1/2 .", "0-2", "0-2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, tries := range []bool{false, true} {
				f, want := parseGraph(c.graph), c.without
				if tries {
					head := f.Blocks[0]
					if head.End.Kind == Jump {
						head = head.End.To[0]
					}
					head.Code = append(head.Code, Instr{In: tesla.Instruction{Op: tesla.OpLdShared, Mods: tesla.Lock}})
					want = c.with
				}
				structure(f)
				require.Equal(t, want, annotations(f))
			}
		})
	}
}
