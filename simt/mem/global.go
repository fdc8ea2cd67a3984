package mem

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Load reads an element of type t for each lane of m from that lane's address and
// widens it to registers; other lanes of dst keep their value. It adds to c what that
// costs, unless c is nil. It returns nil, or why nothing was loaded.
func (s *Space) Load(dst *Data, addr *lane.Row, m lane.Mask, t tesla.Type, c *Cost) *Violation {
	if m == 0 {
		return nil
	}
	sh := shapeOf(t)
	if a := s.find(addr[first(m)]); a != nil {
		if p, ok := survey(addr, m, a.base, len(a.data), sh.size()); ok {
			if c != nil {
				c.Device.add(addr, m, sh.size(), p)
			}
			load(dst, a.data, a.base, addr, m, sh, p)
			return nil
		}
	}
	if v := s.explain(addr, m, sh.size()); v != nil {
		return v
	}
	if c != nil {
		c.Device.add(addr, m, sh.size(), scattered)
	}
	for m != 0 {
		a, part := s.part(addr, m)
		gather(dst, a.data, a.base, addr, part, sh)
		m &^= part
	}
	return nil
}

// Store writes an element of type t for each lane of m to that lane's address, the
// low bits of the register for narrow types. It adds to c what that costs, unless c is
// nil. It returns nil, or why nothing was stored.
func (s *Space) Store(src *Data, addr *lane.Row, m lane.Mask, t tesla.Type, c *Cost) *Violation {
	if m == 0 {
		return nil
	}
	sh := shapeOf(t)
	if a := s.find(addr[first(m)]); a != nil {
		if p, ok := survey(addr, m, a.base, len(a.data), sh.size()); ok {
			if c != nil {
				c.Device.add(addr, m, sh.size(), p)
			}
			a.touch()
			store(src, a.data, a.base, addr, m, sh, p)
			return nil
		}
	}
	if v := s.explain(addr, m, sh.size()); v != nil {
		return v
	}
	if c != nil {
		c.Device.add(addr, m, sh.size(), scattered)
	}
	for m != 0 {
		a, part := s.part(addr, m)
		a.touch()
		scatter(src, a.data, a.base, addr, part, sh)
		m &^= part
	}
	return nil
}

// check returns the violation of accesses of size bytes, or nil if all are fine.
func (s *Space) check(addr *lane.Row, m lane.Mask, size uint32) *Violation {
	if a := s.find(addr[first(m)]); a != nil {
		if _, ok := survey(addr, m, a.base, len(a.data), size); ok {
			return nil
		}
	}
	return s.explain(addr, m, size)
}

// explain is check lane by lane.
func (s *Space) explain(addr *lane.Row, m lane.Mask, size uint32) *Violation {
	v := Violation{Space: 'g'}
	for ; m != 0; m &= m - 1 {
		i := first(m)
		if k := s.probe(addr[i], size); k != 0 {
			v.add(i, k, addr[i])
		}
	}
	return v.orNil()
}

// probe returns what is wrong with an access of size bytes at addr, or 0.
func (s *Space) probe(addr, size uint32) Kind {
	if addr&(size-1) != 0 {
		return Misaligned
	}
	a := s.find(addr)
	if a == nil {
		return Unmapped
	}
	if uint64(addr-a.base)+uint64(size) > uint64(len(a.data)) {
		return OutOfRange
	}
	return 0
}

// part returns the allocation of m's lowest lane and all lanes of m that access it.
// The accesses have been checked. Serving an access part by part keeps the order of
// lanes that share an address.
func (s *Space) part(addr *lane.Row, m lane.Mask) (*allocation, lane.Mask) {
	a := s.find(addr[first(m)])
	var part lane.Mask
	for ; m != 0; m &= m - 1 {
		if i := first(m); s.find(addr[i]) == a {
			part |= 1 << i
		}
	}
	return a, part
}
