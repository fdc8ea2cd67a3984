package lane

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMulHalves(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	half := func(v uint32, high bool) uint32 {
		if high {
			return v >> 16
		}
		return v & 0xffff
	}
	sel := Sel{N: 1}
	for n := range 200 {
		aHigh, bHigh := n&1 != 0, n&2 != 0
		sel.Mask[0] = All
		if n&4 != 0 {
			sel.Mask[0] = Mask(r.Uint32())
		}
		sel.Full = sel.Mask[0] == All
		var a, b, c, d, e Row
		for i := range a {
			a[i], b[i], c[i] = r.Uint32(), r.Uint32(), r.Uint32()
		}
		rows := func(x *Row) Rows { return RowsOf(x, 1) }
		MulHalves(aHigh, bHigh)(rows(&d), rows(&a), rows(&b), &sel)
		e = c // the addend is also the destination, as in short forms
		MulAddHalves(aHigh, bHigh)(rows(&e), rows(&a), rows(&b), rows(&e), &sel)
		for i := range a {
			product := half(a[i], aHigh) * half(b[i], bHigh)
			if sel.Mask[0]>>i&1 == 0 {
				require.Zero(t, d[i])
				require.Equal(t, c[i], e[i])
				continue
			}
			require.Equal(t, product, d[i], "lane %d of %08x and %08x, halves %v %v", i, a[i], b[i], aHigh, bHigh)
			require.Equal(t, product+c[i], e[i])
		}
	}
}
