package sfu

// Sin returns the sine of an angle in the format of PreSin: quarter turns.
func Sin(x uint32) uint32 { return sine(x, 0, squareByBits) }

// Cos returns the cosine of an angle in the format of PreSin.
func Cos(x uint32) uint32 { return sine(x&^sign, 1, squareByBits) }

// sine takes the sine of x plus some quarter turns. Odd quarters run through the table
// backwards, with the one's complement of the fraction.
func sine(x, quarters uint32, square func(uint32) uint32) uint32 {
	const point = 37
	t := x>>23&0xff + quarters
	f := x & (1<<23 - 1)
	if x>>30&1 == 1 {
		return nan
	}
	f ^= -(t & 1) & (1<<23 - 1)
	r := f & (1<<17 - 1)
	v := sinTable[f>>17].sum(11, r, square(r), 0)
	return normalize(x&sign^t>>1&1<<31, uint64(v), point)
}

// SinRow is Sin for each lane.
func SinRow(d, a *Row) {
	for i, x := range a {
		d[i] = sine(x, 0, square)
	}
}

// CosRow is Cos for each lane.
func CosRow(d, a *Row) {
	for i, x := range a {
		d[i] = sine(x&^sign, 1, square)
	}
}
