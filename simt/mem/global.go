package mem

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Load and Store check and count alike, each in its own lines: a call between would cost a tenth of
// an access.

// Load reads an element of type t for each lane of m from that lane's address and widens it to
// registers; other lanes of dst keep their value. It adds the cost to c, unless c is nil. It
// returns nil, or a violation, and then nothing was loaded; after an Overrun everything was.
func (s *Space) Load(dst *Data, addr *lane.Row, m lane.Mask, t tesla.Type, c *Cost) *Violation {
	if m == 0 {
		return nil
	}
	sh := shapeOf(t)
	a := s.entry(addr[first(m)])
	if a == &s.shared {
		a = s.among(addr[first(m)])
	}
	if a != nil {
		if p, ok := survey(addr, m, a.base, len(a.data), sh.size()); ok {
			if c != nil {
				c.Device.add(addr, m, sh.size(), p)
			}
			load(dst, a.data, a.base, addr, m, sh, p)
			return nil
		}
	}
	v := s.explain(addr, m, sh.size())
	if v.refuses() {
		return v
	}
	if c != nil {
		c.Device.add(addr, m, sh.size(), scattered)
	}
	for m != 0 {
		a, part := s.part(addr, m)
		gather(dst, a.whole(), a.base, addr, part, sh)
		m &^= part
	}
	return v
}

// Store writes an element of type t for each lane of m to that lane's address: for narrow types the
// low bits of the register. It adds the cost to c, unless c is nil. It returns nil, or a violation,
// and then nothing was stored; after an Overrun everything was.
func (s *Space) Store(src *Data, addr *lane.Row, m lane.Mask, t tesla.Type, c *Cost) *Violation {
	if m == 0 {
		return nil
	}
	sh := shapeOf(t)
	a := s.entry(addr[first(m)])
	if a == &s.shared {
		a = s.among(addr[first(m)])
	}
	if a != nil {
		if p, ok := survey(addr, m, a.base, len(a.data), sh.size()); ok {
			if c != nil {
				c.Device.add(addr, m, sh.size(), p)
			}
			a.touch()
			store(src, a.data, a.base, addr, m, sh, p)
			return nil
		}
	}
	v := s.explain(addr, m, sh.size())
	if v.refuses() {
		return v
	}
	if c != nil {
		c.Device.add(addr, m, sh.size(), scattered)
	}
	for m != 0 {
		a, part := s.part(addr, m)
		a.touch()
		scatter(src, a.whole(), a.base, addr, part, sh)
		m &^= part
	}
	return v
}

// check returns the violation of accesses of size bytes, nil if there is none.
func (s *Space) check(addr *lane.Row, m lane.Mask, size uint32) *Violation {
	if a := s.find(addr[first(m)]); a != nil {
		if _, ok := survey(addr, m, a.base, len(a.data), size); ok {
			return nil
		}
	}
	return s.explain(addr, m, size)
}

// explain is check lane by lane. It reports lanes in slack only if no lane is refused.
func (s *Space) explain(addr *lane.Row, m lane.Mask, size uint32) *Violation {
	all, refused, slack := m, Violation{Space: 'g'}, Violation{Space: 'g'}
	for ; m != 0; m &= m - 1 {
		i := first(m)
		switch k := s.probe(addr[i], size); k {
		case 0:
		case Overrun:
			slack.add(i, k, addr[i])
		default:
			refused.add(i, k, addr[i])
		}
	}
	switch {
	case refused.Lanes != 0:
		return refused.orNil()
	case slack.Lanes != 0:
		return slack.orNil()
	}
	return s.Crossed(addr, all, size)
}

// Crossed returns the violation of accesses that go on from the end of one allocation into the next:
// consecutive lanes access consecutive elements, as they do in one array. nil if there are none.
// Every access is inside an allocation, so no other sign shows that one is meant for another.
func (s *Space) Crossed(addr *lane.Row, m lane.Mask, size uint32) *Violation {
	v, beyond := Violation{Space: 'g'}, false
	for before := first(m); m&(m-1) != 0; {
		m &= m - 1
		i := first(m)
		goesOn := addr[i]-addr[before] == uint32(i-before)*size
		if beyond = goesOn && (beyond || s.find(addr[before]) != s.find(addr[i])); beyond {
			v.add(i, Overrun, addr[i])
		}
		before = i
	}
	return v.orNil()
}

// probe returns the violation of an access of size bytes at addr, 0 if there is none.
func (s *Space) probe(addr, size uint32) Kind {
	if addr&(size-1) != 0 {
		return Misaligned
	}
	a := s.find(addr)
	if a == nil {
		return Unmapped
	}
	switch end := uint64(addr-a.base) + uint64(size); {
	case end <= uint64(len(a.data)):
		return 0
	case end <= uint64(cap(a.data)):
		return Overrun
	}
	return OutOfRange
}

// part returns the allocation of m's lowest lane and all lanes of m that access it. The caller has
// checked the accesses. Serving an access part by part keeps the order of lanes that share an
// address.
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
