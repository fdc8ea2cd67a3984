package count

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
)

func TestParting(t *testing.T) {
	var p parting
	p.start(0xff)
	for _, c := range []struct {
		name   string
		live   lane.Mask // left before, 0 if no lane ended
		issue  lane.Mask
		met    int
		parted bool
		sets   []lane.Mask
	}{
		{"one side", 0, 0x0f, 0, true, []lane.Mask{0xf0, 0x0f}},
		{"the other", 0, 0xf0, 0, false, []lane.Mask{0x0f, 0xf0}},
		{"all", 0, 0xff, 1, false, []lane.Mask{0xff}},
		{"some", 0, 0x03, 0, true, []lane.Mask{0xfc, 0x03}},
		{"more", 0, 0x0c, 0, true, []lane.Mask{0xf0, 0x03, 0x0c}},
		{"three meet, one in part", 0, 0x1f, 2, true, []lane.Mask{0xe0, 0x1f}},
		{"after some ended", 0xe7, 0xe7, 1, false, []lane.Mask{0xe7}},
		{"whoever was gone comes back", 0, 0xff, 0, false, []lane.Mask{0xff}},
		{"lane 0", 0, 0x01, 0, true, []lane.Mask{0xfe, 0x01}},
		{"after some ended beside lane 0", 0x0f, 0x0e, 0, false, []lane.Mask{0x01, 0x0e}},
	} {
		if c.live != 0 {
			p.end(c.live)
		}
		met, parted := p.issue(c.issue)
		require.Equal(t, c.met, met, c.name)
		require.Equal(t, c.parted, parted, c.name)
		require.Equal(t, c.sets, p.sets, c.name)
		require.Equal(t, c.issue, p.last, c.name)
	}
}

// The cost of a mask in slots, by its definition lane by lane.
func TestGroups(t *testing.T) {
	for _, m := range []lane.Mask{0, 1, 0x80, 0x100, 0x80000000, 0x01010101, 0x00ff0000, 0xf00, 0x8001, lane.All} {
		slots, quads := slotsAndQuads(m)
		require.Equal(t, slotsByLane(m), slots, "%08x", m)
		count := 0
		for l := 0; l < lane.Width; l += 4 {
			if m>>l&0xf != 0 {
				count++
			}
		}
		require.Equal(t, count, quads, "%08x", m)
	}
}

// slotsByLane counts the groups of eight lanes with an active one, lane by lane.
func slotsByLane(m lane.Mask) int {
	var slots [Slots]bool
	for i := range lane.Width {
		if m>>i&1 != 0 {
			slots[i/SlotLanes] = true
		}
	}
	n := 0
	for _, some := range slots {
		if some {
			n++
		}
	}
	return n
}
