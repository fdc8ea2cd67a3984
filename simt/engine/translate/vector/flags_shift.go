package vector

import "jacquard/simt/engine/translate/x86"

// Shift is a kind of shift.
type Shift uint8

// The kinds: to the left, and to the right with zeros or with the sign.
const (
	ShiftLeft Shift = iota
	ShiftRightU
	ShiftRightS
)

// ShiftFlags collects the flags of a shift of x by n. Operands of 16 bits are extended: the count
// with zeros, x by its type. C is the last bit shifted out while the count is below the width; O is
// a change of sign by a shift of one.
func (b *Builder) ShiftFlags(how Shift, width int, x, n Vec, part int) {
	op := [...]x86.VOp{ShiftLeft: x86.VPSLLVD, ShiftRightU: x86.VPSRLVD, ShiftRightS: x86.VPSRAVD}[how]
	v := x
	toTop := 0 // the places from a result to the top of the lane
	if how == ShiftLeft {
		v = b.up(x, width)
	} else {
		toTop = 32 - width
	}
	less := b.add(n, b.Literal(ones))
	last := b.op(op, v, less)
	if how != ShiftLeft {
		b.shlIn(last, 31)
	}
	below := b.atMostU(less, uint32(width-2))
	b.Free(less)
	b.Collect(b.meet(b.sign(last), below), part, RegC)

	r := b.op(op, v, n)
	b.Collect(b.zeroOf(r), part, RegZ)
	change := b.xor(r, v)
	if how == ShiftLeft {
		b.down(width, v)
	}
	if toTop > 0 {
		b.shlIn(change, toTop)
		b.shlIn(r, toTop)
	}
	b.Collect(b.meet(b.sign(change), b.equal(n, b.Literal(1))), part, RegO)
	b.Collect(b.sign(r), part, RegS)
}

// atMostU returns the lanes in which x <= limit, unsigned.
func (b *Builder) atMostU(x Vec, limit uint32) Mask {
	if b.Level == AVX512 {
		return b.compare(x86.VPCMPUD, x, b.Literal(limit), int(x86.CmpLE))
	}
	return Mask(b.in(x86.VPCMPEQD, b.op(x86.VPMINUD, x, b.Literal(limit)), x))
}
