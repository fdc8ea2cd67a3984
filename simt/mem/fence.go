package mem

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// FencePage is what the kernel sees through global memory window 15: a page of 4 KiB
// that can be read and not written. Compilers read it to wait for earlier stores; the
// values do not matter and are 0 here.
type FencePage struct{}

// Load reads zeros. It returns nil, or why nothing was loaded.
func (FencePage) Load(dst *Data, addr *lane.Row, m lane.Mask, t tesla.Type, c *Cost) *Violation {
	size := shapeOf(t).size()
	if v := beyond('g', pageSize, addr, m, size); v != nil {
		return v
	}
	if c != nil && m != 0 {
		c.Device.add(addr, m, size, scattered)
	}
	for i := range max(1, size/4) {
		fill(dst[i], m, 0)
	}
	return nil
}

// Store refuses every lane of m; it returns nil only if there is none.
func (FencePage) Store(_ *Data, addr *lane.Row, m lane.Mask, _ tesla.Type, _ *Cost) *Violation {
	if m == 0 {
		return nil
	}
	return &Violation{Kind: ReadOnly, Space: 'g', Lanes: m, Addr: addr[first(m)]}
}
