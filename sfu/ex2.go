package sfu

// PreEx2 makes the argument of Ex2: x in fixed point with 23 fraction bits, its sign in
// bit 31. Magnitudes from 128 on are too large for the format.
func PreEx2(x uint32) uint32 {
	signBit := x & sign
	exp, frac := split(x)
	switch s := exp - bias; {
	case x&^sign > inf:
		return signBit | invalid
	case exp == 0:
		return signBit
	case s >= 7:
		return signBit | tooLarge
	case s >= 0:
		return signBit | (frac|1<<23)<<uint(s)
	default:
		return signBit | (frac|1<<23)>>uint(-s)
	}
}

// Ex2 returns 2 to a power in the format of PreEx2.
func Ex2(x uint32) uint32 { return ex2(x, squareByBits) }

// ex2 splits the power into an integer and a fraction that is not negative, by the one's
// complement for negative x.
func ex2(x uint32, square func(uint32) uint32) uint32 {
	t := int(x >> 23 & 0xff)
	f := x & (1<<23 - 1)
	switch {
	case t&0x81 == 0x80:
		return nan
	case t&0x81 == 0x81 && x&sign != 0:
		return 0
	case t&0x81 == 0x81:
		return inf
	case x&sign != 0 && f == 0:
		t = -t
	case x&sign != 0:
		t, f = -t-1, ^f&(1<<23-1)
	}
	r := f & (1<<17 - 1)
	m := (ex2Table[f>>17].sum(13, r, square(r), 0) + 0x77e2) >> 15
	return assemble(0, t+bias, uint32(m))
}

// PreEx2Row is PreEx2 for each lane.
func PreEx2Row(d, a *Row) {
	for i, x := range a {
		d[i] = PreEx2(x)
	}
}

// Ex2Row is Ex2 for each lane.
func Ex2Row(d, a *Row) {
	for i, x := range a {
		d[i] = ex2(x, square)
	}
}
