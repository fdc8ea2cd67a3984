package vector

import (
	"fmt"
	"testing"

	"jacquard/fpu"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// doubles lists the bodies on f64; a row of edges is a row of high words first.
func doubles() (list []body) {
	pairwise := func(name string, n int, emit func(b *Builder, x []Pair) Pair, want func(r *reference)) {
		list = append(list, body{name: name, n: 2 * n, words: doubleWord,
			emit: func(b *Builder, x []Vec, _ int) []Vec {
				var pairs []Pair
				for i := 0; i < len(x); i += 2 {
					pairs = append(pairs, Pair{x[i], x[i+1]})
				}
				d := emit(b, pairs)
				return []Vec{d.Lo, d.Hi}
			},
			want: want})
	}
	for r := fpu.RN; r <= fpu.RZ; r++ {
		t := tesla.Round(r)
		pairwise(fmt.Sprint("DAdd/", r), 2, func(b *Builder, x []Pair) Pair { return b.DAdd(x[0], x[1], r) },
			func(f *reference) { lane.DAdd(f.d64(), f.pair(0), f.pair(1), t, whole) })
		pairwise(fmt.Sprint("DMul/", r), 2, func(b *Builder, x []Pair) Pair { return b.DMul(x[0], x[1], r) },
			func(f *reference) { lane.DMul(f.d64(), f.pair(0), f.pair(1), t, whole) })
		pairwise(fmt.Sprint("DFma/", r), 3, func(b *Builder, x []Pair) Pair { return b.DFma(x[0], x[1], x[2], r) },
			func(f *reference) { lane.DFma(f.d64(), f.pair(0), f.pair(1), f.pair(2), t, whole) })
	}
	pairwise("DMin", 2, func(b *Builder, x []Pair) Pair { return b.DMin(x[0], x[1]) },
		func(f *reference) { lane.DMin(f.d64(), f.pair(0), f.pair(1), whole) })
	pairwise("DMax", 2, func(b *Builder, x []Pair) Pair { return b.DMax(x[0], x[1]) },
		func(f *reference) { lane.DMax(f.d64(), f.pair(0), f.pair(1), whole) })
	for i := range 4 {
		abs, neg := i&1 != 0, i&2 != 0
		pairwise(fmt.Sprint("DModify/", abs, neg), 1, func(b *Builder, x []Pair) Pair { return b.DModify(x[0], abs, neg) },
			func(f *reference) { lane.DModify(f.d64(), f.pair(0), abs, neg, whole) })
	}
	for cmp := range uint8(16) {
		k := masking(fmt.Sprintf("DCompare/%d", cmp), 4,
			func(b *Builder, x []Vec) Mask { return b.DCompare(Pair{x[0], x[1]}, Pair{x[2], x[3]}, cmp) },
			func(r *reference) { lane.DCompare(&r.masks, r.pair(0), r.pair(1), cmp, whole) })
		k.words = doubleWord
		list = append(list, k)
	}
	return list
}

// doubleWord makes words that are high words of interesting f64, or low words.
func doubleWord(x uint32) uint32 {
	high := []uint32{0, 0x80000000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0xfff80000, 0x7fefffff, 0x00100000, 0x000fffff,
		0x3ff00000, 0xbff00000, 0x7ff00001, 0xffffffff, 1, 0x3ca00000, 0x03600000}
	switch x & 3 {
	case 0, 1:
		return high[x>>2%uint32(len(high))]
	case 2:
		return x
	}
	return x&^(0x7ff<<20) | (1020+x>>2%8)<<20
}

func TestDoubles(t *testing.T) { run(t, doubles()) }
