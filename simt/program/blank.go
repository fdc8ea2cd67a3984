package program

import (
	"slices"

	"jacquard/simt/branch"
	"jacquard/tesla"
)

// Blank says which registers code may read before it writes them. A warp begins with zeros in
// these; the contents of the others do not matter.
type Blank struct {
	General    []int // numbers, ascending
	Addresses  []int // the same
	Conditions bool  // any condition register
}

// registers is a set of registers: general ones from 0 on, $a from firstAddress, $c from
// firstCondition.
type registers [3]uint64

const (
	firstAddress   = 128
	firstCondition = firstAddress + 8
)

func (s *registers) add(n int) { s[n/64] |= 1 << (n % 64) }

func (s *registers) has(n int) bool { return s[n/64]>>(n%64)&1 != 0 }

// union adds the registers of another set.
func (s *registers) union(o *registers) {
	for i := range s {
		s[i] |= o[i]
	}
}

// keep drops the registers that another set lacks. It reports whether it dropped any.
func (s *registers) keep(o *registers) (fewer bool) {
	for i := range s {
		fewer = fewer || s[i]&^o[i] != 0
		s[i] &= o[i]
	}
	return fewer
}

// of returns a set of registers.
func of(r tesla.Registers) (s registers) {
	for n := range r.General() {
		s.add(n)
	}
	for n := range r.Addresses() {
		s.add(firstAddress + n)
	}
	for n := range r.Conditions() {
		s.add(firstCondition + n)
	}
	return s
}

// findBlank follows every way that a lane may go, and finds at each instruction the registers that
// the lane has written on any way. Policies only choose when a lane goes its way.
func (p *Program) findBlank() {
	var all, blank registers
	for i := range all {
		all[i] = ^uint64(0)
	}
	before := slices.Repeat([]registers{all}, len(p.Code))
	work := make([]int32, 0, len(p.Code))
	reach := func(i int32, written *registers) {
		if before[i].keep(written) {
			work = append(work, i)
		}
	}
	if p.strays() {
		blank = all
	} else {
		reach(0, &registers{})
	}
	for len(work) > 0 {
		u := &p.Code[work[len(work)-1]]
		work = work[:len(work)-1]
		if u.Refusal != nil { // it faults at once
			continue
		}
		written := before[u.At]
		unset := of(u.Ins.Uses())
		for i := range unset {
			unset[i] &^= written[i]
		}
		blank.union(&unset)
		if !u.Guarded && u.Ins.Idle == 0 && u.Ins.Dst.Kind != tesla.Half {
			defs := of(u.Ins.Defs())
			written.union(&defs)
		}
		p.successors(u, func(i int32) { reach(i, &written) })
	}
	p.Blank = blank.list(p.Kernel.Registers)
}

// strays reports whether lanes go ways that findBlank does not follow (calls, indirect branches,
// and regions in which lanes run along with their quads), or read registers of other lanes, which
// may have gone other ways.
func (p *Program) strays() bool {
	return slices.ContainsFunc(p.Code, func(u Op) bool {
		return u.Event == branch.Call || u.Event == branch.PreReturn || u.Event == branch.QuadOn || u.Ins.Op == tesla.OpBraIndirect || u.Ins.Op == tesla.OpQuadOp
	})
}

// successors yields all instructions to which lanes may go from u, and maybe more.
func (p *Program) successors(u *Op, yield func(i int32)) {
	if int(u.At)+1 < len(p.Code) && (u.Event != branch.Branch || u.Guarded) {
		yield(u.At + 1)
	}
	switch u.Event {
	case branch.Branch:
		if u.To >= 0 {
			yield(u.To)
		}
	case branch.Break: // to any announced end of a loop
		for i := range p.Code {
			if t := &p.Code[i]; t.Event == branch.BreakAddr && t.To >= 0 {
				yield(t.To)
			}
		}
	}
}

// list returns the registers of a set; general is the number of general registers.
func (s *registers) list(general int) (b Blank) {
	for n := range general {
		if s.has(n) {
			b.General = append(b.General, n)
		}
	}
	for n := range firstCondition - firstAddress {
		if s.has(firstAddress + n) {
			b.Addresses = append(b.Addresses, n)
		}
	}
	b.Conditions = slices.ContainsFunc([]int{0, 1, 2, 3}, func(n int) bool { return s.has(firstCondition + n) })
	return b
}
