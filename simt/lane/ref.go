package lane

// The scalar references: each integer operation as the specification words it, with its
// flags, for one lane. The kernels are tested against them, and golden vectors are
// checked with them. width is 16 or 32; only the low width bits of an operand count, and
// a 16-bit result is zero-extended.

// The flags of one lane as a number.
const (
	BitZ uint8 = 1 << iota // zero
	BitS                   // sign
	BitC                   // carry
	BitO                   // signed overflow
)

// Sum names a variant of the adder.
type Sum uint8

const (
	SumAdd   Sum = iota // a + b
	SumSub              // a - b
	SumSubR             // b - a
	SumCarry            // a + b + carry
)

// Product names what a multiplication takes of its operands and gives of the product.
type Product uint8

const (
	ProductU16   Product = iota // both unsigned, 16 bits
	ProductS16                  // both signed, 16 bits
	ProductU24                  // unsigned, bits 31..0 of 48
	ProductS24                  // signed, bits 31..0 of 48
	ProductU24Hi                // unsigned, bits 47..16
	ProductS24Hi                // signed, bits 47..16
)

// RefAdd adds. carry is read by SumCarry only; sat clamps to the signed range.
func RefAdd(sum Sum, a, b uint32, width int, carry, sat bool) (r uint32, flags uint8) {
	mask := uint64(1)<<width - 1
	p, q, k := uint64(a), uint64(b), uint64(0)
	switch sum {
	case SumSub:
		q, k = ^q, 1
	case SumSubR:
		p, k = ^p, 1
	case SumCarry:
		k = truth(carry)
	}
	p, q = p&mask, q&mask
	t := p + q + k
	low := t & mask
	msb := func(x uint64) bool { return x>>(width-1)&1 != 0 }
	if t>>width != 0 {
		flags |= BitC
	}
	if msb(p) == msb(q) && msb(low) != msb(p) {
		flags |= BitO
		switch {
		case !sat:
		case msb(p):
			low = 1 << (width - 1)
		default:
			low = 1<<(width-1) - 1
		}
	}
	return RefResult(uint32(low), width, flags)
}

// RefResult adds zero and sign of the result to its flags.
func RefResult(r uint32, width int, flags uint8) (uint32, uint8) {
	r = RefExtend(r, width, false)
	if r == 0 {
		flags |= BitZ
	}
	if r>>(width-1) != 0 {
		flags |= BitS
	}
	return r, flags
}

// RefExtend extends the low width bits (1 to 32) of a by zeros or, if signed, by their
// top bit.
func RefExtend(a uint32, width int, signed bool) uint32 {
	up := 32 - width
	if signed {
		return uint32(int32(a<<up) >> up)
	}
	return a << up >> up
}

// RefMul16 multiplies 16-bit operands, each signed or not on its own.
func RefMul16(a, b uint32, signedA, signedB bool) (r uint32, flags uint8) {
	return RefResult(RefExtend(a, 16, signedA)*RefExtend(b, 16, signedB), 32, 0)
}

// RefMul multiplies.
func RefMul(p Product, a, b uint32) (r uint32, flags uint8) {
	switch p {
	case ProductU16:
		return RefMul16(a, b, false, false)
	case ProductS16:
		return RefMul16(a, b, true, true)
	}
	signed := p == ProductS24 || p == ProductS24Hi
	m := int64(int32(RefExtend(a, 24, signed))) * int64(int32(RefExtend(b, 24, signed)))
	if p == ProductU24Hi || p == ProductS24Hi {
		m >>= 16
	}
	return RefResult(uint32(m), 32, 0)
}

// RefMad combines a product with c: the product wraps, only the sum is clamped.
func RefMad(p Product, sum Sum, a, b, c uint32, carry, sat bool) (r uint32, flags uint8) {
	m, _ := RefMul(p, a, b)
	return RefAdd(sum, m, c, 32, carry, sat)
}

// RefSad adds |a - b| of operands of the width to the 32-bit c.
func RefSad(a, b, c uint32, width int, signed bool) (r uint32, flags uint8) {
	x, y := number(a, width, signed), number(b, width, signed)
	d := x - y
	if d < 0 {
		d = -d
	}
	return RefAdd(SumAdd, uint32(d), c, 32, false, false)
}

// RefShl shifts left by the whole of n.
func RefShl(a, n uint32, width int) (r uint32, flags uint8) {
	a = RefExtend(a, width, false)
	if 0 < n && n < uint32(width) && a>>(uint32(width)-n)&1 != 0 {
		flags = BitC
	}
	if n < uint32(width) {
		r = a << n
	}
	return shifted(a, r, n, width, flags)
}

// RefShr shifts right by the whole of n, drawing in sign bits if signed.
func RefShr(a, n uint32, width int, signed bool) (r uint32, flags uint8) {
	v := number(a, width, signed)
	if 0 < n && n < uint32(width) && v>>(n-1)&1 != 0 {
		flags = BitC
	}
	return shifted(a, uint32(v>>min(n, 63)), n, width, flags)
}

func shifted(a, r, n uint32, width int, flags uint8) (uint32, uint8) {
	if n == 1 && (r^a)>>(width-1)&1 != 0 {
		flags |= BitO
	}
	return RefResult(r, width, flags)
}

// RefCompare reports whether a set of answers (bit 0 less, bit 1 equal, bit 2 greater)
// has the one for a and b.
func RefCompare(a, b uint32, cmp uint8, width int, signed bool) bool {
	x, y := number(a, width, signed), number(b, width, signed)
	return x < y && cmp&1 != 0 || x == y && cmp&2 != 0 || x > y && cmp&4 != 0
}

// RefSet is compare-and-set.
func RefSet(a, b uint32, cmp uint8, width int, signed bool) (r uint32, flags uint8) {
	if RefCompare(a, b, cmp, width, signed) {
		return RefResult(ones, width, 0)
	}
	return RefResult(0, width, 0)
}

// RefMin returns the lesser operand.
func RefMin(a, b uint32, width int, signed bool) (r uint32, flags uint8) {
	if RefCompare(b, a, 1, width, signed) {
		a = b
	}
	return RefResult(a, width, 0)
}

// RefMax returns the greater operand.
func RefMax(a, b uint32, width int, signed bool) (r uint32, flags uint8) {
	if RefCompare(b, a, 4, width, signed) {
		a = b
	}
	return RefResult(a, width, 0)
}

// number is the value of a's low width bits.
func number(a uint32, width int, signed bool) int64 {
	if signed {
		return int64(int32(RefExtend(a, width, true)))
	}
	return int64(RefExtend(a, width, false))
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
