package codec

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// findAffine finds exactly the affine rows, for any lanes. Only this test notices a missed row: the
// row is correct, only longer in the file.
func TestFindAffine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		m := lane.Mask(r.Uint32())
		for range r.IntN(5) {
			m &= lane.Mask(r.Uint32()) | 1<<r.IntN(lane.Width)
		}
		m |= 1 << r.IntN(lane.Width)
		base, stride := r.Uint32(), r.Uint32()>>r.IntN(32)
		var row lane.Row
		for l := range row {
			row[l] = r.Uint32()
		}
		fillAffine(&row, m, base, stride)
		gotBase, gotStride, ok := findAffine(&row, m, &affine{})
		// With a gap between the first lanes there may be no quotient: strides wrap.
		if ok {
			again := row
			fillAffine(&again, m, gotBase, gotStride)
			require.Equal(t, row, again, "%08x", m)
		} else {
			first := bits.TrailingZeros32(uint32(m))
			second := bits.TrailingZeros32(uint32(m & (m - 1)))
			d := uint32(second - first)
			require.True(t, d*stride%d != 0 || d*stride/d != stride, "%08x, base %08x, stride %08x", m, base, stride)
		}
		if n := bits.OnesCount32(uint32(m)); n > 2 {
			wrong := row
			l := bits.TrailingZeros32(uint32(m & (m - 1) & (m&(m-1) - 1))) // the third lane
			wrong[l]++
			_, _, ok := findAffine(&wrong, m, &affine{})
			require.False(t, ok, "%08x", m)
		}
		_, _, ok = findAffine(&row, m, &affine{base: base - 7, step: 7, stride: stride, seen: true})
		require.True(t, ok, "as expected")
	}
}

// Words that repeat an earlier row are stored once, and rows after them are read from their place.
func TestRepeatedRow(t *testing.T) {
	k := &Kernel{Code: make([]tesla.Instruction, 3), Values: [][]Slot{{{Register, 1}}, {{Register, 2}}, {{Register, 3}}}, Decides: make([]bool, 3)}
	k.Prepare()
	var one, other lane.Row
	r := rand.New(rand.NewPCG(1, 1))
	for l := range one {
		one[l], other[l] = r.Uint32(), r.Uint32()
	}
	rows := []lane.Row{one, one, other}
	e := new(Encoder)
	e.Start(k, 0, false, 0)
	e.Add(0, &Stretch{From: 0, To: 3, Active: lane.All, Executed: lane.All})
	for i := range rows {
		e.Stream(0).Row(i, 0, &rows[i], lane.All)
	}
	p := e.Take(&Buffers{})
	words := p.appendWords(nil)
	require.Len(t, words, 2*4*lane.Width)
	var d Decoder
	d.Start(&StoredPart{p.PartHeader, p.data, words}, k, 1, nil)
	for i := range rows {
		ok, why := d.Next()
		require.True(t, ok, why)
		require.Equal(t, rows[i], d.Step.Values[0].Row, i)
	}
}

func TestFitsBytes(t *testing.T) {
	for _, m := range []lane.Mask{1, 1 << 31, 0x80000001, lane.All, 0x00ff00f0} {
		var row lane.Row
		for l := range row {
			row[l] = 0xffffffff
			if m>>l&1 != 0 {
				row[l] = 255
			}
		}
		require.True(t, fitsBytes(&row, m), "%08x", m)
		for l := range row {
			if m>>l&1 != 0 {
				row[l] = 256
				require.False(t, fitsBytes(&row, m), "%08x, lane %d", m, l)
				row[l] = 255
			}
		}
	}
}

// Conditions are read as they are written; a way of writing that does not exist is an error.
func TestReadFlags(t *testing.T) {
	var r lane.Row
	s := streamReader{values: cursor{data: []byte{flagAll | flagSome<<flagBits, 0b0110, 0, 0, 0}}}
	s.readFlags(&r, 0b0011)
	require.Empty(t, s.values.why)
	require.Equal(t, lane.Row{1, 3}, r, "all lanes are zero, lane 1 is negative, too")

	s = streamReader{values: cursor{data: []byte{(flagSome + 1) << (2 * flagBits), 0, 0, 0, 0}}}
	s.readFlags(&r, 0b0011)
	require.Equal(t, "values written in an unknown way", s.values.why)
}
