package trace

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"jacquard/simt/lane"
)

// How the values of a row are written, those of the executing lanes only.
const (
	rowUniform = iota // one word
	rowAffine         // what lane 0 has or would have, and what each lane has more than the one below: two words
	rowBytes          // a byte each
	rowWords          // a word each, which stand apart from the other values
	rowAgain          // the words of a row before
	rowNext           // evenly spaced, as expected
)

// What lanes have of each flag of a condition register, two bits for each in one byte.
const (
	flagNone = iota
	flagAll
	flagSome // a word behind the byte says which
	flagBits = 2
)

// spaced returns what lane 0 has, or would have, and how much more each lane has than the one below, if the values of
// lanes m are so. Of a single lane, or of two, e tells which of the ways there are is meant.
func spaced(r *lane.Row, m lane.Mask, e *even) (base, stride uint32, ok bool) {
	if m == lane.All {
		base, stride = r[0], r[1]-r[0]
		return base, stride, affine(r, base, stride)
	}
	base, stride = e.next()
	if follows(r, m, base, stride) {
		return base, stride, true
	}
	first := bits.TrailingZeros32(uint32(m)) % lane.Width
	stride = 0
	if rest := m & (m - 1); rest != 0 {
		second := bits.TrailingZeros32(uint32(rest)) % lane.Width
		d := uint32(second - first)
		if stride = r[second] - r[first]; d > 1 {
			if stride%d != 0 {
				return 0, 0, false
			}
			stride /= d
		}
	}
	base = r[first] - uint32(first)*stride
	return base, stride, follows(r, m, base, stride)
}

// affine reports whether every lane has stride more than the one below.
func affine(r *lane.Row, base, stride uint32) bool {
	for l := 2; l < lane.Width; l += 6 { // 30 of them
		far := r[l] ^ (base + uint32(l)*stride)
		far |= r[l+1] ^ (base + uint32(l+1)*stride)
		far |= r[l+2] ^ (base + uint32(l+2)*stride)
		far |= r[l+3] ^ (base + uint32(l+3)*stride)
		far |= r[l+4] ^ (base + uint32(l+4)*stride)
		far |= r[l+5] ^ (base + uint32(l+5)*stride)
		if far != 0 {
			return false
		}
	}
	return true
}

// follows is affine for lanes m.
func follows(r *lane.Row, m lane.Mask, base, stride uint32) bool {
	for ; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(uint32(m)) % lane.Width
		if r[l] != base+uint32(l)*stride {
			return false
		}
	}
	return true
}

// small reports whether the values of lanes m fit into bytes.
func small(r *lane.Row, m lane.Mask) bool {
	for ; m != 0; m &= m - 1 {
		if r[bits.TrailingZeros32(uint32(m))%lane.Width] >= 1<<8 {
			return false
		}
	}
	return true
}

// appendBytes writes the low bytes of lanes m.
func appendBytes(b []byte, r *lane.Row, m lane.Mask) []byte {
	for ; m != 0; m &= m - 1 {
		b = append(b, uint8(r[bits.TrailingZeros32(uint32(m))%lane.Width]))
	}
	return b
}

// appendWords writes the words of lanes m.
func appendWords(b []uint32, r *lane.Row, m lane.Mask) []uint32 {
	if m == lane.All {
		return append(b, r[:]...)
	}
	at := len(b)
	b = slices.Grow(b, lane.Width)[:at+lane.Width]
	row, n := (*lane.Row)(b[at:]), 0
	for l, v := range r { // which lanes there are is hard to predict
		row[n%lane.Width] = v
		n += int(m >> l & 1)
	}
	return b[:at+n]
}

// spread fills in lanes m of a row in which each lane has stride more than the one below.
func spread(r *lane.Row, m lane.Mask, base, stride uint32) {
	if m == lane.All {
		for l := range r {
			r[l] = base
			base += stride
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(uint32(m))
		r[l] = base + uint32(l)*stride
	}
}

// readWords reads the words of lanes m, as appendWords wrote them.
func readWords(r *lane.Row, m lane.Mask, words []byte) {
	if m == lane.All {
		for l := range r {
			r[l] = binary.LittleEndian.Uint32(words[4*l:])
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		r[bits.TrailingZeros32(uint32(m))] = binary.LittleEndian.Uint32(words)
		words = words[4:]
	}
}

// appendBytesOf writes words as the file has them.
func appendBytesOf(b []byte, words []uint32) []byte {
	at := len(b)
	b = slices.Grow(b, 4*len(words))[:at+4*len(words)]
	for to := b[at:]; len(words) > 0; to, words = to[4:], words[1:] {
		binary.LittleEndian.PutUint32(to, words[0])
	}
	return b
}

// flagsToRow makes the row that a Value has of a condition register: Z, S, C, O in bits 0 to 3.
func flagsToRow(r *lane.Row, f *lane.Flags, m lane.Mask) {
	for l := range r {
		r[l] = uint32(f.Z&m>>l&1 | f.S&m>>l&1<<1 | f.C&m>>l&1<<2 | f.O&m>>l&1<<3)
	}
}

// flagsOf is the inverse of flagsToRow.
func flagsOf(r *lane.Row) (f lane.Flags) {
	for l, v := range r {
		f.Z |= lane.Mask(v&1) << l
		f.S |= lane.Mask(v>>1&1) << l
		f.C |= lane.Mask(v>>2&1) << l
		f.O |= lane.Mask(v>>3&1) << l
	}
	return f
}
