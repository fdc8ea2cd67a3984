package codec

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// life returns random issues of a warp from time on, one instruction per stretch.
func life(r *rand.Rand, k *Kernel, time uint64) []Stretch {
	masks := []lane.Mask{0, lane.All, 0xff, 0xff00, lane.Mask(r.Uint32())}
	at, active := 0, lane.All
	var list []Stretch
	for range 1 + r.IntN(100) {
		if at == len(k.Code) || r.IntN(4) == 0 {
			at = r.IntN(len(k.Code))
		}
		if r.IntN(6) == 0 {
			active = masks[r.IntN(len(masks))]
		}
		if r.IntN(8) == 0 {
			time += r.Uint64N(3)
		}
		s := Stretch{Time: time, From: int32(at), To: int32(at) + 1, Active: active, Executed: active}
		switch r.IntN(8) {
		case 0:
			s.Executed = 0
		case 1:
			s.Executed &= lane.Mask(r.Uint32())
		case 2:
			s.Executed, s.Vetoed = 0, true
		}
		list = append(list, s)
		at, time = at+1, time+1
	}
	return list
}

// behind reports whether s continues at the end of t.
func behind(s, t *Stretch) bool {
	return s.From == t.To && s.Time == t.Time+uint64(t.To-t.From) &&
		s.Active == t.Active && t.Executed == t.Active && !s.Vetoed && !t.Vetoed
}

// A part has the same bytes however a warp's issues are cut into stretches, and the issues can be
// read from it. Some parts begin at the time at which the part before ended.
func TestCuts(t *testing.T) {
	const w = 3
	one, other := new(Encoder), new(Encoder)
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		n := 1 + r.IntN(10)
		if r.IntN(4) == 0 {
			n = 1 + r.IntN(2*mostPlaces)
		}
		k := &Kernel{Code: make([]tesla.Instruction, n), Values: make([][]Slot, n), Decides: make([]bool, n)}
		for i := range k.Decides {
			k.Decides[i] = r.IntN(3) == 0
		}
		k.Prepare()
		for first, parts := uint64(0), 3; parts > 0; parts-- {
			list := life(r, k, first)
			one.Start(k, 0, false, first)
			other.Start(k, 0, false, first)
			for i := 0; i < len(list); {
				s := list[i]
				one.Add(w, &list[i])
				for i++; i < len(list) && r.IntN(5) > 0 && behind(&list[i], &s); i++ {
					one.Add(w, &list[i])
					s.To, s.Executed = list[i].To, list[i].Executed
				}
				other.Add(w, &s)
			}
			p, same := one.Take(&Buffers{}), other.Take(&Buffers{})
			require.Equal(t, p, same, seed)
			var d Decoder
			d.Start(&StoredPart{p.PartHeader, p.data, nil}, k, ^branch.WarpSet(0), nil)
			for _, s := range list {
				ok, why := d.Next()
				require.True(t, ok, why)
				got := Stretch{
					Time: d.Step.Time, From: int32(d.Step.Index), To: int32(d.Step.Index) + 1,
					Active: d.Step.Active[0], Executed: d.Step.Executed[0], Vetoed: d.Step.Vetoed != 0,
				}
				require.Equal(t, s, got, seed)
			}
			ok, why := d.Next()
			require.False(t, ok)
			require.Empty(t, why)
			first = list[len(list)-1].Time + 1
		}
	}
}
