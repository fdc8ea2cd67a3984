package mirror

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/otherdriver"
)

// apart is a context with two buffers, which have other addresses there.
func apart(low, high otherdriver.Address) *context {
	c := &context{m: &Mirror{}}
	c.buffers.Insert(&buffer{address: 0x20002000, memory: make([]byte, 64), there: high})
	c.buffers.Insert(&buffer{address: 0x20000000, memory: make([]byte, 64), there: low})
	return c
}

func TestTranslated(t *testing.T) {
	c := apart(0x100000, 0x7f0000000000)
	got, err := c.translated(words(0x20000008, 8, 0x20002000, 0))
	require.NoError(t, err)
	require.Equal(t, words(0x100008, 8, 0, 0x7f00), got)
	_, err = c.translated(words(8, 0x20002000, 0))
	require.EqualError(t, err, "its parameters have 32-bit addresses, and the other driver's have 64 bits")
}
