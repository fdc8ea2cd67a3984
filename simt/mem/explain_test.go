package mem_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// The transactions that are explained are as many, and of the sizes, that statistics count, and have
// all bytes that lanes want.
func TestExplain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		size := 1 << r.IntN(5)
		var addr lane.Row
		stride, base, random := r.IntN(40), r.Uint32N(1<<10), r.IntN(3) == 0
		for l := range addr {
			if random {
				stride = r.IntN(40)
			}
			addr[l] = (base + uint32(l*stride)) * uint32(size)
		}
		m := lane.Mask(r.Uint32()|r.Uint32()) >> (16 * r.IntN(2))
		for _, arch := range []tesla.Arch{tesla.SM10, tesla.SM13} {
			want := mem.Transactions10(&addr, m, size)
			if arch == tesla.SM13 {
				want = mem.Transactions12(&addr, m, size)
			}
			got := map[int]uint64{}
			for h := range 2 {
				half := m & (0xffff << (16 * h))
				list := mem.Explain(arch, &addr, half, size)
				for _, x := range list {
					require.Zero(t, int(x.At)%x.Bytes)
					got[x.Bytes]++
				}
				for l := range addr {
					if half>>l&1 != 0 {
						require.True(t, slices.ContainsFunc(list, func(x mem.Transaction) bool {
							return x.At <= addr[l] && addr[l]+uint32(size) <= x.At+uint32(x.Bytes)
						}), "%v: %d bytes at %x are in no transaction of %v", arch, size, addr[l], list)
					}
				}
			}
			require.Equal(t, [...]uint64{want.By32, want.By64, want.By128}, [...]uint64{got[32], got[64], got[128]}, "%v of %d bytes at %x, lanes %x", arch, size, addr, m)
		}
	}
}

// No bank is busy in more steps than there are, and one that is busy once collides with none.
func TestBankSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var addr lane.Row
	for range 20_000 {
		for l := range addr {
			addr[l] = 4 * r.Uint32N(40)
		}
		m := lane.Mask(r.Uint32N(1<<16-1)) + 1
		steps := mem.BankSteps(&addr, m)
		require.LessOrEqual(t, slices.Max(steps[:]), int(mem.SharedSteps(&addr, m, 4).Steps))
		if slices.Max(steps[:]) == 1 {
			require.EqualValues(t, 1, mem.SharedSteps(&addr, m, 4).Steps)
		}
	}
}
