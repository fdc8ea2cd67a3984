package mem

import (
	"encoding/binary"

	"jacquard/simt/lane"
)

// The functions of this file move elements between registers and the bytes from address base on,
// each element by one access of the host: see whole.go. The caller has checked every access.

var le = binary.LittleEndian

// load reads an element for each lane of m. p is the pattern that survey returned. load reads no
// other byte: a block that runs at the same time may be writing it.
func load(dst *Data, data []byte, base uint32, addr *lane.Row, m lane.Mask, sh shape, p pattern) {
	switch {
	case p == broadcast && sh <= word:
		fill(dst[0], m, element(data[addr[first(m)]-base:], sh))
	case m != lane.All || p == broadcast:
		gather(dst, data, base, addr, m, sh)
	case p == contiguous:
		loadRun(dst, data, addr[0]-base, sh)
	case sh == word:
		d, w := dst[0], wordsOf(data)
		for i := 0; i < lane.Width; i += 4 {
			a, e := (*[4]uint32)(addr[i:]), (*[4]uint32)(d[i:])
			e[0], e[1], e[2], e[3] = w.at(a[0]-base), w.at(a[1]-base), w.at(a[2]-base), w.at(a[3]-base)
		}
	default:
		gather(dst, data, base, addr, m, sh)
	}
}

// loadRun reads consecutive elements from byte off on, one per lane.
func loadRun(dst *Data, data []byte, off uint32, sh shape) {
	d, w, b := dst[0], wordsOf(data), data[off:]
	switch sh {
	case byteU:
		for i, v := range b[:lane.Width] {
			d[i] = uint32(v)
		}
	case byteS:
		for i, v := range b[:lane.Width] {
			d[i] = uint32(int32(int8(v)))
		}
	case halfU:
		b = b[:2*lane.Width]
		for i := range d {
			d[i] = uint32(half(b[2*i:]))
		}
	case halfS:
		b = b[:2*lane.Width]
		for i := range d {
			d[i] = uint32(int32(int16(half(b[2*i:]))))
		}
	case word:
		w.loadRow(d, off)
	case double:
		d1 := dst[1]
		for i := range d {
			d[i], d1[i] = split64(w.double(off))
			off += 8
		}
	case quad:
		d1, d2, d3 := dst[1], dst[2], dst[3]
		for i := range d {
			low, high := w.quad(off)
			d[i], d1[i] = split64(low)
			d2[i], d3[i] = split64(high)
			off += 16
		}
	}
}

// gather is load lane by lane, for any pattern.
func gather(dst *Data, data []byte, base uint32, addr *lane.Row, m lane.Mask, sh shape) {
	d, w := dst[0], wordsOf(data)
	switch sh {
	case byteU:
		for ; m != 0; m &= m - 1 {
			i := first(m)
			d[i] = uint32(data[addr[i]-base])
		}
	case byteS:
		for ; m != 0; m &= m - 1 {
			i := first(m)
			d[i] = uint32(int32(int8(data[addr[i]-base])))
		}
	case halfU:
		for ; m != 0; m &= m - 1 {
			i := first(m)
			d[i] = uint32(half(data[addr[i]-base:]))
		}
	case halfS:
		for ; m != 0; m &= m - 1 {
			i := first(m)
			d[i] = uint32(int32(int16(half(data[addr[i]-base:]))))
		}
	case word:
		for ; m != 0; m &= m - 1 {
			i := first(m)
			d[i] = w.at(addr[i] - base)
		}
	case double:
		d1 := dst[1]
		for ; m != 0; m &= m - 1 {
			i := first(m)
			off := addr[i] - base
			d[i], d1[i] = split64(w.double(off))
		}
	case quad:
		d1, d2, d3 := dst[1], dst[2], dst[3]
		for ; m != 0; m &= m - 1 {
			i := first(m)
			off := addr[i] - base
			low, high := w.quad(off)
			d[i], d1[i] = split64(low)
			d2[i], d3[i] = split64(high)
		}
	}
}

// store writes an element for each lane of m, lanes in ascending order. p is the pattern that
// survey returned. store writes no other byte, not even its old value: a block that runs at the
// same time may own it.
func store(src *Data, data []byte, base uint32, addr *lane.Row, m lane.Mask, sh shape, p pattern) {
	switch {
	case m != lane.All:
		scatter(src, data, base, addr, m, sh)
	case p == contiguous:
		storeRun(src, data, addr[0]-base, sh)
	case sh == word:
		s, w := src[0], wordsOf(data)
		for i, a := range addr {
			w.set(a-base, s[i])
		}
	default:
		scatter(src, data, base, addr, m, sh)
	}
}

// storeRun writes consecutive elements from byte off on, one per lane.
func storeRun(src *Data, data []byte, off uint32, sh shape) {
	s, w, b := src[0], wordsOf(data), data[off:]
	switch sh {
	case byteU, byteS:
		b = b[:lane.Width]
		for i, v := range s {
			b[i] = byte(v)
		}
	case halfU, halfS:
		b = b[:2*lane.Width]
		for i, v := range s {
			setHalf(b[2*i:], uint16(v))
		}
	case word:
		w.storeRow(off, s)
	case double:
		s1 := src[1]
		for i, v := range s {
			w.setDouble(off, join64(v, s1[i]))
			off += 8
		}
	case quad:
		s1, s2, s3 := src[1], src[2], src[3]
		for i, v := range s {
			w.setQuad(off, join64(v, s1[i]), join64(s2[i], s3[i]))
			off += 16
		}
	}
}

// scatter is store lane by lane, for any pattern.
func scatter(src *Data, data []byte, base uint32, addr *lane.Row, m lane.Mask, sh shape) {
	s, w := src[0], wordsOf(data)
	switch sh {
	case byteU, byteS:
		for ; m != 0; m &= m - 1 {
			i := first(m)
			data[addr[i]-base] = byte(s[i])
		}
	case halfU, halfS:
		for ; m != 0; m &= m - 1 {
			i := first(m)
			setHalf(data[addr[i]-base:], uint16(s[i]))
		}
	case word:
		for ; m != 0; m &= m - 1 {
			i := first(m)
			w.set(addr[i]-base, s[i])
		}
	case double:
		s1 := src[1]
		for ; m != 0; m &= m - 1 {
			i := first(m)
			off := addr[i] - base
			w.setDouble(off, join64(s[i], s1[i]))
		}
	case quad:
		s1, s2, s3 := src[1], src[2], src[3]
		for ; m != 0; m &= m - 1 {
			i := first(m)
			off := addr[i] - base
			w.setQuad(off, join64(s[i], s1[i]), join64(s2[i], s3[i]))
		}
	}
}

// fill writes v to the lanes of m.
func fill(d *lane.Row, m lane.Mask, v uint32) {
	if m == lane.All {
		for i := range d {
			d[i] = v
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		d[first(m)] = v
	}
}

// Copy copies the lanes of m from s to d.
func Copy(d, s *lane.Row, m lane.Mask) {
	if m == lane.All {
		*d = *s
		return
	}
	for i, v := range s {
		d[i] ^= (d[i] ^ v) & -uint32(m&1)
		m >>= 1
	}
}

// element returns the element of up to 32 bits at the start of b, widened to a register.
func element(b []byte, sh shape) uint32 {
	switch sh {
	case byteU:
		return uint32(b[0])
	case byteS:
		return uint32(int32(int8(b[0])))
	case halfU:
		return uint32(half(b))
	case halfS:
		return uint32(int32(int16(half(b))))
	case word:
		return wordsOf(b).at(0)
	}
	panic("mem: element is wider than a register")
}
