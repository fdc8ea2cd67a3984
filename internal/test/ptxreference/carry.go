package ptxreference

import (
	"math/bits"

	"jacquard/ptx"
)

// withCarry binds the operations that read or write the carry: add.cc, addc, sub.cc, subc, mad.cc
// and madc. A subtraction's carry is the complement of the borrow: see compile/build/carry.go.
func (b *binder) withCarry() step {
	in, w := b.in, wordOf(b.in.Type)
	if !integer(in.Type) || w.bits < 32 {
		b.fail(Unsupported, "%v.%v with a carry", in.Op, in.Type)
		return nil
	}
	d, last := b.sink(0), 2
	x, y := b.source(1, in.Type), b.source(2, in.Type)
	var factor source
	mad := in.Op == ptx.OpMad || in.Op == ptx.OpMadc
	if mad {
		factor, y, last = y, b.source(3, in.Type), 3
	}
	b.operands(last + 1)
	reads := in.Op == ptx.OpAddc || in.Op == ptx.OpSubc || in.Op == ptx.OpMadc
	minus := in.Op == ptx.OpSub || in.Op == ptx.OpSubc
	writes, upper := in.Mods&ptx.CarryOut != 0, in.Mods&ptx.HiHalf != 0
	return func(t *thread) error {
		a, c, carry := x.get(t), y.get(t), minus
		if reads {
			carry = t.carry
		}
		if mad {
			a = w.half(a, factor.get(t), upper)
		}
		r, out := w.chain(a, c, carry, minus)
		if writes {
			t.carry = out
		}
		d.put(t, r)
		return nil
	}
}

func (w wordType) half(a, b uint64, upper bool) uint64 {
	if upper {
		return w.upper(a, b) & ones(w.bits)
	}
	return a * b & ones(w.bits)
}

// chain adds or subtracts two words and a carry.
func (w wordType) chain(a, b uint64, carry, minus bool) (r uint64, out bool) {
	var c uint64
	if minus {
		r, c = bits.Sub64(a, b, truth(!carry))
	} else {
		r, c = bits.Add64(a, b, truth(carry))
	}
	if w.bits < 64 {
		c = r >> w.bits & 1
	}
	return r & ones(w.bits), c != 0 != minus
}
