package mem

import (
	"math/bits"

	"jacquard/simt/lane"
)

// Banks is the number of banks of shared memory, each one word wide.
const Banks = 16

// addShared counts a shared memory access of size bytes per lane with pattern p from survey.
func (s *Steps) addShared(addr *lane.Row, m lane.Mask, size uint32, p pattern) {
	if p == broadcast || p == contiguous && size == 4 { // one word, or one word per bank
		s.AddSingle(HalfWarps(m) * int(max(1, size/4)))
		return
	}
	s.addSteps(addr, m, size)
}

// CountShared counts an unchecked access to shared memory of size bytes per lane. m may be empty.
func (s *Steps) CountShared(addr *lane.Row, m lane.Mask, size uint32) {
	s.addShared(addr, m, size, scattered)
}

// SharedSteps counts a shared memory access of size bytes per lane. A half-warp is served in steps.
// A step broadcasts the word of the lowest waiting lane to all lanes that ask for it, and each
// other bank serves its lowest waiting lane. Elements below 4 bytes count as the word that holds
// them. Elements of 8 and 16 bytes are 2 and 4 accesses.
func SharedSteps(addr *lane.Row, m lane.Mask, size int) *Steps {
	s := new(Steps)
	s.addSteps(addr, m, uint32(size))
	return s
}

// addSteps is SharedSteps added to s.
func (s *Steps) addSteps(addr *lane.Row, m lane.Mask, size uint32) {
	for h := 0; h < lane.Width; h += halfWarp {
		half := halfOf(m, h)
		if half == 0 {
			continue
		}
		for k := range max(1, size/4) {
			s.add(wordSteps(addr, half, k))
		}
	}
}

// wordSteps returns the steps that serve the lanes of m, a half-warp, with the words k beyond their
// addresses.
func wordSteps(addr *lane.Row, m lane.Mask, k uint32) int {
	if oneStep(addr, m) { // k moves all banks alike
		return 1
	}
	steps := 0
	for ; m != 0; steps++ {
		served, _ := step(addr, m, k)
		m &^= served
	}
	return steps
}

// step returns the lanes of m that the next step serves with the words k beyond their addresses, and
// the banks that serve them, as bits.
func step(addr *lane.Row, m lane.Mask, k uint32) (served lane.Mask, busy uint32) {
	shared := addr[first(m)]/4 + k
	busy = 1 << (shared % Banks)
	for rest := m; rest != 0; rest &= rest - 1 {
		i := first(rest)
		w := addr[i]/4 + k
		bank := uint32(1) << (w % Banks)
		if w == shared || busy&bank == 0 {
			busy |= bank
			served |= 1 << i
		}
	}
	return served, busy
}

// oneStep reports whether the lanes of m, a half-warp, use one word or different banks each.
func oneStep(addr *lane.Row, m lane.Mask) bool {
	lowest := first(m)
	word := addr[lowest] / 4
	used, differ := uint32(0), uint32(0)
	for rest, i := m>>lowest, lowest; rest != 0; rest >>= 1 {
		w, active := addr[i%lane.Width]/4, -uint32(rest&1)
		used |= active & (1 << (w % Banks))
		differ |= active & (w ^ word)
		i++
	}
	return differ == 0 || bits.OnesCount32(used) == bits.OnesCount32(uint32(m))
}

// addConst counts a constant memory access with pattern p from survey.
func (s *Steps) addConst(addr *lane.Row, m lane.Mask, p pattern) {
	for h := 0; h < lane.Width; h += halfWarp {
		switch half := halfOf(m, h); {
		case half == 0:
		case p == broadcast:
			s.AddSingle(1)
		case p == contiguous:
			s.add(bits.OnesCount32(uint32(half)))
		default:
			s.add(constSteps(addr, half))
		}
	}
}

// CountConst counts an unchecked access to constant memory. m may be empty.
func (s *Steps) CountConst(addr *lane.Row, m lane.Mask) { s.addConst(addr, m, scattered) }

// constSteps returns the steps of a constant memory access of lanes in one half-warp: one step per
// distinct address.
func constSteps(addr *lane.Row, m lane.Mask) int {
	steps := 0
	for ; m != 0; steps++ {
		a := addr[first(m)]
		for rest := m; rest != 0; rest &= rest - 1 {
			if i := first(rest); addr[i] == a {
				m &^= 1 << i
			}
		}
	}
	return steps
}
