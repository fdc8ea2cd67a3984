package branch

import (
	"cmp"
	"slices"
	"strconv"
)

// stackless runs the lanes with the least pc, and of them the lanes in the deepest call first: C.
// Collange, "Stack-less SIMT reconvergence at low cost" (2011). Lanes at one pc run together from
// then on, so the code needs no annotations, and nothing is issued twice.
//
// The paper arbitrates by SP:PC. Tesla code has no stack pointer: the depth of calls takes its
// place. byPC leaves the depth out, which shows the paper's listing 1: lanes enter a function that
// follows its call site only after they ran everything before it. predict.go has the proposal of
// section 6, a branch predictor beside the arbiter.
type stackless struct {
	together
	byPC bool
}

func prepareStackless(k *Kernel, chosen []string) (func() Policy, error) {
	rule := &stackless{byPC: chosen[0] == "pc"}
	newFlow := newPaths(rule)
	if chosen[1] == "predicted" {
		newFlow = newPredicted(k, rule)
		return func() Policy { return newPerWarp(newFlow) }, nil
	}
	return func() Policy { return newWhole(newFlow) }, nil
}

// choose sorts the paths, which are in order except for the paths that moved, and joins paths at
// one pc. The first path may meet the next path of its call depth, and stays first wherever it goes
// short of that.
func (s *stackless) choose(p *paths) (stop uint32, skippable Kinds) {
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
		return p.list[1].pc, annotations | choices
	}
	return NoStop, annotations | choices
}

// keeps says that each lane has a pc.
func (*stackless) keeps(int) EntryKind { return LaneEntry }

// compare orders paths i and j: negative if i goes first, 0 if they are at one pc and depth.
func (s *stackless) compare(p *paths, i, j int) int {
	if a, b := s.depth(p, i), s.depth(p, j); a != b {
		return cmp.Compare(b, a)
	}
	return cmp.Compare(p.list[i].pc, p.list[j].pc)
}

// depth returns the call depth of path i, which its lanes share.
func (s *stackless) depth(p *paths, i int) uint32 {
	if s.byPC {
		return 0
	}
	return p.depth(p.list[i])
}

// simty keeps the order of stackless in two tables, as the Simty processor does. A hot window
// holds a few sorted paths, and the first of them runs. The other paths are cold, unsorted, until
// the window has room. Paths meet in the window only, so some meetings are missed.
//
// Unverified: how the hardware refills the window. Here the longest cold path moves up when there
// is room, and the last path of the window goes cold when there is none.
type simty struct {
	stackless
	hot int
}

func prepareSimty(_ *Kernel, chosen []string) (func() Flow, error) {
	hot, err := strconv.Atoi(chosen[0])
	return newPaths(&simty{hot: hot}), err
}

// choose sorts the window and the path next to it, and joins paths at one pc. Then the next choice
// looks at another cold path, if there is one; else the first path stays first, as in stackless.
func (s *simty) choose(p *paths) (stop uint32, skippable Kinds) {
	n := min(s.hot+1, len(p.list))
	for i := 1; i < n; i++ {
		for j := i; j > 0 && s.compare(p, j, j-1) < 0; j-- {
			p.list[j], p.list[j-1] = p.list[j-1], p.list[j]
		}
	}
	for i := n - 1; i > 0; i-- {
		if s.compare(p, i, i-1) == 0 {
			p.list[i-1].mask |= p.list[i].mask
			p.list = slices.Delete(p.list, i, i+1)
			n--
		}
	}
	p.at, stop = 0, NoStop
	for i := 1; i < n; i++ {
		if s.depth(p, i) == s.depth(p, 0) {
			stop = min(stop, p.list[i].pc)
		}
	}
	if n == min(s.hot+1, len(p.list)) {
		skippable = annotations | choices
	}
	return stop, skippable
}

func (s *simty) keeps(i int) EntryKind {
	if i < s.hot {
		return PathEntry
	}
	return ColdEntry
}
