package conformance

import (
	"hash/maphash"
	"math/bits"
	"slices"

	"jacquard/simt"
	"jacquard/simt/lane"
)

// record is a recorder of one launch: it hashes its events.
type record struct {
	instructions int
	sum          uint64
}

// Block records every block.
func (r *record) Block(*simt.Block) simt.BlockRecorder { return r }

// Keeps asks for every instruction.
func (r *record) Keeps() []bool { return slices.Repeat([]bool{true}, r.instructions) }

// States asks for none.
func (r *record) States() bool { return false }

// Run notes the issues of a warp.
func (r *record) Run(w int, list []simt.Stretch) {
	for _, s := range list {
		r.add(s)
	}
}

// Keep notes which lanes executed an instruction, and their addresses.
func (r *record) Keep(_ *simt.Block, index, w int, executed lane.Mask, addresses *lane.Row) {
	r.add([3]int{index, w, int(executed)})
	for m := executed; m != 0 && addresses != nil; m &= m - 1 {
		r.add(addresses[bits.TrailingZeros32(uint32(m))])
	}
}

// Reached has nothing to do.
func (r *record) Reached(uint64) {}

// End has nothing to do.
func (r *record) End(*simt.Fault) {}

// Fault has nothing to do.
func (r *record) Fault(*simt.Fault, int) {}

func (r *record) add(v any) { r.sum = r.sum*31 + maphash.Comparable(seed, v) }
