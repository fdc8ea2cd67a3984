package branch

import "jacquard/simt/lane"

// Place is where lanes of one warp stand. Lanes of a place need not run together.
type Place struct {
	PC      uint32    // where they go on, byte address
	Lanes   lane.Mask // never empty
	Blocked bool      // they wait at a barrier of the block
}

// appendPlace adds a place for the lanes of m, if there are any.
func appendPlace(to []Place, pc uint32, m lane.Mask) []Place {
	if m == 0 {
		return to
	}
	return append(to, Place{PC: pc, Lanes: m})
}

// places appends where the lanes wait that are blocked.
func (w *waiting) places(to []Place) []Place {
	for _, p := range w.paths {
		to = append(to, Place{p.pc, p.mask, true})
	}
	return to
}
