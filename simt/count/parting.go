package count

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// parting follows how the lanes of a warp part and meet, from the masks of its issues
// alone, so that the counts mean the same under every divergence policy.
type parting struct {
	last lane.Mask   // lanes of the last issue that was not empty
	sets []lane.Mask // the live lanes: a set has lanes that last ran together; the latest is last

	most     int            // places found at once
	partings int            // times that lanes parted and may be at more places
	places   []branch.Place // scratch
}

// Lanes that last ran together are at one place, or at two if they part there. So places need no
// counting while there are no more sets than places before.
//
// After its first partings the places of a warp are counted only now and then: a loop in which
// lanes part goes on as it began. The step is prime, lest it keeps time with the loop.
const (
	allPartings = 64
	partingStep = 17
)

// look reports whether to count the places of the lanes after one more parting, which made a number
// of sets.
func (p *parting) look(sets int) bool {
	if sets <= p.most {
		return false
	}
	next := p.nextLook()
	p.partings++
	return p.partings == next
}

// nextLook returns at which parting the places are counted next.
func (p *parting) nextLook() int {
	if p.partings < allPartings {
		return p.partings + 1
	}
	return (p.partings/partingStep + 1) * partingStep
}

// start begins with the lanes of a warp together.
func (p *parting) start(mask lane.Mask) {
	p.last, p.sets, p.most, p.partings = mask, append(p.sets[:0], mask), 1, 0
}

// issue records that the lanes of m issue. It returns how many sets met in m, beyond the first, and
// whether a set parted.
func (p *parting) issue(m lane.Mask) (met int, parted bool) {
	if n := len(p.sets) - 1; n >= 0 && m&^p.sets[n] == 0 { // lanes of the set that ran before
		p.last = m
		if p.sets[n] != m {
			p.sets[n] &^= m
			p.sets = append(p.sets, m)
			return 0, true
		}
		return 0, false
	}
	if n := len(p.sets); n > 1 { // the sets that parted last
		top, below := &p.sets[n-1], &p.sets[n-2]
		switch m {
		case *top | *below:
			*below = m
			p.last, p.sets = m, p.sets[:n-1]
			return 1, false
		case *below:
			*top, *below = *below, *top
			p.last = m
			return 0, false
		}
	}
	met = -1
	first := len(p.sets) // first set that m takes lanes from
	for missing := m; missing != 0 && first > 0; {
		first--
		if p.sets[first]&missing != 0 {
			met++
			missing &^= p.sets[first]
		}
	}
	rest := p.sets[:first]
	for _, s := range p.sets[first:] {
		if left := s &^ m; left != 0 {
			parted = parted || left != s
			rest = append(rest, left)
		}
	}
	p.last, p.sets = m, append(rest, m)
	return max(met, 0), parted
}

// end drops lanes that have ended.
func (p *parting) end(live lane.Mask) {
	rest := p.sets[:0]
	for _, s := range p.sets {
		if s &= live; s != 0 {
			rest = append(rest, s)
		}
	}
	p.sets = rest
}
