package branch_test

import (
	"fmt"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// checkPlaces returns an error unless the places partition the live lanes.
func checkPlaces(places []branch.Place, live lane.Mask) error {
	var seen lane.Mask
	for _, p := range places {
		switch {
		case p.Lanes == 0:
			return fmt.Errorf("no lane is at pc 0x%x", p.PC)
		case p.Lanes&seen != 0:
			return fmt.Errorf("lanes %08x at pc 0x%x are elsewhere too", uint32(p.Lanes&seen), p.PC)
		case p.Lanes&^live != 0:
			return fmt.Errorf("lanes %08x at pc 0x%x have ended", uint32(p.Lanes&^live), p.PC)
		}
		seen |= p.Lanes
	}
	if lost := live &^ seen; lost != 0 {
		return fmt.Errorf("lanes %08x are nowhere", uint32(lost))
	}
	return nil
}
