package mem

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Local is the local memory of a warp. Row k holds bytes 4k to 4k+3 of every thread, so lanes that
// access the same offset, as compiled code does, access one row. It has [LocalRows] rows; the zero
// Local refuses every access.
type Local []lane.Row

// LocalRows returns the rows for a kernel that declares that many bytes of local memory per thread,
// rounded up to a multiple of 16.
func LocalRows(bytes int) int { return (bytes + 15) / 16 * 4 }

// Load reads an element of type t for each lane of m from that lane's own memory. It returns nil,
// or a violation, and then nothing was loaded.
func (l Local) Load(dst *Data, addr *lane.Row, m lane.Mask, t tesla.Type, c *Cost) *Violation {
	if m == 0 {
		return nil
	}
	sh := shapeOf(t)
	p, ok := survey(addr, m, 0, 4*len(l), sh.size())
	if !ok {
		return beyond('l', 4*len(l), addr, m, sh.size())
	}
	if c != nil {
		c.Device.addLocal(addr, m, sh.size(), p)
	}
	if p == broadcast && sh >= word {
		k := addr[first(m)] / 4
		for i := range sh.size() / 4 {
			Copy(dst[i], &l[k+i], m)
		}
		return nil
	}
	for ; m != 0; m &= m - 1 {
		i := first(m)
		a := addr[i]
		v := l[a/4][i]
		switch sh {
		case byteU:
			v = uint32(uint8(v >> (a % 4 * 8)))
		case byteS:
			v = uint32(int32(int8(v >> (a % 4 * 8))))
		case halfU:
			v = uint32(uint16(v >> (a % 4 * 8)))
		case halfS:
			v = uint32(int32(int16(v >> (a % 4 * 8))))
		case double, quad:
			for j := uint32(1); j < sh.size()/4; j++ {
				dst[j][i] = l[a/4+j][i]
			}
		}
		dst[0][i] = v
	}
	return nil
}

// Store writes an element of type t for each lane of m to that lane's own memory. It returns nil,
// or a violation, and then nothing was stored.
func (l Local) Store(src *Data, addr *lane.Row, m lane.Mask, t tesla.Type, c *Cost) *Violation {
	if m == 0 {
		return nil
	}
	sh := shapeOf(t)
	p, ok := survey(addr, m, 0, 4*len(l), sh.size())
	if !ok {
		return beyond('l', 4*len(l), addr, m, sh.size())
	}
	if c != nil {
		c.Device.addLocal(addr, m, sh.size(), p)
	}
	if p == broadcast && sh >= word {
		k := addr[first(m)] / 4
		for i := range sh.size() / 4 {
			Copy(&l[k+i], src[i], m)
		}
		return nil
	}
	for ; m != 0; m &= m - 1 {
		i := first(m)
		a := addr[i]
		w, v := &l[a/4][i], src[0][i]
		switch shift := a % 4 * 8; sh {
		case byteU, byteS:
			*w = *w&^(0xff<<shift) | v&0xff<<shift
		case halfU, halfS:
			*w = *w&^(0xffff<<shift) | v&0xffff<<shift
		default:
			*w = v
			for j := uint32(1); j < sh.size()/4; j++ {
				l[a/4+j][i] = src[j][i]
			}
		}
	}
	return nil
}
