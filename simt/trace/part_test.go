package trace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// FuzzPart reads parts of any content: the checksums of a file keep FuzzFile from getting so far. What is read must
// make sense, and written again and read again be the same.
func FuzzPart(f *testing.F) {
	k := &Kernel{Code: make([]tesla.Instruction, 9), Values: make([][]Slot, 9)}
	k.Values[2] = []Slot{{Register, 1}, {Address, 0}}
	f.Add([]byte{3, 0x81, 3, 7}, uint32(9))
	f.Add([]byte{8, 0x8f, 3, 5, 4, 1, 2, 1, 0x90, 1, 1, 1, 1, 1, 2}, uint32(2))
	f.Fuzz(func(t *testing.T, payload []byte, issues uint32) {
		var d, again partDecoder
		var e encoder
		if len(payload) == 0 {
			return
		}
		p := part{partHeader{issues: issues % 1000, first: 100, control: min(uint32(payload[0]), uint32(len(payload)-1))}, payload[1:], payload}
		d.start(&p, k)
		var list []Step
		e.start(0, len(k.Code), p.first)
		for {
			ok, why := d.next()
			if !ok {
				if why != "" {
					return
				}
				break
			}
			s := d.step
			require.Less(t, s.Index, len(k.Code))
			require.Positive(t, s.N)
			for i := range s.N {
				require.Zero(t, s.Executed[i]&^s.Active[i])
			}
			require.Zero(t, s.Vetoed&^s.set())
			s.Values = append([]Value(nil), s.Values...)
			list = append(list, s)
			e.step(&s)
			for i := range s.Values {
				e.value(&s.Values[i].Row, s.Values[i].Lanes)
			}
		}
		p = e.take(nil, nil)
		again.start(&p, k)
		for i := range list {
			ok, why := again.next()
			require.True(t, ok, why)
			require.Equal(t, used(list[i]), used(again.step))
		}
	})
}

// used returns a step without what warps beyond N left in it.
func used(s Step) Step {
	for k := s.N; k < lane.MaxWarps; k++ {
		s.Warp[k], s.Active[k], s.Executed[k] = 0, 0, 0
	}
	s.Values = append([]Value{}, s.Values...)
	return s
}

// The predictor's groups are disjoint, whatever issues.
func TestGroups(t *testing.T) {
	var p predictor
	p.start(4, 0)
	for i, set := range []branch.WarpSet{0xff, 0x0f, 0xf0, 0x3c, 1, 0x81, 0xffff, 2, 0xfffd} {
		s := Step{Time: uint64(i / 2), Index: i % 4}
		for w := range lane.MaxWarps {
			if set>>w&1 != 0 {
				s.Warp[s.N] = uint8(w)
				s.N++
			}
		}
		p.note(&s, set, false)
		var all branch.WarpSet
		for w := range lane.MaxWarps {
			if p.leads>>w&1 != 0 {
				require.Zero(t, all&p.mates[w])
				require.NotZero(t, p.mates[w]>>w&1)
				all |= p.mates[w]
			}
		}
		require.Equal(t, set, all&set)
	}
}
