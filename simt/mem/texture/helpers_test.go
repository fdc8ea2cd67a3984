package texture

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// block returns a space with one allocation of size bytes, which hold 0, 1, 2 ...
func block(t *testing.T, size uint64) (*mem.Space, uint32) {
	t.Helper()
	s := mem.NewSpace(1 << 20)
	at, err := s.Alloc(size)
	require.NoError(t, err)
	b, err := s.Bytes(at, size)
	require.NoError(t, err)
	for i := range b {
		b[i] = byte(i)
	}
	return s, at
}

// rowOf returns the row whose lane i is f(i).
func rowOf(f func(i int) uint32) *lane.Row {
	var r lane.Row
	for i := range r {
		r[i] = f(i)
	}
	return &r
}

// same returns the row with v in every lane.
func same(v uint32) *lane.Row { return rowOf(func(int) uint32 { return v }) }

// from returns the row of coordinates base, base+step, ...
func from(base, step uint32) *lane.Row {
	return rowOf(func(i int) uint32 { return base + uint32(i)*step })
}
