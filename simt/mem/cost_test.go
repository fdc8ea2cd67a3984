package mem

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
)

// swapped returns r with the values of lanes i and j exchanged.
func swapped(r *lane.Row, i, j int) *lane.Row {
	r[i], r[j] = r[j], r[i]
	return r
}

func TestTransactions10(t *testing.T) {
	for _, c := range []struct {
		name string
		addr *lane.Row
		m    lane.Mask
		size int
		want Transactions
	}{
		{"words in order", from(0x1000, 4), lane.All, 4, Transactions{By64: 2}},
		{"idle lanes leave gaps", from(0x1000, 4), 0x40020812, 4, Transactions{By64: 2}},
		{"one half-warp", from(0x1000, 4), 0xffff0000, 4, Transactions{By64: 1}},
		{"halves in segments far apart", rowOf(func(i int) uint32 { return uint32(0x1000 + i/16*0x500 + i%16*4) }), lane.All, 4, Transactions{By64: 2}},
		{"one element off", from(0x1004, 4), lane.All, 4, Transactions{By32: 32}},
		{"two lanes exchanged", swapped(from(0x1000, 4), 0, 1), lane.All, 4, Transactions{By32: 16, By64: 1}},
		{"one word for all", same(0x1000), lane.All, 4, Transactions{By32: 32}},
		{"one lane at its element", from(0x1000, 4), 1 << 7, 4, Transactions{By64: 1}},
		{"one lane at another's", same(0x1000), 1 << 7, 4, Transactions{By32: 1}},
		{"every other word", from(0x1000, 8), lane.All, 4, Transactions{By32: 32}},
		{"doubles", from(0x1000, 8), lane.All, 8, Transactions{By128: 2}},
		{"doubles half a segment off", from(0x1040, 8), lane.All, 8, Transactions{By32: 32}},
		{"quads", from(0x1000, 16), lane.All, 16, Transactions{By128: 4}},
		{"quads half a segment off", from(0x1080, 16), lane.All, 16, Transactions{By32: 32}},
		{"bytes never", from(0x1000, 1), lane.All, 1, Transactions{By32: 32}},
		{"halves never", from(0x1000, 2), 0xff, 2, Transactions{By32: 8}},
		{"no lane", from(0x1000, 4), 0, 4, Transactions{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, Transactions10(c.addr, c.m, c.size))
		})
	}
}

func TestTransactions12(t *testing.T) {
	for _, c := range []struct {
		name string
		addr *lane.Row
		m    lane.Mask
		size int
		want Transactions
	}{
		// each half-warp uses 64 bytes of its 128-byte segment
		{"words in order", from(0x1000, 4), lane.All, 4, Transactions{By64: 2}},
		{"words in reverse", rowOf(func(i int) uint32 { return uint32(0x1000 + (31-i)*4) }), lane.All, 4, Transactions{By64: 2}},
		// lanes 0-15 use bytes 4 to 67 of the segment; 16-30 bytes 68 to 127, its upper half; 31
		// begins the next
		{"one element off", from(0x1004, 4), lane.All, 4, Transactions{By32: 1, By64: 1, By128: 1}},
		// lanes 0-15 use bytes 96 to 159: a quarter of one segment and a quarter of the next, 32
		// each; lanes 16-31 use bytes 32 to 95 of the second, across its middle
		{"three quarters of a segment off", from(0x1060, 4), lane.All, 4, Transactions{By32: 2, By128: 1}},
		{"one word for all", same(0x1000), lane.All, 4, Transactions{By32: 2}},
		{"every other word", from(0x1000, 8), lane.All, 4, Transactions{By128: 2}},
		{"a segment a lane", from(0x1000, 128), lane.All, 4, Transactions{By32: 32}},
		{"first and last word of 64 bytes", from(0x1000, 4), 1<<0 | 1<<15, 4, Transactions{By64: 1}},
		{"upper half of an upper half", same(0x1060), 1, 4, Transactions{By32: 1}},
		{"across the middle of the upper half", rowOf(func(i int) uint32 { return uint32(0x105c + i*4) }), 3, 4, Transactions{By64: 1}},
		{"bytes", from(0x1000, 1), lane.All, 1, Transactions{By32: 2}},
		{"bytes a segment apart", from(0x1000, 32), lane.All, 1, Transactions{By32: 32}},
		{"halves", from(0x1000, 2), lane.All, 2, Transactions{By32: 2}},
		{"halves, every other", from(0x1000, 4), lane.All, 2, Transactions{By64: 2}},
		{"doubles", from(0x1000, 8), lane.All, 8, Transactions{By128: 2}},
		{"quads", from(0x1000, 16), lane.All, 16, Transactions{By128: 4}},
		{"one quad", from(0x1010, 16), 1, 16, Transactions{By32: 1}},
		{"no lane", from(0x1000, 4), 0, 4, Transactions{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, Transactions12(c.addr, c.m, c.size))
		})
	}
}

func TestTransactionsSums(t *testing.T) {
	x := Transactions{By32: 3, By64: 5, By128: 7}
	require.EqualValues(t, 15, x.Count())
	require.EqualValues(t, 3*32+5*64+7*128, x.Bytes())
}

func TestSharedSteps(t *testing.T) {
	words := func(w ...uint32) *lane.Row {
		return rowOf(func(i int) uint32 { return 4 * w[i%len(w)] })
	}
	for _, c := range []struct {
		name string
		addr *lane.Row
		m    lane.Mask
		size int
		want Steps
	}{
		{"words in order", from(0, 4), lane.All, 4, Steps{2, 2, 2}},
		{"one word for all", same(64), lane.All, 4, Steps{2, 2, 2}},
		{"every other word", from(0, 8), lane.All, 4, Steps{2, 0, 4}},
		{"every third word", from(0, 12), lane.All, 4, Steps{2, 2, 2}},
		{"one bank", from(0, 64), lane.All, 4, Steps{2, 0, 32}},
		{"one bank, three lanes", from(0, 64), 7, 4, Steps{1, 0, 3}},
		// lanes 0-7 get word 0 by broadcast and lane 8 gets word 1; lanes 9-15 get word 1 in step
		// two
		{"two words", rowOf(func(i int) uint32 { return uint32(i % 16 / 8 * 4) }), lane.All, 4, Steps{2, 0, 4}},
		// lane 0's word is broadcast, although a broadcast of the word of lanes 1-14 would save
		// step two
		{"broadcast is the lowest lane's", words(0, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 1), 0xffff, 4, Steps{1, 0, 2}},
		{"lowest lane's is the best", words(5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 0, 1), 0xffff, 4, Steps{1, 1, 1}},
		// word 0 is broadcast; word 16 is in the same bank and waits
		{"broadcast keeps its bank", words(0, 16), 0xffff, 4, Steps{1, 0, 2}},
		// lanes 0-3 get word 0; words 1, 2 and 3 serve one lane each, and two lanes fewer in each
		// step
		{"bytes in order", from(0, 1), lane.All, 1, Steps{2, 0, 8}},
		{"halves in order", from(0, 2), lane.All, 2, Steps{2, 0, 4}},
		{"doubles in order", from(0, 8), lane.All, 8, Steps{4, 0, 8}},
		{"quads in order", from(0, 16), lane.All, 16, Steps{8, 0, 32}},
		{"no lane", from(0, 4), 0, 4, Steps{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := SharedSteps(c.addr, c.m, c.size)
			require.Equal(t, c.want, *got)
			require.Equal(t, c.want.Steps-c.want.Accesses, got.Conflicts())
		})
	}
}

func TestConstSteps(t *testing.T) {
	for _, c := range []struct {
		name string
		addr *lane.Row
		m    lane.Mask
		want int
	}{
		{"one address", same(8), lane.All, 2},
		{"one address, one half-warp", same(8), 0xf0, 1},
		{"two addresses by turns", rowOf(func(i int) uint32 { return uint32(i % 2 * 4) }), lane.All, 4},
		{"one address a half-warp", rowOf(func(i int) uint32 { return uint32(i / 16 * 4) }), lane.All, 2},
		{"all different", from(0, 4), lane.All, 32},
		{"idle lanes do not count", from(0, 4), 0x00010007, 4},
		{"no lane", same(8), 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, constSteps(c.addr, c.m&0xffff)+constSteps(c.addr, c.m&^0xffff))
		})
	}
}
