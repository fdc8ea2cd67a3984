package branch

import "jacquard/simt/lane"

// mimd runs every lane alone, in ascending order, each to its next barrier or its end.
// Nothing diverges and nothing meets: it is the bound from below, and what each lane does
// here is what every other scheme must let it do.
type mimd struct{}

func newMIMD([]string) Flow { return newPaths(mimd{}) }

func (mimd) begin(p *paths, mask lane.Mask) {
	p.waiting.apart = true
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

func (mimd) plain() Kinds { return 0 }
