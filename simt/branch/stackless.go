package branch

import "jacquard/simt/lane"

// stackless runs the lanes whose pc is least, those in the deepest call first: C. Collange,
// "Stack-less SIMT reconvergence at low cost" (2011). Lanes that stand at one place run
// together from then on, so nothing needs to be said in the code, and nothing is issued
// twice.
//
// The paper arbitrates by SP:PC. Tesla code has no stack pointer: the depth of calls takes
// its place. byPC leaves the depth out, which shows the paper's listing 1: a function
// behind its call site is entered by everyone only after all else was run past it.
type stackless struct{ byPC bool }

func prepareStackless(_ *Kernel, chosen []string) (func() Policy, error) {
	newFlow := func() Flow { return newPaths(&stackless{chosen[0] == "pc"}) }
	return func() Policy { return forking{newPerWarp(newFlow), nil, TakenLast} }, nil
}

func (*stackless) begin(p *paths, mask lane.Mask) { together(p, mask) }

// choose sorts the paths, which are in order but for those that moved, and joins those at one place. The others
// are further on than the first: the next of them in the same call depth is where the paths may meet.
func (s *stackless) choose(p *paths) (stop uint32) {
	for i := 1; i < len(p.list); {
		j := i
		for j > 0 && s.compare(p, i, j-1) < 0 {
			j--
		}
		x := p.list[i]
		if j > 0 && s.compare(p, i, j-1) == 0 {
			p.list[j-1].mask |= x.mask
			p.remove(i)
			continue
		}
		copy(p.list[j+1:i+1], p.list[j:i])
		p.list[j] = x
		i++
	}
	p.at = 0
	if len(p.list) > 1 && s.depth(p, 1) == s.depth(p, 0) {
		return p.list[1].pc
	}
	return NoStop
}

// plain: the first path stays the first wherever it goes, short of the next.
func (*stackless) plain() Kinds { return ignored | choices }

// compare orders paths i and j: negative if i goes first, 0 if they are at one place.
func (s *stackless) compare(p *paths, i, j int) int {
	if a, b := s.depth(p, i), s.depth(p, j); a != b {
		return int(b) - int(a)
	}
	return int(int64(p.list[i].pc) - int64(p.list[j].pc))
}

// depth returns the call depth of path i; all its lanes share it.
func (s *stackless) depth(p *paths, i int) uint32 {
	if s.byPC {
		return 0
	}
	return p.depth(p.list[i])
}
