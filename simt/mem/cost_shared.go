package mem

import (
	"math/bits"

	"jacquard/simt/lane"
)

// banks is the number of shared memory banks, each a word wide.
const banks = 16

// SharedCost is what a shared memory access costs.
type SharedCost struct {
	Accesses int // 32-bit accesses of a half-warp
	Steps    int // steps they need together; one each is the least
}

// Conflicts returns the steps beyond one an access.
func (c SharedCost) Conflicts() int { return c.Steps - c.Accesses }

// SharedSteps counts a shared memory access of size bytes a lane. Half-warps are served
// in steps. In a step the word that the lowest waiting lane asks for is broadcast to
// all that ask for it, and each other bank serves its lowest waiting lane. Elements
// below 4 bytes count as the word they lie in; those of 8 and 16 bytes are 2 and 4
// accesses.
func SharedSteps(addr *lane.Row, m lane.Mask, size int) SharedCost {
	var c SharedCost
	for h := 0; h < lane.Width; h += halfWarp {
		half := halfOf(m, h)
		if half == 0 {
			continue
		}
		for k := range uint32(max(1, size/4)) {
			c.Accesses++
			c.Steps += wordSteps(addr, half, k)
		}
	}
	return c
}

// wordSteps returns the steps in which the lanes of m, a half-warp, get the words
// k beyond those of their addresses.
func wordSteps(addr *lane.Row, m lane.Mask, k uint32) int {
	if distinctBanks(addr, m) { // k moves every bank alike
		return 1
	}
	steps := 0
	for m != 0 {
		steps++
		shared := addr[first(m)]/4 + k
		busy := uint32(1) << (shared % banks)
		for rest := m; rest != 0; rest &= rest - 1 {
			i := first(rest)
			w := addr[i]/4 + k
			bank := uint32(1) << (w % banks)
			if w == shared || busy&bank == 0 {
				busy |= bank
				m &^= 1 << i
			}
		}
	}
	return steps
}

// distinctBanks reports whether no two lanes of m use one bank.
func distinctBanks(addr *lane.Row, m lane.Mask) bool {
	used := uint32(0)
	for rest := m; rest != 0; rest &= rest - 1 {
		used |= 1 << (addr[first(rest)] / 4 % banks)
	}
	return bits.OnesCount32(used) == bits.OnesCount32(uint32(m))
}
