package mem

import (
	"sync/atomic"
	"unsafe"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// atomTrap is an operation code without a name. It stops the kernel.
const atomTrap tesla.AtomOp = 3

// atomic64 returns the new content of a 64-bit element. Only add, exch and cas change it.
func atomic64(op tesla.AtomOp, old, a, b uint64) uint64 {
	switch op {
	case tesla.AtomAdd:
		return old + a
	case tesla.AtomExch:
		return a
	case tesla.AtomCas:
		if old == a {
			return b
		}
	}
	return old
}

// atomic32 returns the new content of a 32-bit element.
func atomic32(op tesla.AtomOp, signed bool, old, a, b uint32) uint32 {
	switch op {
	case tesla.AtomAdd:
		return old + a
	case tesla.AtomExch:
		return a
	case tesla.AtomCas:
		if old == a {
			return b
		}
	case tesla.AtomInc: // the sum wraps before the comparison
		if old+1 > a {
			return 0
		}
		return old + 1
	case tesla.AtomDec: // the difference wraps, too
		if old-1 > a {
			return a
		}
		return old - 1
	case tesla.AtomMax:
		if signed {
			return uint32(max(int32(old), int32(a)))
		}
		return max(old, a)
	case tesla.AtomMin:
		if signed {
			return uint32(min(int32(old), int32(a)))
		}
		return min(old, a)
	case tesla.AtomAnd:
		return old & a
	case tesla.AtomOr:
		return old | a
	case tesla.AtomXor:
		return old ^ a
	}
	return old
}

// Atomic performs op on an element of type t at each lane's address, lanes of m in ascending order.
// a is the operand and b the swap value, used by cas only. ret receives the content of memory
// before each lane's turn, unless ret is nil; it may share rows with a, b and addr. Atomic returns
// nil, or a violation that kept it from doing anything: a bad address, or the operation that traps.
// After an Overrun everything was done.
func (s *Space) Atomic(op tesla.AtomOp, t tesla.Type, addr *lane.Row, a, b *Data, m lane.Mask, ret *Data) *Violation {
	return s.atomics(op, t, addr, a, b, m, ret, false)
}

// AtomicAlone is Atomic for a caller that knows of no other access at the same time. It takes half the
// time.
func (s *Space) AtomicAlone(op tesla.AtomOp, t tesla.Type, addr *lane.Row, a, b *Data, m lane.Mask, ret *Data) *Violation {
	return s.atomics(op, t, addr, a, b, m, ret, true)
}

func (s *Space) atomics(op tesla.AtomOp, t tesla.Type, addr *lane.Row, a, b *Data, m lane.Mask, ret *Data, alone bool) *Violation {
	if m == 0 {
		return nil
	}
	if op == atomTrap {
		return &Violation{Kind: Trap, Space: 'g', Lanes: m, Addr: addr[first(m)]}
	}
	sh := shapeOf(t)
	v := s.check(addr, m, sh.size())
	if v.refuses() {
		return v
	}
	if op != tesla.AtomCas {
		b = a // unused
	}
	at := s.find(addr[first(m)])
	at.touch()
	for ; m != 0; m &= m - 1 {
		i := first(m)
		off := addr[i] - at.base
		if uint64(off) >= uint64(cap(at.data)) {
			at = s.find(addr[i])
			at.touch()
			off = addr[i] - at.base
		}
		cell := at.whole()[off:]
		switch {
		case sh == word && alone:
			w := wordsOf(cell)
			old := w.at(0)
			w.set(0, atomic32(op, t == tesla.S32, old, a[0][i], b[0][i]))
			if ret != nil {
				ret[0][i] = old
			}
		case sh == word:
			old := exchange32(cell, op, t == tesla.S32, a[0][i], b[0][i])
			if ret != nil {
				ret[0][i] = old
			}
		case sh == double:
			old := exchange64(cell, op, a.double(i), b.double(i))
			if ret != nil {
				ret[0][i], ret[1][i] = split64(old)
			}
		default:
			// Unverified: GT200 leaves memory alone; earlier chips replicate the operand over the
			// word, so the executor refuses these types there.
			if ret != nil {
				ret[0][i] = element(cell, sh)
			}
		}
	}
	return v
}

// exchange32 performs op on the 32-bit element at the start of cell and returns the old content. A
// store of another block falls before or after the whole operation: no other may get lost, as the
// store that frees a lock while atomics try to take it.
func exchange32(cell []byte, op tesla.AtomOp, signed bool, a, b uint32) uint32 {
	p := (*uint32)(unsafe.Pointer((*[4]byte)(cell)))
	if op == tesla.AtomExch {
		return little32(atomic.SwapUint32(p, little32(a)))
	}
	for {
		was := atomic.LoadUint32(p)
		old := little32(was)
		if atomic.CompareAndSwapUint32(p, was, little32(atomic32(op, signed, old, a, b))) {
			return old
		}
	}
}

// exchange64 is exchange32 for a 64-bit element.
func exchange64(cell []byte, op tesla.AtomOp, a, b uint64) uint64 {
	p := (*uint64)(unsafe.Pointer((*[8]byte)(cell)))
	for {
		was := atomic.LoadUint64(p)
		old := little64(was)
		if atomic.CompareAndSwapUint64(p, was, little64(atomic64(op, old, a, b))) {
			return old
		}
	}
}

// Exchange replaces the element of type t at addr, of 32 or 64 bits and aligned, by what change makes
// of it, and returns the old one. No other access falls in between. change may be called again. The
// caller has checked the access.
func (s *Space) Exchange(addr uint32, t tesla.Type, change func(old uint64) uint64) (old uint64) {
	at := s.find(addr)
	at.touch()
	cell := at.whole()[addr-at.base:]
	if shapeOf(t) == double {
		p := (*uint64)(unsafe.Pointer((*[8]byte)(cell)))
		for {
			was := atomic.LoadUint64(p)
			if old = little64(was); atomic.CompareAndSwapUint64(p, was, little64(change(old))) {
				return old
			}
		}
	}
	p := (*uint32)(unsafe.Pointer((*[4]byte)(cell)))
	for {
		was := atomic.LoadUint32(p)
		if old = uint64(little32(was)); atomic.CompareAndSwapUint32(p, was, little32(uint32(change(old)))) {
			return old
		}
	}
}

// double returns lane i's 64-bit value.
func (d *Data) double(i int) uint64 { return join64(d[0][i], d[1][i]) }
