package reference

import (
	"jacquard/simt/engine/reference/alu"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// trapping is the code of the atomic operation that traps (docs/isa/operations.md, Atom).
const trapping tesla.AtomOp = 3

// atomic is docs/isa/operations.md, Red and Atom: one lane after the other.
func (x *step) atomic() bool {
	a := x.access()
	a.stores = true
	for k, w := range a.s.Warp[:a.s.N] {
		if x.in.Atom == trapping {
			return x.Raise(machine.FaultTrap, int(w), a.s.Mask[k], "this atomic operation traps")
		}
		if a.Hook != nil && a.space == program.SpaceGlobal {
			data := a.rows(k)
			a.Hook.Atomic(a.State, a.u, int(w), &data, &a.at[k], a.s.Mask[k], a.size)
		}
		if v := a.violation(k); v != nil && !a.Overran(a.u, int(w), v) {
			return a.RaiseAccess(int(w), v)
		}
		for t := range a.lanes(k) {
			old := a.exchange(t, a.at[k][t.lane])
			if x.in.Op == tesla.OpAtom {
				t.keep(x.in, old, a.t)
			}
		}
	}
	return true
}

// exchange does the operation of one thread and returns what memory held.
func (a *access) exchange(t thread, addr uint32) (old element) {
	if a.size < 4 {
		return element(a.Global.Read(addr, a.t)) // nothing changes: docs/isa/operations.md, Atom
	}
	b, c := t.data(&a.in.Src[1]), t.data(&a.in.Src[2])
	v := a.Global.Exchange(addr, a.t, func(old uint64) uint64 {
		now, _ := alu.Atomic(a.in.Atom, a.t, old, b.number(a.size), c.number(a.size))
		return now
	})
	return element{uint32(v), uint32(v >> 32)}
}

// number returns the first bytes of an element, 4 or 8.
func (e element) number(size int) uint64 {
	if size == 8 {
		return uint64(e[1])<<32 | uint64(e[0])
	}
	return uint64(e[0])
}
