package mem

import (
	"encoding/binary"

	"jacquard/simt/lane"
)

// The functions of this file move elements between registers and bytes that start at
// address base. Every access has been checked.

var le = binary.LittleEndian

// load reads an element for each lane of m. p must be the pattern that measure found.
func load(dst *Data, data []byte, base uint32, addr *lane.Row, m lane.Mask, sh shape, p pattern) {
	if sh != word {
		gather(dst, data, base, addr, m, sh)
		return
	}
	d := dst[0]
	switch {
	case p == contiguous:
		loadRow(d, (*[4 * lane.Width]byte)(data[addr[0]-base:]))
	case p == broadcast:
		fill(d, m, le.Uint32(data[addr[first(m)]-base:]))
	case m == lane.All:
		for i, a := range addr {
			d[i] = le.Uint32(data[a-base:])
		}
	default:
		gather(dst, data, base, addr, m, sh)
	}
}

// gather is load without regard to the pattern.
func gather(dst *Data, data []byte, base uint32, addr *lane.Row, m lane.Mask, sh shape) {
	d := dst[0]
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
			d[i] = uint32(le.Uint16(data[addr[i]-base:]))
		}
	case halfS:
		for ; m != 0; m &= m - 1 {
			i := first(m)
			d[i] = uint32(int32(int16(le.Uint16(data[addr[i]-base:]))))
		}
	case word:
		for ; m != 0; m &= m - 1 {
			i := first(m)
			d[i] = le.Uint32(data[addr[i]-base:])
		}
	case double:
		d1 := dst[1]
		for ; m != 0; m &= m - 1 {
			i := first(m)
			v := le.Uint64(data[addr[i]-base:])
			d[i], d1[i] = uint32(v), uint32(v>>32)
		}
	case quad:
		d1, d2, d3 := dst[1], dst[2], dst[3]
		for ; m != 0; m &= m - 1 {
			i := first(m)
			b := (*[16]byte)(data[addr[i]-base:])
			d[i], d1[i] = le.Uint32(b[0:]), le.Uint32(b[4:])
			d2[i], d3[i] = le.Uint32(b[8:]), le.Uint32(b[12:])
		}
	}
}

// store writes an element for each lane of m, lanes in ascending order. p must be the
// pattern that measure found.
func store(src *Data, data []byte, base uint32, addr *lane.Row, m lane.Mask, sh shape, p pattern) {
	if sh != word {
		scatter(src, data, base, addr, m, sh)
		return
	}
	s := src[0]
	switch {
	case p == contiguous:
		storeRow((*[4 * lane.Width]byte)(data[addr[0]-base:]), s)
	case m == lane.All:
		for i, a := range addr {
			le.PutUint32(data[a-base:], s[i])
		}
	default:
		scatter(src, data, base, addr, m, sh)
	}
}

// scatter is store without regard to the pattern.
func scatter(src *Data, data []byte, base uint32, addr *lane.Row, m lane.Mask, sh shape) {
	s := src[0]
	switch sh {
	case byteU, byteS:
		for ; m != 0; m &= m - 1 {
			i := first(m)
			data[addr[i]-base] = byte(s[i])
		}
	case halfU, halfS:
		for ; m != 0; m &= m - 1 {
			i := first(m)
			le.PutUint16(data[addr[i]-base:], uint16(s[i]))
		}
	case word:
		for ; m != 0; m &= m - 1 {
			i := first(m)
			le.PutUint32(data[addr[i]-base:], s[i])
		}
	case double:
		s1 := src[1]
		for ; m != 0; m &= m - 1 {
			i := first(m)
			le.PutUint64(data[addr[i]-base:], uint64(s[i])|uint64(s1[i])<<32)
		}
	case quad:
		s1, s2, s3 := src[1], src[2], src[3]
		for ; m != 0; m &= m - 1 {
			i := first(m)
			b := (*[16]byte)(data[addr[i]-base:])
			le.PutUint32(b[0:], s[i])
			le.PutUint32(b[4:], s1[i])
			le.PutUint32(b[8:], s2[i])
			le.PutUint32(b[12:], s3[i])
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

// element returns the element of up to 32 bits at the start of b, widened to a register.
func element(b []byte, sh shape) uint32 {
	switch sh {
	case byteU:
		return uint32(b[0])
	case byteS:
		return uint32(int32(int8(b[0])))
	case halfU:
		return uint32(le.Uint16(b))
	case halfS:
		return uint32(int32(int16(le.Uint16(b))))
	case word:
		return le.Uint32(b)
	}
	panic("mem: element is wider than a register")
}
