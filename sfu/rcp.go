package sfu

// Rcp returns 1/x. 1/0 is an infinity of the sign, 1/inf a zero.
func Rcp(x uint32) uint32 {
	signBit := x & sign
	exp, frac := split(x)
	switch {
	case x&^sign > inf:
		return nan
	case exp == 0:
		return signBit | inf
	case exp == 255:
		return signBit
	}
	return rcp(signBit, exp, frac, squareByBits(2*(frac&(1<<16-1))))
}

// rcp is the reciprocal of a number; q is the square of twice the low 16 bits of frac.
func rcp(signBit uint32, exp int, frac, q uint32) uint32 {
	m := (rcpTable[frac>>16&127].sum(13, frac&(1<<16-1), q, 0) + 0x47e7) >> 15
	return assemble(signBit, 253-exp, uint32(m))
}

// RcpRow is Rcp for each lane.
func RcpRow(d, a *Row) {
	for i, x := range a {
		exp, frac := split(x)
		if uint(exp-1) >= 254 {
			d[i] = Rcp(x)
			continue
		}
		d[i] = rcp(x&sign, exp, frac, square(2*(frac&(1<<16-1))))
	}
}

// RcpTable returns the coefficients of the reciprocal's quadratics, constant term first, by the
// upper seven bits of the fraction. Benchmarks time the same algorithm outside of the simulator
// with it.
func RcpTable() (rows [128][3]int32) {
	for i, s := range rcpTable {
		rows[i] = [3]int32{s.c0, s.c1, s.c2}
	}
	return rows
}
