package simt

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// lowerAtomic lowers red, whose result goes nowhere, and the atomics that return the old
// value.
func lowerAtomic(l *lowerer, u *uop, in *tesla.Instruction) {
	if in.Op == tesla.OpAtom {
		l.dest(u, &in.Dst)
	}
	l.access(u, in, spaceGlobal, execAtomic)
}

func execAtomic(b *Block, u *uop, s *lane.Sel) bool {
	at := b.accessed(u, s)
	for k := range s.N {
		w, m := int(s.Warp[k]), s.Mask[k]
		addr := at.At(w)
		a, c := b.data(&u.ins.Src[1], u.words, w), b.data(&u.ins.Src[2], u.words, w)
		if u.space == spaceFence {
			return b.raiseAccess(w, mem.FencePage{}.Store(&a, addr, m, u.ins.Type, nil))
		}
		var old *mem.Data
		if u.ins.Op == tesla.OpAtom {
			d := b.into(u, w)
			old = &d
		}
		if v := b.g.l.Global.Atomic(u.ins.Atom, u.ins.Type, addr, &a, &c, m, old); v != nil && !b.overran(u, w, v) {
			if v.Kind == mem.Trap {
				return b.raise(FaultTrap, w, v.Lanes, "this atomic operation traps")
			}
			return b.raiseAccess(w, v)
		}
	}
	return true
}

// execLoadLock reads a word and tries to lock it; the $c says which lanes did.
// Unverified: the $c's value is that of compare-and-set, true for success; compilers only
// rely on success being "less" and failure not (isa/semantics.md 8.2).
func execLoadLock(b *Block, u *uop, s *lane.Sel) bool {
	at := b.accessed(u, s)
	c := b.cost(u, u.space, at, u.ins.Type, s)
	for k := range s.N {
		w, m := int(s.Warp[k]), s.Mask[k]
		addr, d := at.At(w), b.into(u, w)
		var v *mem.Violation
		if b.holds[k], v = b.banks[w].LoadLock(d[0], addr, m, c); v != nil {
			b.keepLocks(u, upTo(s, k))
			return b.raiseAccess(w, v)
		}
	}
	b.keepLocks(u, s)
	return true
}

// keepLocks completes a load that locks.
func (b *Block) keepLocks(u *uop, s *lane.Sel) {
	b.keep(u, s)
	if u.cdst != noCond {
		lane.MaskFlags(b.flags[u.cdst], &b.holds, s)
	}
}

// execStoreUnlock writes a word and frees its lock.
func execStoreUnlock(b *Block, u *uop, s *lane.Sel) bool {
	at := b.accessed(u, s)
	c := b.cost(u, u.space, at, u.ins.Type, s)
	for k := range s.N {
		w, m := int(s.Warp[k]), s.Mask[k]
		addr, d := at.At(w), b.data(&u.ins.Src[1], u.words, w)
		if v := b.banks[w].StoreUnlock(d[0], addr, m, c); v != nil {
			return b.raiseAccess(w, v)
		}
	}
	return true
}
