package mem

import "jacquard/simt/lane"

// naive is a memory as a map of bytes, the reference for every space.
type naive struct {
	space   byte
	private bool // each lane has its own memory
	endless bool // missing bytes read as zeros
	bytes   map[place]byte
	outside func(addr uint32) Kind
}

// place is a byte's address, with its lane if memory is private.
type place struct {
	lane int
	addr uint32
}

func (n *naive) place(i int, addr uint32) place {
	if n.private {
		return place{i, addr}
	}
	return place{0, addr}
}

// put sets the memory from addr on to b, in lane i's memory if it is private.
func (n *naive) put(i int, addr uint32, b []byte) {
	for k, v := range b {
		n.bytes[n.place(i, addr+uint32(k))] = v
	}
}

// get returns size bytes of memory that all lanes share.
func (n *naive) get(addr uint32, size int) []byte {
	b := make([]byte, size)
	for k := range b {
		b[k] = n.bytes[place{0, addr + uint32(k)}]
	}
	return b
}

func (n *naive) violation(addr *lane.Row, m lane.Mask, size uint32) *Violation {
	var v *Violation
	for i, a := range addr {
		if m>>i&1 == 0 {
			continue
		}
		kind := Kind(0)
		for k := range size {
			if _, ok := n.bytes[n.place(i, a+k)]; !ok && !n.endless {
				kind = n.outside(a)
			}
		}
		if a%size != 0 {
			kind = Misaligned
		}
		if kind == 0 {
			continue
		}
		if v == nil {
			v = &Violation{Kind: kind, Space: n.space, Addr: a}
		}
		v.Lanes |= 1 << i
	}
	return v
}

// load reads into the rows of regs from dst on. Row addr has the addresses.
func (n *naive) load(regs []lane.Row, dst, addr int, m lane.Mask, t accessType) *Violation {
	if v := n.violation(&regs[addr], m, t.size); v != nil {
		return v
	}
	for i := range lane.Width {
		if m>>i&1 == 0 {
			continue
		}
		var b [16]byte
		for k := range t.size {
			b[k] = n.bytes[n.place(i, regs[addr][i]+k)]
		}
		if t.signed && b[t.size-1]>>7 == 1 {
			for k := t.size; k < 4; k++ {
				b[k] = 0xff
			}
		}
		for k := range max(1, t.size/4) {
			regs[dst+int(k)][i] = uint32(b[4*k]) | uint32(b[4*k+1])<<8 | uint32(b[4*k+2])<<16 | uint32(b[4*k+3])<<24
		}
	}
	return nil
}

// store writes from rows of regs, like load.
func (n *naive) store(regs []lane.Row, src, addr int, m lane.Mask, t accessType) *Violation {
	if v := n.violation(&regs[addr], m, t.size); v != nil {
		return v
	}
	for i := range lane.Width {
		if m>>i&1 == 0 {
			continue
		}
		for k := range t.size {
			n.bytes[n.place(i, regs[addr][i]+k)] = byte(regs[src+int(k/4)][i] >> (8 * (k % 4)))
		}
	}
	return nil
}
