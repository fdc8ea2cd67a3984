package lane

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestNewRowsAreAligned(t *testing.T) {
	require.Empty(t, NewRows(0))
	for n := 1; n < 40; n++ {
		rows := NewRows(n)
		require.Len(t, rows, n)
		require.Zero(t, uintptr(unsafe.Pointer(&rows[0]))%rowAlign)
		rows[n-1][Width-1] = 1 // inside the allocation, as the race detector's checks confirm
	}
}

func TestSelKeep(t *testing.T) {
	var s Sel
	s.Full = true
	s.Add(1, All)
	s.Add(4, 3)
	s.Add(7, All)
	require.False(t, s.Full)
	tail := s
	s.Keep(0, 4)
	require.Equal(t, 1, s.N)
	require.True(t, s.Full)
	tail.Keep(4, MaxWarps)
	require.Equal(t, []uint8{4, 7}, tail.Warp[:tail.N])
	require.Equal(t, []Mask{3, All}, tail.Mask[:tail.N])
	require.False(t, tail.Full)
}
