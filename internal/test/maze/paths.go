package maze

import (
	"fmt"
	"math/bits"

	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Paths observes a launch and keeps the path of every thread: the instructions that it
// executed, in order, as a hash. After every issue it checks that the policy has each live lane in
// exactly one place. The zero Paths is ready for one launch.
type Paths struct {
	blocks map[[2]int]*threads
	lost   error // the first lane found in no place, or in two
}

// threads are the paths of a block's threads, a row of lanes for each warp.
type threads struct {
	of     *Paths
	path   [][lane.Width]path
	places []branch.Place // scratch
}

// path is the path of one thread.
type path struct {
	hash  uint64
	steps uint64
	last  uint32 // pc
}

// Block implements simt.Observer.
func (p *Paths) Block(b *simt.Block) simt.BlockObserver {
	if p.blocks == nil {
		p.blocks = map[[2]int]*threads{}
	}
	t := &threads{of: p, path: make([][lane.Width]path, len(b.Lanes()))}
	p.blocks[b.Index()] = t
	return t
}

// Issue adds a step to the paths of the lanes that are active and not vetoed, whatever the guard.
func (t *threads) Issue(i *simt.Issue) {
	for w := range i.Warps() {
		if !w.Vetoed {
			t.step(i, w.Warp, w.Active)
		}
		if t.of.lost == nil {
			t.of.lost = t.partition(i, w.Warp)
		}
	}
}

func (t *threads) step(i *simt.Issue, warp int, lanes lane.Mask) {
	for ; lanes != 0; lanes &= lanes - 1 {
		p := &t.path[warp][bits.TrailingZeros32(uint32(lanes))]
		if i.Instruction.Op == tesla.OpBraIndirect && p.steps > 0 && p.last == i.PC {
			continue // it waited while lanes with another target left
		}
		p.step(i.PC)
	}
}

// step adds an instruction to the path.
func (p *path) step(pc uint32) {
	p.hash = (p.hash ^ uint64(pc)) * 0x9e3779b97f4a7c15
	p.hash ^= p.hash >> 29
	p.steps++
	p.last = pc
}

// partition returns an error unless each live lane of the warp is in one place.
func (t *threads) partition(i *simt.Issue, warp int) error {
	t.places = i.Block.Places(warp, t.places[:0])
	var seen lane.Mask
	for _, p := range t.places {
		if twice := seen & p.Lanes; twice != 0 {
			return fmt.Errorf("after pc 0x%x, warp %d: lanes %08x are in two places", i.PC, warp, uint32(twice))
		}
		seen |= p.Lanes
	}
	if live := i.Block.Live(warp); seen != live {
		return fmt.Errorf("after pc 0x%x, warp %d: lanes %08x are live, lanes %08x are in places",
			i.PC, warp, uint32(live), uint32(seen))
	}
	return nil
}

// End implements simt.BlockObserver.
func (t *threads) End() {}

// Same returns an error if a thread has another path than in want, a launch of the same grid, or
// if the policy lost a lane.
func (p *Paths) Same(want *Paths) error {
	for index, b := range want.blocks {
		got := p.blocks[index]
		if got == nil {
			return fmt.Errorf("block (%d,%d) did not run", index[0], index[1])
		}
		for w := range b.path {
			for l := range b.path[w] {
				if g, want := got.path[w][l], b.path[w][l]; g != want {
					return fmt.Errorf("block (%d,%d), warp %d, lane %d: %d steps, the last at pc 0x%x; alone it makes %d steps, the last at pc 0x%x",
						index[0], index[1], w, l, g.steps, g.last, want.steps, want.last)
				}
			}
		}
	}
	return p.lost
}
