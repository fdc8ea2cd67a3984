package codec

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"

	"jacquard/simt/lane"
)

// Encodings of the executing lanes' values of a row.
const (
	rowUniform   = iota // one word
	rowAffine           // base and stride: two words
	rowBytes            // one byte per lane
	rowWords            // one word per lane, stored apart from the other values
	rowRepeated         // the words of an earlier row
	rowPredicted        // affine, as predicted
)

// Which lanes have a flag of a condition register set: two bits per flag in one byte.
const (
	flagNone = iota
	flagAll
	flagSome // a mask follows the byte
	flagBits = 2
)

// findAffine returns base and stride of the values of lanes m if they are affine. It tries the
// prediction of e first: with few lanes several pairs fit.
func findAffine(r *lane.Row, m lane.Mask, e *affine) (base, stride uint32, ok bool) {
	first := bits.TrailingZeros32(uint32(m)) % lane.Width
	base, stride = e.next()
	if r[first] == base+uint32(first)*stride && even(r, m, base, stride) {
		return base, stride, true
	}
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
	last := lastLane(m)
	return base, stride, r[last] == base+uint32(last)*stride && even(r, m, base, stride)
}

// fewLanes is the number of lanes up to which it is faster to look at one after the other.
const fewLanes = 6

// even reports whether lanes m have base and stride.
func even(r *lane.Row, m lane.Mask, base, stride uint32) bool {
	if bits.OnesCount32(uint32(m)) > fewLanes {
		return lane.Even(r, base, stride)&m == m
	}
	for ; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros32(uint32(m)) % lane.Width; r[l] != base+uint32(l)*stride {
			return false
		}
	}
	return true
}

// lastLane returns the highest lane of m. That lane alone rejects most rows that are not affine.
func lastLane(m lane.Mask) int {
	return (lane.Width - 1 - bits.LeadingZeros32(uint32(m))) % lane.Width
}

// startsWith reports whether a begins with b.
func startsWith(a, b []uint32) bool {
	if len(b) == lane.Width { // one comparison of arrays
		return lane.Row(a) == lane.Row(b)
	}
	return slices.Equal(a[:len(b)], b)
}

// fitsBytes reports whether the values of lanes m fit into bytes.
func fitsBytes(r *lane.Row, m lane.Mask) bool {
	if r[lastLane(m)] >= 1<<8 {
		return false
	}
	if m == lane.All {
		any := uint32(0)
		for i := 0; i < lane.Width; i += 4 {
			any |= r[i] | r[i+1] | r[i+2] | r[i+3]
		}
		return any < 1<<8
	}
	for ; m != 0; m &= m - 1 {
		if r[bits.TrailingZeros32(uint32(m))%lane.Width] >= 1<<8 {
			return false
		}
	}
	return true
}

// appendBytes writes the low bytes of lanes m.
func appendBytes(b []byte, r *lane.Row, m lane.Mask) []byte {
	if m == lane.All {
		at := len(b)
		b = slices.Grow(b, lane.Width)[:at+lane.Width]
		to := (*[lane.Width]byte)(b[at:])
		for i, v := range r {
			to[i] = uint8(v)
		}
		return b
	}
	for ; m != 0; m &= m - 1 {
		b = append(b, uint8(r[bits.TrailingZeros32(uint32(m))%lane.Width]))
	}
	return b
}

// appendWords writes the words of lanes m.
func appendWords(b []uint32, r *lane.Row, m lane.Mask) []uint32 {
	if bits.OnesCount32(uint32(m)) <= fewLanes {
		for ; m != 0; m &= m - 1 {
			b = append(b, r[bits.TrailingZeros32(uint32(m))%lane.Width])
		}
		return b
	}
	at := len(b)
	b = slices.Grow(b, 2*lane.Width)
	lane.Pack((*[2 * lane.Width]uint32)(b[at:at+2*lane.Width]), r, m)
	return b[:at+bits.OnesCount32(uint32(m))]
}

// fillAffine fills lanes m of an affine row.
func fillAffine(r *lane.Row, m lane.Mask, base, stride uint32) {
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
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 { // memory has them as the file does
		return append(b, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))...)
	}
	for _, v := range words {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// flagsToRow stores a condition register as the row of a Value: Z, S, C, O in bits 0 to 3.
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
