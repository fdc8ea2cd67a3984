package mem

import (
	"sync/atomic"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Const is a constant bank. Bytes beyond its end read as 0, so a nil Const, an unbound bank, is all
// zeros. That is a choice: no source states the behaviour of hardware. The caller does the 16-bit
// address arithmetic.
type Const []byte

// Load reads an element of type t for each lane of m from that lane's address. It returns nil, or a
// violation, and then nothing was loaded. The only violation is a misaligned address.
func (c Const) Load(dst *Data, addr *lane.Row, m lane.Mask, t tesla.Type, cost *Cost) *Violation {
	if m == 0 {
		return nil
	}
	sh := shapeOf(t)
	if p, ok := survey(addr, m, 0, len(c), sh.size()); ok {
		if cost != nil {
			cost.Const.addConst(addr, m, p)
		}
		load(dst, c, 0, addr, m, sh, p)
		return nil
	}
	if v := misaligned('c', addr, m, sh.size()); v != nil {
		return v
	}
	if cost != nil {
		cost.Const.addConst(addr, m, scattered)
	}
	for ; m != 0; m &= m - 1 {
		i := first(m)
		b := c.pad(addr[i])
		gather(dst, b[:], addr[i], addr, 1<<i, sh)
	}
	return nil
}

// pad returns the bytes from offset on, with zeros after the end.
func (c Const) pad(offset uint32) (b [16]byte) {
	if uint64(offset) < uint64(len(c)) {
		copy(b[:], c[offset:])
	}
	return b
}

// misaligned returns the violation of addresses that are not multiples of size, or nil if there are
// none.
func misaligned(space byte, addr *lane.Row, m lane.Mask, size uint32) *Violation {
	v := Violation{Space: space}
	for ; m != 0; m &= m - 1 {
		if i := first(m); addr[i]&(size-1) != 0 {
			v.add(i, Misaligned, addr[i])
		}
	}
	return v.orNil()
}

// FencePage is global memory window 15: a page of 4 KiB that kernels can read but not write.
// Compilers read it to wait for earlier stores. The values do not matter and are 0 here.
type FencePage struct{}

// Fence has the stores of this worker so far happen before its next loads. Hosts like amd64 keep
// any other order of accesses. Unverified: on other hosts it orders atomics alone.
func Fence() {
	var word atomic.Uint32
	word.Store(1)
}

// Load reads zeros and is a [Fence]. It returns nil, or a violation, and then nothing was loaded.
func (FencePage) Load(dst *Data, addr *lane.Row, m lane.Mask, t tesla.Type, c *Cost) *Violation {
	size := shapeOf(t).size()
	if v := beyond('g', pageSize, addr, m, size); v != nil {
		return v
	}
	if c != nil && m != 0 {
		c.Device.add(addr, m, size, scattered)
	}
	Fence()
	for i := range max(1, size/4) {
		fill(dst[i], m, 0)
	}
	return nil
}

// Window returns the page. Callers must not write it.
func (FencePage) Window() []byte { return fencePage[:] }

var fencePage [pageSize]byte

// Store refuses every lane of m. It returns nil only if m is empty.
func (FencePage) Store(_ *Data, addr *lane.Row, m lane.Mask, _ tesla.Type, _ *Cost) *Violation {
	if m == 0 {
		return nil
	}
	return &Violation{Kind: ReadOnly, Space: 'g', Lanes: m, Addr: addr[first(m)]}
}
