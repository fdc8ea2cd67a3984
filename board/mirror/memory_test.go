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

func TestTranslate(t *testing.T) {
	c := apart(0x100000, 0x7f0000000000)
	for here, want := range map[uint32]otherdriver.Address{
		// The end of a buffer belongs to it.
		0x20000000: 0x100000, 0x2000003f: 0x10003f, 0x20000040: 0x100040,
		0x20002004: 0x7f0000000004,
	} {
		there, ok := c.buffers.Translate(here)
		require.True(t, ok, "%#x", here)
		require.Equal(t, want, there, "%#x", here)
	}
	for _, here := range []uint32{0, 0x1fffffff, 0x20000041, 0x20002041, 0xffffffff} {
		_, ok := c.buffers.Translate(here)
		require.False(t, ok, "%#x", here)
	}
}

func TestTranslated(t *testing.T) {
	c := apart(0x100000, 0x7f0000000000)
	got, err := c.translated(words(0x20000008, 8, 0x20002000, 0))
	require.NoError(t, err)
	require.Equal(t, words(0x100008, 8, 0, 0x7f00), got)
	_, err = c.translated(words(8, 0x20002000, 0))
	require.EqualError(t, err, "its parameters have 32-bit addresses, and the other driver's have 64 bits")
}

func TestAlike(t *testing.T) {
	c := apart(0x100000, 0x7f0000000000)
	here := words(1, 0x20000004, 0x20002008, 0, 5)
	there := words(1, 0x100004, 8, 0x7f00, 5)
	pointers, same := c.buffers.Alike(here, there, 0)
	require.True(t, same)
	require.Equal(t, []int{4, 8}, pointers)
	require.Equal(t, here, there, "what means the same is the same now")

	for _, there := range [][]byte{words(1, 0x100008, 0, 0, 0), words(1, 0x20000008, 0, 0, 1), words(2, 0x100004, 0, 0, 0)} {
		_, same = c.buffers.Alike(words(1, 0x20000004, 0, 0, 0), there, 0)
		require.False(t, same)
	}
	_, same = c.buffers.Alike([]byte{1, 2, 3, 4, 5}, []byte{1, 2, 3, 4, 6}, 0)
	require.False(t, same, "the bytes behind the last word count")
}
