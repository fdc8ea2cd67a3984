package main

import (
	"math/bits"

	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// depths observes whether one warp issues lanes of different call depths together.
type depths struct {
	calls [lane.Width]int
	mixed bool
	alone bool // true while no two lanes have been issued together
}

// Block implements simt.Observer.
func (d *depths) Block(*simt.Block) simt.BlockObserver { return d }

// Issue compares and updates the depths of the lanes.
func (d *depths) Issue(i *simt.Issue) {
	for w := range i.Warps() {
		if w.Vetoed {
			continue
		}
		d.alone = d.alone && bits.OnesCount32(uint32(w.Active)) == 1
		first := bits.TrailingZeros32(uint32(w.Active))
		for m := w.Active; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(uint32(m))
			d.mixed = d.mixed || d.calls[l] != d.calls[first]
		}
		by := 0
		switch i.Instruction.Op {
		case tesla.OpCall:
			by = 1
		case tesla.OpRet:
			by = -1
		}
		for m := w.Executed; m != 0 && by != 0; m &= m - 1 {
			d.calls[bits.TrailingZeros32(uint32(m))] += by
		}
	}
}

// End implements simt.BlockObserver.
func (d *depths) End() {}
