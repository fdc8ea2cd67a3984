package mem

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClone(t *testing.T) {
	s := NewSpace(1 << 20)
	a, err := s.Alloc(5000)
	require.NoError(t, err)
	gone, err := s.Alloc(1)
	require.NoError(t, err)
	b, err := s.Map([]byte{1, 2, 3})
	require.NoError(t, err)
	require.NoError(t, s.Free(gone))
	c := s.Clone(func(addr uint32, data []byte) []byte {
		if addr == b {
			return []byte{4, 5, 6}
		}
		return bytes.Clone(data)
	})
	mine, err := c.Bytes(a, 5000)
	require.NoError(t, err)
	mine[0] = 7
	theirs, err := s.Bytes(a, 5000)
	require.NoError(t, err)
	require.Zero(t, theirs[0])
	other, err := c.Bytes(b, 3)
	require.NoError(t, err)
	require.Equal(t, []byte{4, 5, 6}, other)
	_, err = c.Bytes(gone, 1)
	require.Error(t, err)
	free, total := s.Info()
	freeToo, totalToo := c.Info()
	require.Equal(t, [2]uint64{free, total}, [2]uint64{freeToo, totalToo})
	next, err := s.Alloc(1)
	require.NoError(t, err)
	nextToo, err := c.Alloc(1)
	require.NoError(t, err)
	require.Equal(t, next, nextToo, "as if the same had happened to it")
	require.Panics(t, func() { s.Clone(func(uint32, []byte) []byte { return nil }) })
}
