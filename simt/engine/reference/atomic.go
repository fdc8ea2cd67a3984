package reference

import (
	"encoding/binary"

	"jacquard/simt/engine/reference/alu"
	"jacquard/simt/machine"
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
	b, c := t.data(&a.in.Src[1]), t.data(&a.in.Src[2])
	a.Global.Update(addr, a.size, func(p []byte) {
		var full [16]byte
		copy(full[:], p)
		for i := range old {
			old[i] = binary.LittleEndian.Uint32(full[4*i:])
		}
		if a.size < 4 {
			return // nothing changes: docs/isa/operations.md, Atom
		}
		now, _ := alu.Atomic(a.in.Atom, a.t, old.number(a.size), b.number(a.size), c.number(a.size))
		binary.LittleEndian.PutUint64(full[:], now)
		copy(p, full[:a.size])
	})
	return old
}

// number returns the first bytes of an element, 4 or 8.
func (e element) number(size int) uint64 {
	if size == 8 {
		return uint64(e[1])<<32 | uint64(e[0])
	}
	return uint64(e[0])
}
