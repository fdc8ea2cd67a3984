package mem

import (
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
	s.atomics.Lock()
	defer s.atomics.Unlock()
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
		switch sh {
		case word:
			old := le.Uint32(cell)
			le.PutUint32(cell, atomic32(op, t == tesla.S32, old, a[0][i], b[0][i]))
			if ret != nil {
				ret[0][i] = old
			}
		case double:
			old := le.Uint64(cell)
			le.PutUint64(cell, atomic64(op, old, a.double(i), b.double(i)))
			if ret != nil {
				ret[0][i], ret[1][i] = uint32(old), uint32(old>>32)
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

// double returns lane i's 64-bit value.
func (d *Data) double(i int) uint64 { return uint64(d[0][i]) | uint64(d[1][i])<<32 }
