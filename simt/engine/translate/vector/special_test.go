package vector

import (
	"math/rand/v2"
	"slices"
	"testing"

	"jacquard/simt/engine/translate/host"
	"jacquard/simt/lane"
)

func specials() (list []body) {
	type special struct {
		name string
		emit func(b *Builder, x [2]Vec) [2]Vec
		want lane.Unary
	}
	all := []special{
		{"Rcp", (*Builder).Rcp, lane.Rcp},
		{"Rsqrt", (*Builder).Rsqrt, lane.Rsqrt},
		{"Lg2", (*Builder).Lg2, lane.Lg2},
		{"Sin", (*Builder).Sin, lane.Sin},
		{"Cos", (*Builder).Cos, lane.Cos},
		{"Ex2", (*Builder).Ex2, lane.Ex2},
	}
	if host.PermutesBytes() {
		for _, k := range slices.Clone(all) {
			emit := k.emit
			k.name += " bytes"
			k.emit = func(b *Builder, x [2]Vec) [2]Vec {
				b.Bytes = true
				return emit(b, x)
			}
			all = append(all, k)
		}
	}
	for _, k := range all {
		list = append(list, body{name: k.name, n: 1, group: 2,
			emit: func(b *Builder, x []Vec, _ int) []Vec {
				d := k.emit(b, [2]Vec(x))
				return d[:]
			},
			want: func(r *reference) { k.want(r.d(), r.x(0), whole) }})
	}
	list = append(list,
		monadic("PreSin", (*Builder).PreSin, lane.PreSin),
		monadic("PreEx2", (*Builder).PreEx2, lane.PreEx2))
	for i := range list {
		random, small := list[i], list[i]
		random.name += "/random"
		small.name += "/small results"
		small.rows = smallResults
		list[i].words = floatWord
		list = append(list, random, small)
	}
	return list
}

// smallResults fills a row with numbers around 1, whose logarithms are small, or around 0, angles
// from PreSin included.
func smallResults(rnd *rand.Rand, in []lane.Row) {
	for j := range in[0] {
		around := []uint32{0, one32, 1 << 23, 1 << 24, sign32}[rnd.IntN(5)]
		in[0][j] = around + rnd.Uint32()>>rnd.IntN(32) - rnd.Uint32()>>rnd.IntN(32)
	}
}

func TestSpecials(t *testing.T) { run(t, specials()) }
