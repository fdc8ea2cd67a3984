package lane

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Lanes take their own columns. A lane whose column is taken gets the lowest free one.
func TestColumns(t *testing.T) {
	for _, c := range []struct {
		name    string
		masks   []Mask
		width   int
		columns Mask
		from    []uint32 // by column: the warp times 100 and the lane; 0 if none
	}{
		{"apart", []Mask{0x3, 0xc}, 32, 0xf, []uint32{100, 101, 202, 203}},
		{"two in one column", []Mask{0x3, 0x6}, 32, 0xf, []uint32{100, 101, 202, 201}},
		{"displaced past a gap", []Mask{0x5, 0x5}, 32, 0xf, []uint32{100, 200, 102, 202}},
		{"narrow", []Mask{0x300, 0x5}, 8, 0xf, []uint32{108, 109, 202, 200}},
		{"a narrow row is full", []Mask{0xf0, 0xf}, 4, 0xf, []uint32{104, 105, 106, 107}},
		{"all", []Mask{0xffff, 0xffff}, 32, All, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s Sel
			var regs [3]Row
			for i, m := range c.masks {
				s.Add(i+1, m)
				for l := range regs[i+1] {
					regs[i+1][l] = uint32(100*(i+1) + l)
				}
			}
			require.Equal(t, c.columns, s.Columns(c.width))
			row, m := s.Gather(RowsOf(&regs[0], 1), c.width)
			require.Equal(t, c.columns, m)
			for at, want := range c.from {
				require.Equal(t, want, row[at], "column %d", at)
			}
		})
	}
}
