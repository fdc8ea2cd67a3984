package branch

import (
	"slices"

	"jacquard/simt/lane"
)

// bfs walks the code breadth first: the paths of a warp take turns in a queue, one run of
// straight-line code each, and paths that come to one pc join. Every lane makes progress, so lanes
// may wait for each other; the price is that they may meet late. From C. Collange's lecture on
// SIMT (2021), "Path scheduling is graph traversal".
type bfs struct {
	together
	merging
}

func prepareBFS(k *Kernel, chosen []string) (func() Flow, error) {
	return newPaths(bfs{merging: newMerging(k, chosen[0])}), nil
}

// choose sends the path that ran to the back of the queue, with the paths that left it, if it came
// through a branch.
func (b bfs) choose(p *paths) (stop uint32, skippable Kinds) {
	b.meet(p)
	if p.step {
		p.at = (p.at + 1) % len(p.list)
	}
	p.at %= len(p.list)
	b.meetHead(p)
	return p.nextAhead(), annotations
}

// dfs walks the code depth first: the paths of a warp are a stack, the top one runs until it ends
// or waits, and the paths that leave it at branches go under it. From C. Collange's lecture on SIMT
// (2021), which asks whether this is a mask stack. It is not: a mask stack stops at the end of a
// conditional until the other side arrives. Here the first path goes past. Paths meet only where
// the top one comes to the pc of another: at the end of a loop or of an if without an else, but not
// after an if/else.
type dfs struct {
	together
	merging
}

func prepareDFS(k *Kernel, chosen []string) (func() Flow, error) {
	return newPaths(dfs{merging: newMerging(k, chosen[0])}), nil
}

func (d dfs) choose(p *paths) (stop uint32, skippable Kinds) {
	d.raise(p) // above the paths that left it
	d.meet(p)
	d.raise(p)
	d.meetHead(p)
	return p.nextAhead(), annotations
}

// raise puts the running path on top; if it is gone, the path under it is on top already.
func (dfs) raise(p *paths) {
	if i := p.at; i < len(p.list) {
		top := p.list[i]
		p.list = append(slices.Delete(p.list, i, i+1), top)
	}
	p.at = len(p.list) - 1
}

// mimd runs every lane alone, in ascending order, each to its next barrier or its end. Lanes
// neither diverge nor meet: it is the lower bound of performance, and every other policy must let
// each lane do what it does here.
type mimd struct{}

func (mimd) begin(p *paths, mask lane.Mask) {
	p.waiting.separate = true
	for ; mask != 0; mask &= mask - 1 {
		p.list = append(p.list, path{0, mask & -mask})
	}
}

// keeps: a pc for each lane.
func (mimd) keeps(int) EntryKind { return LaneEntry }

// choose takes the lowest lane that can run, wherever it goes: a lane alone does not diverge.
func (mimd) choose(p *paths) (stop uint32, skippable Kinds) {
	for i, x := range p.list {
		if i == 0 || x.mask < p.list[p.at].mask {
			p.at = i
		}
	}
	return NoStop, annotations | choices
}
