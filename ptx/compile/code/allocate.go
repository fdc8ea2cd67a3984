package code

import (
	"cmp"
	"slices"
)

// The physical registers of the classes.
const (
	conds     = 4
	firstAddr = 1 // $a0 always reads 0
	addrs     = 4
)

// registers returns the first physical register of a class and the one behind the last.
func (f *Func) registers(c Class) (first, limit int) {
	switch c {
	case Cond:
		return 0, conds
	case Addr:
		return firstAddr, firstAddr + addrs
	}
	return 0, f.MaxRegs
}

// allocation gives the groups of one class physical registers.
type allocation struct {
	first, limit int // physical registers first .. limit-1
	goal         int // hints do not make it use registers from here on
	used         int // registers from here on hold nothing
	taken        *occupancy
}

// allocateClass gives all groups of a class their base and returns the number of registers that
// they need. If that fails, failed are the groups for which there was no place.
func (s *groups) allocateClass(c Class) (used int, failed []*group) {
	list := s.class(c)
	first, limit := s.f.registers(c)
	a := &allocation{first: first, limit: limit, taken: newOccupancy(s.l.points)}
	a.goal = first + s.pressure(list)
	best, bases := -1, make(map[*group]int, len(list))
	for _, order := range s.orders() {
		slices.SortFunc(list, order)
		if none := a.place(list); len(none) > 0 {
			if len(failed) == 0 || len(none) < len(failed) {
				failed = none
			}
			continue
		}
		if best < 0 || a.used < best {
			best = a.used
			for _, g := range list {
				bases[g] = g.base
			}
		}
		if best <= a.goal || len(list) > many && best <= a.goal+2 {
			break
		}
	}
	if best < 0 {
		return 0, failed
	}
	for _, g := range list {
		g.base = bases[g]
	}
	return best, nil
}

// many is the groups from which on another order costs too much time for one or two registers.
const many = 2000

// class returns the groups of a class.
func (s *groups) class(c Class) []*group {
	var list []*group
	for r, g := range s.of {
		if g != nil && g.class == c && g.members[0] == Reg(r) {
			g.begin, g.span = g.start(), g.length()
			list = append(list, g)
		}
	}
	return list
}

// orders returns orders in which groups can be placed. The one that needs fewest registers counts.
func (s *groups) orders() []func(a, b *group) int {
	fixed := func(a, b *group) int { return cmp.Compare(b.fixed, a.fixed) }
	start := func(a, b *group) int { return cmp.Compare(a.begin, b.begin) }
	wide := func(a, b *group) int { return cmp.Compare(b.align, a.align) }
	long := func(a, b *group) int { return cmp.Compare(b.span, a.span) }
	low := func(a, b *group) int {
		switch {
		case s.f.MaxRegs <= lowRegs || a.low == b.low:
			return 0
		case a.low:
			return -1
		}
		return 1
	}
	by := func(keys ...func(a, b *group) int) func(a, b *group) int {
		return func(a, b *group) int {
			for _, key := range keys {
				if c := key(a, b); c != 0 {
					return c
				}
			}
			return cmp.Compare(a.members[0], b.members[0])
		}
	}
	return []func(a, b *group) int{
		by(fixed, start, wide), by(fixed, wide, start), by(fixed, wide, long), by(fixed, long),
		by(fixed, low, wide, long),
	}
}

// start returns the first point at which the group holds a value.
func (g *group) start() int32 {
	first := int32(1<<31 - 1)
	for _, w := range g.words[:g.size] {
		if len(w) > 0 {
			first = min(first, w[0].from)
		}
	}
	return first
}

// length returns the number of points at which registers of the group hold values.
func (g *group) length() int32 {
	n := int32(0)
	for _, w := range g.words[:g.size] {
		for _, x := range w {
			n += x.to - x.from
		}
	}
	return n
}

// pressure returns the most registers that groups need at one point.
func (s *groups) pressure(list []*group) int {
	most := int32(0)
	for _, n := range s.profile(list) {
		most = max(most, n)
	}
	return int(most)
}

// profile returns the number of registers that hold values, by point.
func (s *groups) profile(list []*group) []int32 {
	at := make([]int32, s.l.points+2)
	for _, g := range list {
		g.addTo(at, 1)
	}
	n := int32(0)
	for i := range at {
		n += at[i]
		at[i] = n
	}
	return at
}

// addTo adds n at the begin of every segment, and takes it away at its end.
func (g *group) addTo(at []int32, n int32) {
	for _, w := range g.words[:g.size] {
		for _, x := range w {
			at[x.from] += n
			at[x.to] -= n
		}
	}
}
