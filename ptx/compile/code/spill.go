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
	apart := false
	for range maxRounds {
		s := newGroups(analyse(f), temporary)
		s.apart = apart
		s.coalesce()
		class, failed := s.allocateAll()
		if len(failed) == 0 {
			if f.Verify {
				if err := s.verify(); err != nil {
					return err
				}
			}
			s.assign()
			return nil
		}
		if class == Word && !apart && slices.ContainsFunc(failed, func(g *group) bool { return g.size > 1 }) {
			apart = true
			isolateAll(f)
			continue
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
			if !s.saved[Reg(r)] {
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

// allocateAll allocates the classes. Classes that may need Words to spill come first.
func (s *groups) allocateAll() (Class, []*group) {
	for _, class := range []Class{Cond, Addr, Word} {
		n, failed := s.allocateClass(class)
		if len(failed) > 0 {
			return class, failed
		}
		if class == Word {
			s.f.registersUsed = n
		}
	}
	return Word, nil
}

// choose returns groups of a class that leave room for the others if spilled. It prefers groups
// with few reads and writes for their length of life. Where groups have failed, margin registers
// must stay free for them.
func (s *groups) choose(c Class, failed []*group, margin *int) []*group {
	first, limit := s.f.registers(c)
	limit -= first
	list := s.class(c)
	if c == Word && s.f.MaxRegs > lowRegs && !slices.ContainsFunc(failed, func(g *group) bool { return !g.low }) {
		list = slices.DeleteFunc(list, func(g *group) bool { return !g.low })
		limit = lowRegs
	}
	profile := s.profile(list) // the registers too many, by point
	for p := range profile {
		profile[p] -= int32(limit)
	}
	leave(profile, limit, failed, *margin)
	missing := newPressure(profile)
	*margin += 1 + *margin/2
	list = slices.DeleteFunc(list, func(g *group) bool { return g.keep || g.span <= shortest*int32(g.size) })
	for _, g := range list {
		g.price = s.price(g)
	}
	slices.SortFunc(list, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.price, b.price), cmp.Compare(a.members[0], b.members[0]))
	})
	var chosen []*group
	for _, g := range list {
		if g.over(missing) {
			g.take(missing, -1)
			chosen = append(chosen, g)
		}
	}
	if len(chosen) == 0 && len(list) > 0 {
		return list[:1]
	}
	kept := make([]*group, 0, len(chosen))
	for i := len(chosen) - 1; i >= 0; i-- { // the dear ones first
		g := chosen[i]
		g.take(missing, 1)
		if g.over(missing) {
			g.take(missing, -1)
			kept = append(kept, g)
		}
	}
	return kept
}

// leave raises the profile at the points of groups so that registers stay free for them: a margin, and
// one for each of their own but the first.
func leave(profile []int32, limit int, list []*group, margin int) {
	more := make([]int32, len(profile)+1)
	for _, g := range list {
		for _, x := range g.words[0] {
			more[x.from] += int32(margin + g.size - 1)
			more[x.to] -= int32(margin + g.size - 1)
		}
	}
	n := int32(0)
	for p := range profile {
		n += more[p]
		profile[p] = max(profile[p], min(profile[p]+n, int32(limit)))
	}
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
	return w / float64(g.span)
}

// over reports whether registers are missing at a point of the group.
func (g *group) over(missing *pressure) bool {
	for _, w := range g.words[:g.size] {
		for _, x := range w {
			if missing.over(x.from, x.to, 0) {
				return true
			}
		}
	}
	return false
}

// take adds n to the lack of registers at all points of the group.
func (g *group) take(missing *pressure, n int32) {
	for _, w := range g.words[:g.size] {
		for _, x := range w {
			missing.add(x.from, x.to, n)
		}
	}
}
