package tags

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A write to a half of a register keeps a pattern only if the other half fits it.
func TestInserted(t *testing.T) {
	for _, c := range []struct{ old, written, low, high Tag }{
		{Uniform, Uniform, Uniform, Uniform},
		{Uniform, Split, Split, Unknown},
		{Split, Uniform, Unknown, Split},
		{Split, Split, Split, Unknown},
		{Affine, Uniform, Unknown, Unknown},
		{Affine, Split, Unknown, Unknown},
		{Unknown, Uniform, Unknown, Unknown},
		{Uniform, Affine, Unknown, Unknown},
		{Uniform, Unknown, Unknown, Unknown},
	} {
		var s State
		s.regs[3] = c.old
		require.Equal(t, c.low, s.inserted(6, c.written), "low half: %+v", c)
		require.Equal(t, c.high, s.inserted(7, c.written), "high half: %+v", c)
	}
}
