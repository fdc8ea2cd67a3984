package mem

import "jacquard/tesla"

// atomTrap is the operation code that stops the kernel. It has no name.
const atomTrap tesla.AtomOp = 3

// AtomicWord returns what atomic operation op leaves in a memory element of type t
// that held old: a is the operand, b the swap value of cas. 32-bit types use the low
// words. Operations that do not exist, and those that a type does not have (64-bit
// types have add, exch and cas; 8- and 16-bit types none), leave old.
func AtomicWord(op tesla.AtomOp, t tesla.Type, old, a, b uint64) uint64 {
	switch shapeOf(t) {
	case word:
		return uint64(atomic32(op, t == tesla.S32, uint32(old), uint32(a), uint32(b)))
	case double:
		return atomic64(op, old, a, b)
	}
	// Unverified: GT200 leaves memory alone; earlier chips replicate the operand over
	// the word, which is why the executor refuses these types there.
	return old
}

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
	case tesla.AtomInc: // the sum wraps before it is compared
		if old+1 > a {
			return 0
		}
		return old + 1
	case tesla.AtomDec: // likewise the difference
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
