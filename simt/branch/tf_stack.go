package branch

import (
	"cmp"
	"slices"
)

// tfStack keeps the paths sorted, with the first on top: G. Diamos and others, "SIMD re-convergence
// at thread frontiers" (2011). Paths at one pc become one. A call starts with an empty stack, which
// must run dry before its callers go on: the depth of calls sorts before the pc.
//
// The paper lays the code out by priority and so sorts by pc. With blocks, the paths of other code
// are sorted by the numbers that Lorie and Strong give the blocks.
type tfStack struct {
	together
	blocks *order
}

func prepareTFStack(k *Kernel, chosen []string) (func() Flow, error) {
	rule := &tfStack{}
	if chosen[0] == "blocks" {
		rule.blocks = newOrder(k.Graph())
	}
	return newPaths(rule), nil
}

// choose sorts the paths and joins those at one pc. By pc, the first stays first wherever it goes,
// short of the next.
func (r *tfStack) choose(p *paths) (stop uint32, skippable Kinds) {
	slices.SortFunc(p.list, func(a, b path) int { return r.compare(p, a, b) })
	p.at = 0
	for i := 1; i < len(p.list); {
		if last := &p.list[i-1]; r.compare(p, *last, p.list[i]) == 0 {
			last.mask |= p.list[i].mask
			p.remove(i)
		} else {
			i++
		}
	}
	top := &p.list[0]
	stop, skippable = NoStop, annotations|choices
	if len(p.list) > 1 && r.blocks != nil {
		stop, skippable = r.blocks.end(top.pc), annotations
	}
	for _, x := range p.list[1:] {
		if x.pc > top.pc && p.depth(x) == p.depth(*top) {
			stop = min(stop, x.pc)
		}
	}
	return stop, skippable
}

// compare orders two paths: negative if a goes first, 0 if they are at one pc and depth.
func (r *tfStack) compare(p *paths, a, b path) int {
	if d := cmp.Compare(p.depth(b), p.depth(a)); d != 0 {
		return d
	}
	if r.blocks != nil {
		if d := cmp.Compare(r.blocks.of(a.pc), r.blocks.of(b.pc)); d != 0 {
			return d
		}
	}
	return cmp.Compare(a.pc, b.pc)
}
