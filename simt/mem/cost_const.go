package mem

import (
	"math/bits"

	"jacquard/simt/lane"
)

// addConst counts a constant memory access that survey found to be p.
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

// CountConst counts an access to constant memory that nobody checks. m may be empty.
func (s *Steps) CountConst(addr *lane.Row, m lane.Mask) { s.addConst(addr, m, scattered) }

// constSteps returns the steps of a constant memory access of a half-warp, or part of one: one
// for each distinct address.
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
