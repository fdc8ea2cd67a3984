package branch

import "jacquard/simt/lane"

// mimd runs every lane alone, in ascending order, each to its next barrier or its end. Lanes
// neither diverge nor meet: it is the lower bound of performance, and every other policy must let
// each lane do what it does here.
type mimd struct{ together }

func (mimd) begin(p *paths, mask lane.Mask) {
	p.waiting.separate = true
	for ; mask != 0; mask &= mask - 1 {
		p.list = append(p.list, path{0, mask & -mask})
	}
}

// choose takes the lowest lane that can run.
func (mimd) choose(p *paths) (stop uint32) {
	for i, x := range p.list {
		if i == 0 || x.mask < p.list[p.at].mask {
			p.at = i
		}
	}
	return NoStop
}
