package trace

import (
	"encoding/binary"
	"math/bits"

	"jacquard/simt/lane"
)

// How the values of a row are written, the executing lanes only.
const (
	rowUniform = iota // one word
	rowAffine         // the first value, and what each lane has more than the lane below: two words
	rowBytes          // a byte each
	rowWords          // a word each, which stand apart from the other values
	rowAgain          // the words of a row before
)

// appendRow writes the values of lanes m, of which there are some.
func appendRow(b []byte, r *lane.Row, m lane.Mask) []byte {
	if m == lane.All {
		return appendFull(b, r)
	}
	le := binary.LittleEndian
	first := bits.TrailingZeros32(uint32(m))
	base, stride := r[first], uint32(0)
	if rest := m & (m - 1); rest != 0 {
		second := bits.TrailingZeros32(uint32(rest))
		if d := second - first; (r[second]-base)%uint32(d) == 0 {
			stride = (r[second] - base) / uint32(d)
		}
	}
	var far, all uint32
	for rest := m; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros32(uint32(rest))
		far |= r[l] ^ (base + uint32(l-first)*stride)
		all |= r[l]
	}
	switch {
	case far == 0:
		return appendAffine(b, base, stride)
	case all < 1<<8:
		b = append(b, rowBytes)
		for ; m != 0; m &= m - 1 {
			b = append(b, uint8(r[bits.TrailingZeros32(uint32(m))]))
		}
		return b
	}
	b = append(b, rowWords)
	for ; m != 0; m &= m - 1 {
		b = le.AppendUint32(b, r[bits.TrailingZeros32(uint32(m))])
	}
	return b
}

// appendFull is appendRow for all lanes.
func appendFull(b []byte, r *lane.Row) []byte {
	base, stride := r[0], r[1]-r[0]
	if affine(r, base, stride) {
		return appendAffine(b, base, stride)
	}
	all := uint32(0)
	for _, v := range r {
		if all |= v; all >= 1<<8 {
			break
		}
	}
	at := len(b)
	if all < 1<<8 {
		b = append(b, make([]byte, 1+lane.Width)...)
		b[at] = rowBytes
		for l, v := range r {
			b[at+1+l] = uint8(v)
		}
		return b
	}
	b = append(b, make([]byte, 1+4*lane.Width)...)
	b[at] = rowWords
	words := (*[4 * lane.Width]byte)(b[at+1:])
	for l, v := range r {
		binary.LittleEndian.PutUint32(words[4*l:], v)
	}
	return b
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

// appendAffine writes a row of which every lane has stride more than the one below.
func appendAffine(b []byte, base, stride uint32) []byte {
	le := binary.LittleEndian
	if stride == 0 {
		return le.AppendUint32(append(b, rowUniform), base)
	}
	return le.AppendUint32(le.AppendUint32(append(b, rowAffine), base), stride)
}

// rowSize returns how many bytes the values of some lanes take, written in the way that their
// first byte names.
func rowSize(how byte, lanes int) int {
	switch how {
	case rowUniform:
		return 1 + 4
	case rowAffine:
		return 1 + 4 + 4
	case rowBytes:
		return 1 + lanes
	}
	return 1 + 4*lanes
}

// readRow reads the values of lanes m to r, whose other lanes become 0.
func (d *partDecoder) readRow(r *lane.Row, m lane.Mask) {
	c := &d.values
	if m != lane.All {
		*r = lane.Row{}
	}
	first := bits.TrailingZeros32(uint32(m))
	switch how := c.byte(); how {
	case rowUniform, rowAffine:
		base, stride := c.word(), uint32(0)
		if how == rowAffine {
			stride = c.word()
		}
		if m == lane.All {
			for l := range r {
				r[l] = base
				base += stride
			}
			return
		}
		for ; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(uint32(m))
			r[l] = base + uint32(l-first)*stride
		}
	case rowBytes:
		for ; m != 0; m &= m - 1 {
			r[bits.TrailingZeros32(uint32(m))] = uint32(c.byte())
		}
	case rowWords:
		d.readWords(r, m, d.words.at)
		d.words.at += 4 * bits.OnesCount32(uint32(m))
	case rowAgain:
		d.readWords(r, m, d.words.at-int(c.uvarint(29)))
	default:
		c.fail("values written in an unknown way")
	}
}

// readWords reads the values of lanes m to r, from a place among the words.
func (d *partDecoder) readWords(r *lane.Row, m lane.Mask, at int) {
	n := 4 * bits.OnesCount32(uint32(m))
	if at < 0 || n > len(d.words.data)-at {
		d.values.fail("words that are not there")
		return
	}
	words := d.words.data[at : at+n]
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
