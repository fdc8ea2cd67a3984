package code

import (
	"cmp"
	"errors"
	"slices"
)

// Spills counts what did not fit the registers.
type Spills struct {
	Rounds         int // after which allocation began again
	Words          int // put into local memory
	Rematerialised int // registers whose value is computed again where it is read
	Loads, Stores  int // instructions added for the others
}

var errNoRegisters = errors.New("the values that one instruction needs do not fit the registers")

// maxRounds bounds the rounds of spilling. Each one takes registers that are live over several
// instructions away, so there are never many.
const maxRounds = 64

// allocate gives all virtual registers physical ones. What does not fit goes to other places.
func allocate(f *Func) error {
	var temporary set
	var margin [3]int // by class: how far below the number of registers the last round got
	for range maxRounds {
		s := newGroups(analyse(f), temporary)
		s.coalesce()
		class, failed := s.allocateAll()
		if failed == nil {
			s.assign()
			return nil
		}
		chosen := s.choose(class, failed, &margin[class])
		if len(chosen) == 0 {
			return errNoRegisters
		}
		f.spills.Rounds++
		first := len(f.Regs)
		s.spill(chosen)
		temporary = temporary.grow(len(f.Regs))
		for r := first; r < len(f.Regs); r++ {
			if !s.savedIn(Reg(r)) {
				temporary.add(r)
			}
		}
	}
	return errNoRegisters
}

// grow returns the set with room for numbers below n.
func (s set) grow(n int) set {
	for len(s)*64 < n {
		s = append(s, 0)
	}
	return s
}

// allocateAll allocates the classes. Those that may need Words to spill come first.
func (s *groups) allocateAll() (Class, *group) {
	for _, class := range []Class{Cond, Addr, Word} {
		n, failed := s.allocateClass(class)
		if failed != nil {
			return class, failed
		}
		if class == Word {
			s.f.registersUsed = n
		}
	}
	return Word, nil
}

// choose returns groups of a class without which the others fit at every point, as far as one can
// tell without allocating: those that are read and written least for the time that they are live.
func (s *groups) choose(c Class, failed *group, margin *int) []*group {
	first, limit := s.f.registers(c)
	limit -= first
	list := s.class(c)
	if c == Word && failed.low && s.f.MaxRegs > lowRegs {
		list = slices.DeleteFunc(list, func(g *group) bool { return !g.low })
		limit = lowRegs
	}
	profile := s.profile(list)
	limit = min(limit, int(slices.Max(profile))) - *margin
	*margin++
	list = slices.DeleteFunc(list, func(g *group) bool { return g.keep || g.length() <= shortest*int32(g.size) })
	price := make(map[*group]float64, len(list))
	for _, g := range list {
		price[g] = s.price(g)
	}
	slices.SortStableFunc(list, func(a, b *group) int { return cmp.Compare(price[a], price[b]) })
	var chosen []*group
	for _, g := range list {
		if g.over(profile, limit) {
			g.take(profile, -1)
			chosen = append(chosen, g)
		}
	}
	if len(chosen) == 0 {
		*margin++
		for _, g := range list { // the first that lives at the same time as what failed
			if g.meets(failed) {
				return []*group{g}
			}
		}
	}
	kept := chosen[:0]
	for i := len(chosen) - 1; i >= 0; i-- { // the dear ones first
		g := chosen[i]
		g.take(profile, 1)
		if g.over(profile, limit) {
			g.take(profile, -1)
			kept = append(kept, g)
		}
	}
	return kept
}

// shortest is the points of a range that spilling cannot make shorter: from an instruction to the
// next.
const shortest = 2

// price returns what it costs to spill a group, for each point that gets free.
func (s *groups) price(g *group) float64 {
	w := g.weight
	if s.remade(g) != nil {
		w /= 3
	}
	return w / float64(g.length())
}

// over reports whether more registers than the limit hold values at a point of the group.
func (g *group) over(profile []int32, limit int) bool {
	for _, w := range g.words[:g.size] {
		for _, x := range w {
			for p := x.from; p < x.to; p++ {
				if int(profile[p]) > limit {
					return true
				}
			}
		}
	}
	return false
}

// take adds n to the profile at all points of the group.
func (g *group) take(profile []int32, n int32) {
	for _, w := range g.words[:g.size] {
		for _, x := range w {
			for p := x.from; p < x.to; p++ {
				profile[p] += n
			}
		}
	}
}

// meets reports whether both groups hold values at some point.
func (g *group) meets(o *group) bool {
	for _, w := range g.words[:g.size] {
		for _, x := range w {
			for _, v := range o.words[:o.size] {
				for _, y := range v {
					if x.from < y.to && y.from < x.to {
						return true
					}
				}
			}
		}
	}
	return false
}
