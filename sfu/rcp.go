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
	return assemble(signBit, 253-exp, rcpSignificand(frac, squareByBits))
}

func rcpSignificand(frac uint32, square func(uint32) uint32) uint32 {
	x := frac & (1<<16 - 1)
	return uint32((rcpTable[frac>>16].sum(13, x, square(2*x), 0) + 0x47e7) >> 15)
}

// RcpRow is Rcp for each lane.
func RcpRow(d, a *Row) {
	for i, x := range a {
		exp, frac := split(x)
		if uint(exp-1) >= 254 {
			d[i] = Rcp(x)
			continue
		}
		d[i] = assemble(x&sign, 253-exp, rcpSignificand(frac, square))
	}
}
