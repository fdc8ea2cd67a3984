package lane

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEven(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		base, stride := rnd.Uint32(), rnd.Uint32()
		want := All
		var r Row
		for i := range r {
			r[i] = base + uint32(i)*stride
			if rnd.IntN(20) == 0 {
				r[i] ^= 1 << rnd.IntN(32)
				want &^= 1 << i
			}
		}
		require.Equal(t, want, Even(&r, base, stride))
	}
}

func TestPack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	for i := range 500 {
		m := Mask(rnd.Uint32())
		if i < 33 {
			m = All >> i
		}
		var r Row
		var want []uint32
		for l := range r {
			if r[l] = rnd.Uint32(); m>>l&1 != 0 {
				want = append(want, r[l])
			}
		}
		var d [2 * Width]uint32
		Pack(&d, &r, m)
		require.Equal(t, want, append([]uint32(nil), d[:bits.OnesCount32(uint32(m))]...))
	}
}
