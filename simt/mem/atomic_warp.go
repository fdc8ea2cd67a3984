package mem

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Atomic performs op on an element of type t at each lane's address, lanes of m one
// after another in ascending order. a is the operand and b the swap value, looked at
// for cas only; ret receives what memory held before each lane's turn, or is nil. ret
// may share rows with a, b and addr. It returns nil, or why nothing was done: a bad
// address, or the operation that traps.
func (s *Space) Atomic(op tesla.AtomOp, t tesla.Type, addr *lane.Row, a, b *Data, m lane.Mask, ret *Data) *Violation {
	if m == 0 {
		return nil
	}
	if op == atomTrap {
		return &Violation{Kind: Trap, Space: 'g', Lanes: m, Addr: addr[first(m)]}
	}
	sh := shapeOf(t)
	if v := s.check(addr, m, sh.size()); v != nil {
		return v
	}
	for ; m != 0; m &= m - 1 {
		i := first(m)
		at := s.find(addr[i])
		cell := at.data[addr[i]-at.base:]
		var old, swap uint64
		if op == tesla.AtomCas {
			swap = b.operand(i, sh)
		}
		switch sh {
		case word:
			old = uint64(le.Uint32(cell))
			le.PutUint32(cell, uint32(AtomicWord(op, t, old, a.operand(i, sh), swap)))
		case double:
			old = le.Uint64(cell)
			le.PutUint64(cell, AtomicWord(op, t, old, a.operand(i, sh), swap))
		default:
			old = uint64(element(cell, sh))
		}
		if ret != nil {
			ret[0][i] = uint32(old)
			if sh == double {
				ret[1][i] = uint32(old >> 32)
			}
		}
	}
	return nil
}

// operand returns lane i's value.
func (d *Data) operand(i int, sh shape) uint64 {
	if sh == double {
		return uint64(d[0][i]) | uint64(d[1][i])<<32
	}
	return uint64(d[0][i])
}
