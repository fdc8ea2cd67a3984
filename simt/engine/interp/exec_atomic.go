package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

var atomics = bindings{
	tesla.OpRed:  bindAccess(execAtomic),
	tesla.OpAtom: bindAccess(execAtomic),
}

func execAtomic(eng *Engine, u *op, s *lane.Sel) bool {
	at := eng.accessed(u, s)
	for k := range s.N {
		w, m := int(s.Warp[k]), s.Mask[k]
		addr := at.At(w)
		a, c := eng.data(&u.Ins.Src[1], u.Words, w), eng.data(&u.Ins.Src[2], u.Words, w)
		if u.Space == program.SpaceFence {
			return eng.RaiseAccess(w, mem.FencePage{}.Store(&a, addr, m, u.Ins.Type, nil))
		}
		if eng.Hook != nil {
			eng.stored = a
			eng.Hook.Atomic(&eng.State, &u.Op, w, &eng.stored, addr, m, mem.Size(u.Ins.Type))
		}
		var old *mem.Data
		if u.Ins.Op == tesla.OpAtom {
			d := eng.into(u, w)
			old = &d
		}
		var v *mem.Violation
		if eng.Alone {
			v = eng.Global.AtomicAlone(u.Ins.Atom, u.Ins.Type, addr, &a, &c, m, old)
		} else {
			v = eng.Global.Atomic(u.Ins.Atom, u.Ins.Type, addr, &a, &c, m, old)
		}
		if v != nil && !eng.Overran(&u.Op, w, v) {
			if v.Kind == mem.Trap {
				return eng.Raise(machine.FaultTrap, w, v.Lanes, "this atomic operation traps")
			}
			return eng.RaiseAccess(w, v)
		}
	}
	return true
}

// execLoadLock reads a word and tries to lock it; the $c tells which lanes hold the lock.
// Unverified: $c gets the value of compare-and-set, true for success; compilers rely only on
// success being "less" and failure not (docs/isa/memory.md, Locks).
func execLoadLock(eng *Engine, u *op, s *lane.Sel) bool {
	at := eng.accessed(u, s)
	c := eng.cost(u, u.Space, at, u.Ins.Type, s)
	for k := range s.N {
		w, m := int(s.Warp[k]), s.Mask[k]
		addr, d := at.At(w), eng.into(u, w)
		if eng.Hook != nil {
			eng.Hook.Load(&eng.State, &u.Op, u.Space, w, addr, m, mem.Size(u.Ins.Type))
		}
		var v *mem.Violation
		if eng.holds[k], v = eng.Shared.LoadLock(d[0], addr, m, c); v != nil {
			eng.keepLocks(u, upTo(s, k))
			return eng.RaiseAccess(w, v)
		}
	}
	eng.pay(u)
	eng.keepLocks(u, s)
	return true
}

// keepLocks completes a load that locks.
func (eng *Engine) keepLocks(u *op, s *lane.Sel) {
	eng.keep(u, s)
	if u.CDst != program.NoCond {
		lane.MaskFlags(eng.Flags[u.CDst], &eng.holds, s)
	}
}

// execStoreUnlock writes a word and frees its lock.
func execStoreUnlock(eng *Engine, u *op, s *lane.Sel) bool {
	at := eng.accessed(u, s)
	c := eng.cost(u, u.Space, at, u.Ins.Type, s)
	for k := range s.N {
		w, m := int(s.Warp[k]), s.Mask[k]
		addr, d := at.At(w), eng.data(&u.Ins.Src[1], u.Words, w)
		if eng.Hook != nil {
			eng.stored = d
			eng.Hook.Store(&eng.State, &u.Op, w, &eng.stored, addr, m, mem.Size(u.Ins.Type))
		}
		if v := eng.Shared.StoreUnlock(d[0], addr, m, c); v != nil {
			return eng.RaiseAccess(w, v)
		}
	}
	eng.pay(u)
	return true
}
