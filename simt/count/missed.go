package count

import (
	"cmp"
	"slices"
	"strings"

	"jacquard/simt/check"
)

// missedBarriers has, for each barrier by its address and for each word, the finding of the block
// with the lowest number.
type missedBarriers []earliest[check.MissedBarrier]

// Note takes in the findings of a block, by its number in the grid.
func (l *missedBarriers) Note(block int, found *check.MissedBarrier) {
	at, known := slices.BinarySearchFunc(*l, found, func(e earliest[check.MissedBarrier], m *check.MissedBarrier) int {
		return cmp.Or(cmp.Compare(e.found.PC, m.PC), strings.Compare(e.found.What, m.What))
	})
	if !known {
		*l = slices.Insert(*l, at, earliest[check.MissedBarrier]{})
	}
	(*l)[at].Note(block, found)
}

// take adds the findings of another worker.
func (l *missedBarriers) take(o missedBarriers) {
	for _, e := range o {
		l.Note(e.block, e.found)
	}
}

// list returns the findings by address, or nil.
func (l missedBarriers) list() (found []*check.MissedBarrier) {
	for _, e := range l {
		found = append(found, e.found)
	}
	return found
}
