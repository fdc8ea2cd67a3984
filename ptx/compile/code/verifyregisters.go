package code

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Registers are checked by following the values of virtual registers through the physical ones, as
// the checker of regalloc2 does: a virtual register that is read must be among those whose value its
// physical register holds. The check knows nothing of live ranges and groups.

// contents are the virtual registers whose value each physical register holds, and the virtual
// registers without a value yet, for which any register will do.
type contents struct {
	holds map[location][]Reg // sorted
	blank set
}

// location is a physical register.
type location struct {
	class Class
	n     uint8
}

// registerCheck is the state of [groups.verify].
type registerCheck struct {
	s    *groups
	in   []*contents // by block
	errs []error
}

// verify checks the bases of all groups, before assign writes them into the instructions.
func (s *groups) verify() error {
	c := &registerCheck{s: s, in: make([]*contents, len(s.f.Blocks))}
	c.in[0] = c.entry()
	for changed := true; changed; {
		changed = false
		for _, n := range s.l.g.Order {
			out := c.walk(int(n), false)
			for _, to := range s.l.g.succ[n] {
				changed = c.meet(int(to), out) || changed
			}
		}
	}
	for _, n := range s.l.g.Order {
		c.walk(int(n), true)
	}
	return errors.Join(c.errs...)
}

// entry returns the contents at the start of the kernel.
func (c *registerCheck) entry() *contents {
	x := &contents{map[location][]Reg{}, newSet(len(c.s.f.Regs))}
	for r := range c.s.f.Regs {
		switch {
		case c.s.of[r] == nil:
		case c.s.f.Regs[r].Fixed != 0:
			x.holds[c.at(Reg(r))] = []Reg{Reg(r)}
		default:
			x.blank.add(r)
		}
	}
	return x
}

func (c *registerCheck) at(r Reg) location {
	return location{c.s.of[r].class, c.s.physical(r)}
}

// meet keeps at the start of a block what holds on both ways to it, and reports whether that is less.
func (c *registerCheck) meet(n int, x *contents) bool {
	was := c.in[n]
	if was == nil {
		c.in[n] = &contents{maps.Clone(x.holds), slices.Clone(x.blank)}
		return true
	}
	now := &contents{map[location][]Reg{}, newSet(64 * len(was.blank))}
	for i := range now.blank {
		now.blank[i] = was.blank[i] & x.blank[i]
	}
	keep := func(a, b *contents) {
		for at, list := range a.holds {
			for _, r := range list {
				if b.blank.has(int(r)) || slices.Contains(b.holds[at], r) {
					now.put(at, r)
				}
			}
		}
	}
	keep(was, x)
	keep(x, was)
	if slices.Equal(now.blank, was.blank) && maps.EqualFunc(now.holds, was.holds, slices.Equal[[]Reg]) {
		return false
	}
	c.in[n] = now
	return true
}

// put notes that a location holds the value of a virtual register.
func (x *contents) put(at location, r Reg) {
	list := x.holds[at]
	if i, found := slices.BinarySearch(list, r); !found {
		x.holds[at] = slices.Insert(slices.Clip(list), i, r)
	}
}

// write makes a location hold the value of some virtual registers, and of one that is new.
func (x *contents) write(at location, r Reg, others []Reg) {
	for from, list := range x.holds {
		if i, found := slices.BinarySearch(list, r); found {
			x.holds[from] = slices.Delete(slices.Clone(list), i, i+1)
		}
	}
	x.holds[at] = nil
	for _, o := range others {
		if o != r {
			x.put(at, o)
		}
	}
	x.put(at, r)
	x.blank[r>>6] &^= 1 << (r & 63)
}

// walk returns the contents after a block, and reports what reads a wrong value.
func (c *registerCheck) walk(n int, report bool) *contents {
	b := c.s.f.Blocks[n]
	x := &contents{maps.Clone(c.in[n].holds), slices.Clone(c.in[n].blank)}
	read := func(r Reg, where func() string) {
		if report && !x.blank.has(int(r)) && !slices.Contains(x.holds[c.at(r)], r) {
			c.errs = append(c.errs, fmt.Errorf("b%d: %s: register %d is not in %v when it is read", b.ID, where(), r, c.at(r)))
		}
	}
	for i := 0; i < len(b.Code); {
		end := runEnd(b.Code, i)
		run := b.Code[i:end]
		for k := range run {
			where := func() string { return c.s.f.describe(&run[k]) }
			for _, r := range run[k].uses(nil) {
				read(r, where)
			}
			for _, r := range run[k].defs(nil) {
				if run[k].keeps(r) {
					read(r, where)
				}
			}
		}
		c.run(x, run)
		i = end
	}
	if r := b.End.Guard.Reg; r != 0 {
		read(r, func() string { return "branch" })
	}
	return x
}

// run follows instructions that write at the same time.
func (c *registerCheck) run(x *contents, run []Instr) {
	type result struct {
		r      Reg
		others []Reg // that have the same value
	}
	var list []result
	for k := range run {
		in := &run[k]
		if in.Copy && in.Guard.always() && in.Src[0].Regs[0] != 0 {
			list = append(list, result{in.Dst.Regs[0], slices.Clone(x.holds[c.at(in.Src[0].Regs[0])])})
			continue
		}
		for _, r := range in.defs(nil) {
			list = append(list, result{r: r})
		}
	}
	written := map[Reg]bool{}
	for _, w := range list {
		written[w.r] = true
	}
	for _, w := range list { // another copy of the run may change equal values
		others := slices.DeleteFunc(w.others, func(r Reg) bool { return written[r] })
		x.write(c.at(w.r), w.r, others)
	}
}
