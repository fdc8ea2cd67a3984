package mem

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBegin(t *testing.T) {
	for first, want := range map[uint32]uint32{0: 0x1000, 0x1000: 0x1000, 0x20000000: 0x20000000, 0xfffff000: 0x1000} {
		s := NewSpace(1 << 20)
		s.Begin(first)
		a, err := s.Alloc(4096)
		require.NoError(t, err)
		require.Equal(t, want, a, "%#x", first)
	}
}
