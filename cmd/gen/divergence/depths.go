package main

import (
	"math/bits"

	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// depths observes one warp and sees whether lanes in different depths of calls are issued
// together. It begins alone.
type depths struct {
	calls [lane.Width]int
	mixed bool
	alone bool // so far no two lanes were issued together
}

// Block watches the only block.
func (d *depths) Block(*simt.Block) simt.BlockObserver { return d }

// Issue compares and follows the depths of the lanes.
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

// End has nothing to do.
func (d *depths) End() {}
