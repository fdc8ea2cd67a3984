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
