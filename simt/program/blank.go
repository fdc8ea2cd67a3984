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

// registers is a set of registers: low halves of general ones from 0 on, $a from firstAddress, $c
// from firstCondition, and high halves from firstHigh.
type registers [5]uint64

const (
	firstAddress   = 128
	firstCondition = firstAddress + 8
	firstHigh      = 192
)

func (s *registers) add(n int) { s[n/64] |= 1 << (n % 64) }

func (s *registers) has(n int) bool { return s[n/64]>>(n%64)&1 != 0 }

// union adds the registers of another set.
func (s *registers) union(o *registers) {
	for i := range s {
		s[i] |= o[i]
	}
}

// drop drops the registers of another set.
func (s *registers) drop(o *registers) {
	for i := range s {
		s[i] &^= o[i]
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

// addHalf adds a half register by its index in an operand.
func (s *registers) addHalf(index int) { s.add(index/2 + index%2*firstHigh) }

// of returns a set of whole registers.
func of(r tesla.Registers) (s registers) {
	for n := range r.General() {
		s.add(n)
		s.add(n + firstHigh)
	}
	for n := range r.Addresses() {
		s.add(firstAddress + n)
	}
	for n := range r.Conditions() {
		s.add(firstCondition + n)
	}
	return s
}

// usesOf returns what an instruction reads.
func usesOf(in *tesla.Instruction) registers {
	whole, halves := *in, registers{}
	for i := range whole.Src {
		if o := &whole.Src[i]; o.Kind == tesla.Half && in.Bad == tesla.OK {
			halves.addHalf(int(o.Index))
			*o = tesla.Operand{}
		}
	}
	s := of(whole.Uses())
	s.union(&halves)
	return s
}

// defsOf returns what an instruction writes in the lanes that execute it.
func defsOf(in *tesla.Instruction) registers {
	if in.Dst.Kind != tesla.Half || in.Bad != tesla.OK {
		return of(in.Defs())
	}
	whole, half := *in, registers{}
	half.addHalf(int(in.Dst.Index))
	whole.Dst = tesla.Operand{}
	s := of(whole.Defs())
	s.union(&half)
	return s
}

// written is what a lane has written: everything first, then by guard of the program what it has
// written if the guard holds for it now.
type written []registers

// keep drops what another way has not written. It reports whether it dropped any.
func (s written) keep(o written) (fewer bool) {
	for i := range s {
		fewer = s[i].keep(&o[i]) || fewer
	}
	return fewer
}

// write adds what an instruction writes under guard g; places has those of the program. What is
// written if a guard holds, and if not, is written.
func (s written) write(defs *registers, g tesla.Guard, places map[tesla.Guard]int) {
	at := places[g]
	switch {
	case at < 0:
		return
	case at > 0:
		s[at].union(defs)
		other := places[tesla.Guard{Reg: g.Reg, Cond: unless(g.Cond)}]
		if other <= 0 {
			return
		}
		both := s[at]
		both.keep(&s[other])
		defs = &both
	}
	for i := range s {
		s[i].union(defs)
	}
}

// unless returns the condition that holds where c does not, CondInvalid if there is none.
func unless(c tesla.Cond) tesla.Cond {
	switch {
	case c > tesla.CondAlways && c < tesla.CondNever:
		return tesla.CondNever - c
	case c >= tesla.CondO && c <= tesla.CondS, c >= tesla.CondNS && c <= tesla.CondNO:
		return tesla.CondO + tesla.CondNO - c
	}
	return tesla.CondInvalid
}

// mostSets bounds the memory of findBlank: sets of registers, of all instructions.
const mostSets = 1 << 20

// guards returns the place in written of each guard of the program: 0 for none, -1 for guards beyond
// mostSets.
func guards(p *Program) map[tesla.Guard]int {
	places := map[tesla.Guard]int{}
	for i := range p.Code {
		u := &p.Code[i]
		if _, known := places[u.Guard]; known || !u.Guarded {
			continue
		}
		if places[u.Guard] = -1; (len(places)+1)*len(p.Code) < mostSets {
			places[u.Guard] = len(places)
		}
	}
	return places
}

// findBlank follows every way that a lane may go, and finds at each instruction the registers that
// the lane has written on any way. Policies only choose when a lane goes its way.
func (p *Program) findBlank() {
	var all, blank registers
	for i := range all {
		all[i] = ^uint64(0)
	}
	places, back := guards(p), returns(p)
	sets := slices.Repeat([]registers{all}, len(p.Code)*(1+len(places)))
	before := func(i int32) written { return sets[int(i)*(1+len(places)):][:1+len(places)] }
	work := make([]int32, 0, len(p.Code))
	now := make(written, 1+len(places))
	reach := func(i int32) {
		if before(i).keep(now) {
			work = append(work, i)
		}
	}
	if p.strays() {
		blank = all
	} else {
		reach(0)
	}
	for len(work) > 0 {
		u := &p.Code[work[len(work)-1]]
		work = work[:len(work)-1]
		if u.Refusal != nil { // it faults at once
			continue
		}
		copy(now, before(u.At))
		unset, defs := usesOf(u.Ins), defsOf(u.Ins)
		unset.drop(&now[max(0, places[u.Guard])])
		blank.union(&unset)
		if u.Ins.Idle == 0 {
			now.write(&defs, u.Guard, places)
		}
		for g, at := range places {
			if at > 0 && defs.has(firstCondition+int(g.Reg)) { // the guard may hold from now on where it did not
				now[at] = now[0]
			}
		}
		p.successors(u, back, reach)
	}
	p.Blank = blank.list(p.Kernel.Registers)
}

// strays reports whether lanes go ways that findBlank does not follow (indirect branches, calls that
// return elsewhere, and regions in which lanes run along with their quads), or read registers of
// other lanes, which may have gone other ways.
func (p *Program) strays() bool {
	return slices.ContainsFunc(p.Code, func(u Op) bool {
		return u.Event == branch.PreReturn || u.Event == branch.QuadOn || u.Ins.Op == tesla.OpBraIndirect || u.Ins.Op == tesla.OpQuadOp
	})
}

// successors yields all instructions to which lanes may go from u, and maybe more. back is what
// returns has found.
func (p *Program) successors(u *Op, back [][]int32, yield func(i int32)) {
	if int(u.At)+1 < len(p.Code) && (u.Event != branch.Branch && u.Event != branch.Call || u.Guarded) {
		yield(u.At + 1)
	}
	to := func(i int32) {
		if i >= 0 {
			yield(i)
		}
	}
	switch u.Event {
	case branch.Branch, branch.Call:
		to(u.To)
	case branch.Break: // to any announced end of a loop
		for i := range p.Code {
			if t := &p.Code[i]; t.Event == branch.BreakAddr {
				to(t.To)
			}
		}
	case branch.Return:
		for _, i := range back[u.At] {
			yield(i)
		}
	}
}

// list returns the registers of a set; general is the number of general registers.
func (s *registers) list(general int) (b Blank) {
	for n := range general {
		if s.has(n) || s.has(n+firstHigh) {
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
