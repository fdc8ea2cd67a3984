package sfu

// Sin returns the sine of an angle in the format of PreSin: quarter turns.
func Sin(x uint32) uint32 {
	if x&invalid != 0 {
		return nan
	}
	signBit, f := quadrant(x, 0)
	return sine(signBit, f, squareByBits(f&(1<<17-1)))
}

// Cos returns the cosine of an angle in the format of PreSin.
func Cos(x uint32) uint32 {
	if x&invalid != 0 {
		return nan
	}
	signBit, f := quadrant(x&^sign, 1)
	return sine(signBit, f, squareByBits(f&(1<<17-1)))
}

// quadrant adds quarter turns to x and reduces the sum to the first quadrant. Odd quadrants run
// backwards, by the one's complement of the fraction.
func quadrant(x, quarters uint32) (signBit, frac uint32) {
	t := x>>23 + quarters
	frac = (x ^ -(t & 1)) & (1<<23 - 1)
	return x&sign ^ t>>1&1<<31, frac
}

// sine is the function in the first quadrant; q is the square of the low 17 bits of frac.
func sine(signBit, frac, q uint32) uint32 {
	const point = 37
	v := sinTable[frac>>17&63].sum(11, frac&(1<<17-1), q, 0)
	return normalize(signBit, uint64(v), point)
}

// SinRow is Sin for each lane.
func SinRow(d, a *Row) {
	for i, x := range a {
		if x&invalid != 0 {
			d[i] = nan
			continue
		}
		signBit, f := quadrant(x, 0)
		d[i] = sine(signBit, f, square(f&(1<<17-1)))
	}
}

// CosRow is Cos for each lane.
func CosRow(d, a *Row) {
	for i, x := range a {
		if x&invalid != 0 {
			d[i] = nan
			continue
		}
		signBit, f := quadrant(x&^sign, 1)
		d[i] = sine(signBit, f, square(f&(1<<17-1)))
	}
}
