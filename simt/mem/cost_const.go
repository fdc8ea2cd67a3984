package mem

import "jacquard/simt/lane"

// ConstSteps returns the steps of a constant memory access: one for each distinct
// address in a half-warp, summed over both.
func ConstSteps(addr *lane.Row, m lane.Mask) int {
	steps := 0
	for h := 0; h < lane.Width; h += halfWarp {
		for half := halfOf(m, h); half != 0; steps++ {
			a := addr[first(half)]
			for rest := half; rest != 0; rest &= rest - 1 {
				if i := first(rest); addr[i] == a {
					half &^= 1 << i
				}
			}
		}
	}
	return steps
}
