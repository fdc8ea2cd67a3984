package lane

import (
	"math/bits"
	"unsafe"
)

// The kernels of this file move words between rows and memory; the caller has checked the accesses.
// Memory is little-endian, and need not be aligned. Arrays are indexed by position in the
// selection.

// Follow compares rows of addresses with a pattern, the distance of each lane from a base. base[k]
// is set to the base of the lowest lane of the selection's k-th warp; out[k] to the lanes of that
// warp whose address is base plus pattern, modulo 2^32.
func Follow(out *[MaxWarps]Mask, base *[MaxWarps]uint32, a Rows, pattern *Row, s *Sel) {
	for k := range s.N {
		row, m := a.At(int(s.Warp[k])), s.Mask[k]
		i := bits.TrailingZeros32(uint32(m)) % Width
		first := row[i] - pattern[i]
		base[k], out[k] = first, 0
		var differ uint32
		for i, v := range row {
			differ |= (v - first) ^ pattern[i]
		}
		if differ == 0 {
			out[k] = m
			continue
		}
		for ; m != 0; m &= m - 1 {
			if i := bits.TrailingZeros32(uint32(m)) % Width; row[i]-first == pattern[i] {
				out[k] |= m & -m
			}
		}
	}
}

// Gather reads words: lane i of a warp gets the word pattern[i] bytes after the warp's start. The
// patterns of selected lanes are below 2^31. Other words are not read.
func Gather(d Rows, start *[MaxWarps]unsafe.Pointer, pattern *Row, s *Sel) {
	for k := range s.N {
		row := d.At(int(s.Warp[k]))
		if s.Mask[k] == All {
			for i := range row {
				row[i] = wordAt(start[k], uintptr(pattern[i])).get()
			}
			continue
		}
		for m := s.Mask[k]; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(uint32(m)) % Width
			row[i] = wordAt(start[k], uintptr(pattern[i])).get()
		}
	}
}

// LoadRun reads consecutive words from a warp's start on, one per lane. It does not read the words
// of idle lanes.
func LoadRun(d Rows, start *[MaxWarps]unsafe.Pointer, s *Sel) {
	for k := range s.N {
		row := d.At(int(s.Warp[k]))
		if s.Mask[k] == All {
			for i := range row {
				row[i] = wordAt(start[k], uintptr(4*i)).get()
			}
			continue
		}
		for m := s.Mask[k]; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(uint32(m)) % Width
			row[i] = wordAt(start[k], uintptr(4*i)).get()
		}
	}
}

// StoreRun writes consecutive words from a warp's start on, one per lane. It does not write the
// words of idle lanes.
func StoreRun(start *[MaxWarps]unsafe.Pointer, a Rows, s *Sel) {
	for k := range s.N {
		row := a.At(int(s.Warp[k]))
		if s.Mask[k] == All {
			for i := range row {
				wordAt(start[k], uintptr(4*i)).set(row[i])
			}
			continue
		}
		for m := s.Mask[k]; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(uint32(m)) % Width
			wordAt(start[k], uintptr(4*i)).set(row[i])
		}
	}
}

// Scatter is the reverse of Gather. Lanes write in ascending order: the highest lane at an address
// wins.
func Scatter(start *[MaxWarps]unsafe.Pointer, pattern *Row, a Rows, s *Sel) {
	for k := range s.N {
		row := a.At(int(s.Warp[k]))
		if s.Mask[k] == All {
			for i := range row {
				wordAt(start[k], uintptr(pattern[i])).set(row[i])
			}
			continue
		}
		for m := s.Mask[k]; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(uint32(m)) % Width
			wordAt(start[k], uintptr(pattern[i])).set(row[i])
		}
	}
}

// littleWord is a word of memory.
type littleWord [4]byte

func wordAt(start unsafe.Pointer, offset uintptr) *littleWord {
	return (*littleWord)(unsafe.Add(start, offset))
}

func (w *littleWord) get() uint32 {
	return uint32(w[0]) | uint32(w[1])<<8 | uint32(w[2])<<16 | uint32(w[3])<<24
}

func (w *littleWord) set(v uint32) {
	w[0], w[1], w[2], w[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

// Spread writes one word per warp to the warp's lanes.
func Spread(d Rows, v *[MaxWarps]uint32, s *Sel) {
	for k := range s.N {
		row, x := d.At(int(s.Warp[k])), v[k]
		if m := s.Mask[k]; m != All {
			for ; m != 0; m &= m - 1 {
				row[bits.TrailingZeros32(uint32(m))%Width] = x
			}
			continue
		}
		for i := range row {
			row[i] = x
		}
	}
}
