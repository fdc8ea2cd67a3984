package alu

import "jacquard/tesla"

// Atomic returns the new value of an element of memory that held old (docs/isa/operations.md,
// Atom). b is the operand and c the new value of cas. Types of 64 bits are U64 and B64. ok is false
// for operations that the type lacks: they leave memory unchanged.
func Atomic(op tesla.AtomOp, t tesla.Type, old, b, c uint64) (r uint64, ok bool) {
	switch op {
	case tesla.AtomExch:
		return b, true
	case tesla.AtomCas:
		if old == b {
			return c, true
		}
		return old, true
	case tesla.AtomAdd:
		if t == tesla.U64 || t == tesla.B64 {
			return old + b, true
		}
		return uint64(uint32(old + b)), true
	}
	if t == tesla.U64 || t == tesla.B64 {
		return old, false
	}
	word, ok := atomic32(op, t == tesla.S32, uint32(old), uint32(b))
	return uint64(word), ok
}

func atomic32(op tesla.AtomOp, signed bool, old, b uint32) (r uint32, ok bool) {
	switch op {
	case tesla.AtomInc: // the sum wraps before the comparison
		if old+1 > b {
			return 0, true
		}
		return old + 1, true
	case tesla.AtomDec: // the difference too
		if old-1 > b {
			return b, true
		}
		return old - 1, true
	case tesla.AtomMax:
		r, _ = Max(old, b, 32, signed)
	case tesla.AtomMin:
		r, _ = Min(old, b, 32, signed)
	case tesla.AtomAnd:
		r = old & b
	case tesla.AtomOr:
		r = old | b
	case tesla.AtomXor:
		r = old ^ b
	default:
		return old, false
	}
	return r, true
}
