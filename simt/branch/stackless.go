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

func newStackless(chosen []string) Flow { return newPaths(&stackless{chosen[0] == "pc"}) }

func (*stackless) begin(p *paths, mask lane.Mask) { together(p, mask) }

// choose joins the paths at the least place. The others are further on: the next of them
// in the same call depth is where the paths may meet.
func (s *stackless) choose(p *paths) (stop uint32) {
	p.at = 0
	for i := 1; i < len(p.list); {
		switch order := s.compare(p, i, p.at); {
		case order < 0:
			p.at = i
			i++
		case order == 0:
			p.list[p.at].mask |= p.list[i].mask
			p.remove(i)
		default:
			i++
		}
	}
	stop = NoStop
	for i, x := range p.list {
		if i != p.at && s.depth(p, i) == s.depth(p, p.at) {
			stop = min(stop, x.pc)
		}
	}
	return stop
}

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
