package codec

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// FuzzPart reads parts of any content; in trace.FuzzFile the checksums of the file reject most of
// them. Decoded steps must make sense, and be the same after encoding and decoding again.
func FuzzPart(f *testing.F) {
	k := &Kernel{Code: make([]tesla.Instruction, 9), Values: make([][]Slot, 9), Decides: []bool{3: true, 8: false}}
	k.Values[2] = []Slot{{Register, 1}, {Address, 0}}
	k.Prepare()
	// straight-line code
	f.Add([]byte{9, 2, 0, 2, 0, 0x80, 8, 5, 5}, []byte{}, uint16(1))
	// lanes part and meet
	f.Add([]byte{11, 10, 4, 2, 0, 0x82, 3, 0x84, 1, 0xa8, 3, 1, 0xcc, 5, 2, 0xff, 0xff, 0, 0, 5, 5}, []byte{}, uint16(1))
	// a loop
	f.Add([]byte{17, 8, 4, 8, 0, 0x80, 3, 0xa0, 7, 3, 1, 0x90, 0, 0xfc, 0xff, 0xff, 0xff, 5, 5, 5, 5, 5, 5, 5, 5}, []byte{}, uint16(2))
	// two warps
	f.Add([]byte{1, 2, 0, 0, 0, 1, 2, 0, 0, 0, 0x83, 0, 0x81, 0}, []byte{}, uint16(5))
	// words
	f.Add([]byte{4, 2, 4, 3, 8, 0x90, 3, 3, 0, 0, 0, 3, 4, 2}, []byte{1, 2, 3, 4, 5, 6, 7, 8}, uint16(1))
	// vetoed at one instruction and at the next
	f.Add([]byte{2, 2, 0, 0, 0, 0x83, 1}, []byte{}, uint16(1))
	f.Fuzz(func(t *testing.T, data, words []byte, warps uint16) {
		var d, again Decoder
		e := new(Encoder)
		p := StoredPart{PartHeader{First: 100, Warps: branch.WarpSet(warps)}, data, words}
		sizes := cursor{data: data}
		for range bits.OnesCount16(warps) {
			p.Count += uint32(sizes.uvarint(32))
			for range 4 {
				sizes.uvarint(29)
			}
		}
		d.Start(&p, k, ^branch.WarpSet(0), nil)
		e.Start(k, 0, false, p.First)
		var list []Step
		for range 1000 {
			ok, why := d.Next()
			if !ok {
				if why != "" {
					return
				}
				break
			}
			s := d.Step
			require.Less(t, s.Index, len(k.Code))
			require.Positive(t, s.N)
			for i := range s.N {
				require.Zero(t, s.Executed[i]&^s.Active[i])
			}
			require.Zero(t, s.Vetoed&^s.Warps())
			s.Values = append([]Value(nil), s.Values...)
			list = append(list, s)
			e.Step(&s)
		}
		written := e.Take(&Buffers{})
		again.Start(&StoredPart{written.PartHeader, written.data, written.appendWords(nil)}, k, ^branch.WarpSet(0), nil)
		for i := range list {
			ok, why := again.Next()
			require.True(t, ok, why)
			require.Equal(t, used(list[i]), used(again.Step))
		}
	})
}

// used returns a step with the arrays beyond N cleared.
func used(s Step) Step {
	for k := s.N; k < lane.MaxWarps; k++ {
		s.Warp[k], s.Active[k], s.Executed[k] = 0, 0, 0
	}
	s.Values = append([]Value{}, s.Values...)
	return s
}
