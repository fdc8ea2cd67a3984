package alu

import "jacquard/tesla"

// Mul16 multiplies 16-bit factors, each signed or not on its own (docs/isa/operations.md, IMul).
func Mul16(a, b uint32, signedA, signedB bool) (r uint32, flags uint8) {
	return Result(Extend(a, 16, signedA)*Extend(b, 16, signedB), 32, 0)
}

// Mul multiplies two factors of one type: U16, S16, U24 or S24. With high the result is bits 47-16
// of the product of 24-bit factors (docs/isa/operations.md, IMul).
func Mul(t tesla.Type, high bool, a, b uint32) (r uint32, flags uint8) {
	switch t {
	case tesla.U16:
		return Mul16(a, b, false, false)
	case tesla.S16:
		return Mul16(a, b, true, true)
	}
	product := number(a, 24, t == tesla.S24) * number(b, 24, t == tesla.S24)
	if high {
		product >>= 16
	}
	return Result(uint32(product), 32, 0)
}

// Mad combines the product of a and b with c (docs/isa/operations.md, IMad). The product wraps; sat
// clamps only the sum.
func Mad(t tesla.Type, high bool, variant tesla.Arith, a, b, c uint32, carry, sat bool) (r uint32, flags uint8) {
	product, _ := Mul(t, high, a, b)
	return Add(variant, product, c, 32, carry, sat)
}

// Sad adds the difference of a and b, width bits wide, to the 32-bit c (docs/isa/operations.md,
// ISad).
func Sad(a, b, c uint32, width int, signed bool) (r uint32, flags uint8) {
	difference := number(a, width, signed) - number(b, width, signed)
	return Add(tesla.Add, uint32(max(difference, -difference)), c, 32, false, false)
}
