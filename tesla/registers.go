package tesla

import (
	"iter"
	"math/bits"
)

// Registers is a set of registers: general ones, address registers and condition registers.
type Registers struct {
	general    [2]uint64
	addresses  uint8
	conditions uint8
}

// General yields the numbers of the general registers, lowest first.
func (s Registers) General() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, m := range s.general {
			for ; m != 0; m &= m - 1 {
				if !yield(64*i + bits.TrailingZeros64(m)) {
					return
				}
			}
		}
	}
}

// Addresses yields the numbers of the $a, lowest first.
func (s Registers) Addresses() iter.Seq[int] { return numbers(s.addresses) }

// Conditions yields the numbers of the $c, lowest first.
func (s Registers) Conditions() iter.Seq[int] { return numbers(s.conditions) }

func numbers(set uint8) iter.Seq[int] {
	return func(yield func(int) bool) {
		for m := set; m != 0; m &= m - 1 {
			if !yield(bits.TrailingZeros8(m)) {
				return
			}
		}
	}
}

// Union returns the registers of either set.
func (s Registers) Union(o Registers) Registers {
	for i, m := range o.general {
		s.general[i] |= m
	}
	s.addresses |= o.addresses
	s.conditions |= o.conditions
	return s
}

// Meets reports whether a register is in both sets.
func (s Registers) Meets(o Registers) bool {
	return s.general[0]&o.general[0]|s.general[1]&o.general[1] != 0 || s.addresses&o.addresses|s.conditions&o.conditions != 0
}

// span adds general registers; there are 128.
func (s *Registers) span(first, count int) {
	for r := first; r < first+count && r < 128; r++ {
		s.general[r/64] |= 1 << (r % 64)
	}
}

// read adds the registers that a source reads.
func (s *Registers) read(o *Operand) {
	s.span(o.Span())
	switch o.Kind {
	case Global:
		s.span(int(o.Value), 1)
	case AddrReg:
		s.addresses |= 1 << (o.Index & 7) &^ 1
	case CondReg:
		s.conditions |= 1 << (o.Index & 3)
	case Shared, Const, Local, Output:
		s.addresses |= 1 << (o.Base & 7) &^ 1
	}
}

// Span returns the general registers of the operand: the first, and their number. A half register
// counts as the whole; the register of an address does not count.
func (o *Operand) Span() (first, count int) {
	switch o.Kind {
	case Reg:
		return int(o.Index), 1
	case Half:
		return int(o.Index / 2), 1
	case Pair:
		return int(o.Index), 2
	case Quadruple:
		return int(o.Index), 4
	}
	return 0, 0
}
