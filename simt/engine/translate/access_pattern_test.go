package translate

import (
	"fmt"
	"math/rand/v2"

	"jacquard/simt/lane"
)

// places is a row of offsets in memory, or of addresses.
type places struct {
	name string
	at   lane.Row
}

// patterns returns offsets of elements of size bytes in a memory of limit bytes. Some are outside,
// and some are not aligned.
func patterns(size, limit uint32, r *rand.Rand) (list []places) {
	add := func(name string, at func(i uint32) uint32) {
		p := places{name: name}
		for i := range p.at {
			p.at[i] = at(uint32(i))
		}
		list = append(list, p)
	}
	inside := func(off uint32) uint32 { return off % (limit &^ 15) }
	for _, start := range []uint32{0, 4, 8, 16, 32, 36, 48, 60, 64, 96, 112, 128} {
		start = start / size * size
		add(fmt.Sprintf("contiguous from %d", start), func(i uint32) uint32 { return inside(start + i*size) })
	}
	for stride := uint32(2); stride <= 33; stride++ {
		add(fmt.Sprintf("stride %d", stride), func(i uint32) uint32 { return inside(i * stride * size) })
	}
	for ways := uint32(1); ways <= 16; ways++ { // lanes that share a bank
		add(fmt.Sprintf("%d ways", ways), func(i uint32) uint32 { return inside(i%ways*64 + i/ways*4/size*size) })
	}
	for words := uint32(1); words <= 16; words++ { // lanes that share words, by twos and so on
		add(fmt.Sprintf("%d words", words), func(i uint32) uint32 { return inside(i % words * 68 / size * size) })
	}
	for _, apart := range []uint32{64, 80, 256} { // half-warps with a row each
		add(fmt.Sprintf("rows %d apart", apart), func(i uint32) uint32 { return inside(128 + i/16*apart*size + i%16*size) })
		add(fmt.Sprintf("rows %d apart, not at a segment", apart), func(i uint32) uint32 { return inside(36/size*size + i/16*apart*size + i%16*size) })
		add(fmt.Sprintf("a word each, %d apart", apart), func(i uint32) uint32 { return inside(64 + i/16*apart*size) })
	}
	add("rows from far away", func(i uint32) uint32 { return i%16*size - i/16*8*size })
	add("broadcast", func(uint32) uint32 { return inside(16 * 7) })
	add("one word", func(i uint32) uint32 { return inside(16 + i*size%max(4, size)) })
	add("reversed", func(i uint32) uint32 { return inside((31 - i) * size) })
	add("pairs swapped", func(i uint32) uint32 { return inside((i ^ 1) * size) })
	add("one away", func(i uint32) uint32 { return inside((i + i/31*100) * size) })
	for n := range 8 {
		add(fmt.Sprintf("random %d", n), func(uint32) uint32 { return inside(r.Uint32() / size * size) })
		add(fmt.Sprintf("histogram %d", n), func(uint32) uint32 { return inside(r.Uint32N(64) * max(4, size)) })
		add(fmt.Sprintf("near %d", n), func(uint32) uint32 { return inside(r.Uint32N(64) * size) })
		add(fmt.Sprintf("anyhow %d", n), func(uint32) uint32 { return inside(r.Uint32()) })
	}
	odd := r.Uint32N(32)
	add("one misaligned", func(i uint32) uint32 {
		if i == odd {
			return i*size + size/2
		}
		return i * size
	})
	for short := range 2 * size {
		add(fmt.Sprintf("%d before the end", short), func(i uint32) uint32 { return limit - short - (31-i)*size })
	}
	end := (limit - size) / size * size
	add("the last element", func(uint32) uint32 { return end })
	add("behind the end", func(uint32) uint32 { return end + size })
	add("over the end", func(i uint32) uint32 { return end - 8*size + i*size })
	add("over zero", func(i uint32) uint32 { return (i - 16) * size })
	add("far away", func(i uint32) uint32 { return 0x80000000 + i*size })
	return list
}

// masks returns sets of lanes that access. The empty set is for guarded accesses.
func masks(r *rand.Rand) []lane.Mask {
	return []lane.Mask{
		lane.All, 0xffff, 0xffff0000, 0x00ff00ff, 1 << r.IntN(32), 1 << 31, 1, 0x55555555, 0x7fffffff, 0,
		lane.Mask(r.Uint32()) | 4, lane.Mask(r.Uint32()&r.Uint32()) | 1<<20,
	}
}
