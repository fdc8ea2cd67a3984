package fpu

import (
	"math"
	"math/bits"
)

// extension returns the two words with which x&mask^top - top is the value of a kind of at most 32
// bits as an int32.
func (k Kind) extension() (mask, top uint32) {
	s := shapes[k]
	mask = 1<<s.bits - 1
	if s.signed {
		top = 1 << (s.bits - 1)
	}
	return mask, top
}

// integerRow converts integers to integers.
func integerRow(d, a *Row, c Conversion) {
	mask, top := c.From.extension()
	lo, hi := c.To.limits()
	container := uint32(1)<<shapes[c.To].container - 1
	absolute, negate := int64(0), int64(0) // -1 to apply the modifier
	if c.Abs {
		absolute = -1
	}
	if c.Neg {
		negate = -1
	}
	for i := range d {
		v := int64(a[i]&mask^top) - int64(top)
		minus := v >> 63 & absolute
		minus ^= negate
		v = v ^ minus - minus
		d[i] = uint32(min(max(v, lo), hi)) & container
	}
}

// limits returns the range of an integer kind of at most 32 bits.
func (k Kind) limits() (lo, hi int64) {
	s := shapes[k]
	if s.signed {
		return -1 << (s.bits - 1), 1<<(s.bits-1) - 1
	}
	return 0, 1<<s.bits - 1
}

// integerToF32Row converts kinds other than U32 in mode RN.
func integerToF32Row(d, a *Row, from Kind) {
	mask, top := from.extension()
	z := floats(d)
	for i := 0; i < 32; i += 8 {
		a, z := (*[8]uint32)(a[i:]), (*[8]float32)(z[i:])
		z[0] = float32(int32(a[0]&mask ^ top - top))
		z[1] = float32(int32(a[1]&mask ^ top - top))
		z[2] = float32(int32(a[2]&mask ^ top - top))
		z[3] = float32(int32(a[3]&mask ^ top - top))
		z[4] = float32(int32(a[4]&mask ^ top - top))
		z[5] = float32(int32(a[5]&mask ^ top - top))
		z[6] = float32(int32(a[6]&mask ^ top - top))
		z[7] = float32(int32(a[7]&mask ^ top - top))
	}
}

func u32ToF32Row(d, a *Row) {
	z := floats(d)
	for i := 0; i < 32; i += 8 {
		a, z := (*[8]uint32)(a[i:]), (*[8]float32)(z[i:])
		z[0] = float32(int64(a[0]))
		z[1] = float32(int64(a[1]))
		z[2] = float32(int64(a[2]))
		z[3] = float32(int64(a[3]))
		z[4] = float32(int64(a[4]))
		z[5] = float32(int64(a[5]))
		z[6] = float32(int64(a[6]))
		z[7] = float32(int64(a[7]))
	}
}

// integerToF32Lanes converts integers to f32 in any mode, with modifiers and the defect of f16
// destinations. f64 holds every magnitude, and its difference from the nearest f32 tells which
// neighbour the mode selects. A negated zero is -0.
func integerToF32Lanes(d, a *Row, c Conversion) {
	mask, top := c.From.extension()
	defect := c.To == F16 && shapes[c.From].bits == 32
	for i, word := range a {
		v := int64(word&mask^top) - int64(top)
		minus := v>>63 != 0
		mag := uint64(max(v, -v))
		neg := (minus && !c.Abs) != c.Neg
		r := c.Round.mirror(neg)
		if defect {
			mag = withoutLeading(mag, minus, r)
		}
		x := float64(mag)
		z := float32(x)
		word := math.Float32bits(z)
		switch rest := x - float64(z); {
		case rest < 0 && (r == RM || r == RZ):
			word--
		case rest > 0 && r == RP:
			word++
		}
		if neg {
			word |= sign32
		}
		d[i] = word
	}
}

// withoutLeading is halfDefect.
func withoutLeading(mag uint64, minus bool, r Round) uint64 {
	if (r == RN || r == RP) && mag<<34>>39 == 1<<25-1 { // bits 29..5
		return 0
	}
	low := uint16(mag)
	if minus {
		low--
	}
	return mag & (1<<32>>min(2+bits.LeadingZeros16(low), 7) - 1)
}

// f32ToIntegerRow converts f32 to integers of up to 32 bits.
func f32ToIntegerRow(d, a *Row, to Kind, r Round) {
	const limit = (127 + 31) << 23
	least := uint32(0) // truncated or rounded to nearest, a denormal is zero anyway
	if r == RM || r == RP {
		least = min32
	}
	if !tame(a, least, limit) {
		f32ToIntegerCareful(d, a, to, r)
		return
	}
	roundRow(d, a, r)
	if to == S32 {
		return
	}
	lo, hi := to.limits()
	low, high := int32(lo), int32(min(hi, 1<<31-1))
	container := uint32(1)<<shapes[to].container - 1
	for i := range d {
		d[i] = uint32(min(max(int32(d[i]), low), high)) & container
	}
}

// f32ToIntegerCareful converts through int64, which holds every f32 below 2^32 and its neighbours.
func f32ToIntegerCareful(d, a *Row, to Kind, r Round) {
	lo, hi := to.limits()
	container := uint32(1)<<shapes[to].container - 1
	for i := range d {
		x := float64(math.Float32frombits(flush(a[i])))
		v := int64(0)
		if x == x {
			v = roundLane(min(max(x, -1<<32), 1<<32), r)
		}
		d[i] = uint32(min(max(v, lo), hi)) & container
	}
}

// roundLane rounds a number of magnitude up to 2^32; f64 holds its fraction exactly.
func roundLane(x float64, r Round) int64 {
	n := int64(x)
	switch rest := x - float64(n); r {
	case RN:
		if half := math.Abs(rest); half > 0.5 || half == 0.5 && n&1 == 1 {
			n += int64(math.Copysign(1, rest))
		}
	case RM:
		n -= int64(bit(rest < 0))
	case RP:
		n += int64(bit(rest > 0))
	}
	return n
}

// integralRow rounds f32 to integral values, after flushing denormals and making NaN canonical.
func integralRow(d, a *Row, r Round) {
	const limit = (127 + 31) << 23
	if !tame(a, min32, limit) {
		for i := range d {
			d[i] = integralLane(a[i], r)
		}
		return
	}
	var n Row
	roundRow(&n, a, r)
	for i := range d {
		d[i] = math.Float32bits(float32(int32(n[i]))) | a[i]&sign32
	}
}

func integralLane(a uint32, r Round) uint32 {
	const limit = (127 + 23) << 23 // no fractions from here on
	if a&^sign32 >= limit {
		return a
	}
	n := roundLane(float64(math.Float32frombits(a)), r)
	return math.Float32bits(float32(n)) | a&sign32
}

// roundRow rounds numbers of magnitude below 2^31 to int32.
func roundRow(d, a *Row, r Round) {
	x := floats(a)
	switch r {
	case RN:
		for i := 0; i < 32; i += 8 {
			x, d := (*[8]float32)(x[i:]), (*[8]uint32)(d[i:])
			d[0] = nearest(x[0])
			d[1] = nearest(x[1])
			d[2] = nearest(x[2])
			d[3] = nearest(x[3])
			d[4] = nearest(x[4])
			d[5] = nearest(x[5])
			d[6] = nearest(x[6])
			d[7] = nearest(x[7])
		}
	case RM:
		for i := 0; i < 32; i += 8 {
			x, d := (*[8]float32)(x[i:]), (*[8]uint32)(d[i:])
			d[0] = floor(x[0])
			d[1] = floor(x[1])
			d[2] = floor(x[2])
			d[3] = floor(x[3])
			d[4] = floor(x[4])
			d[5] = floor(x[5])
			d[6] = floor(x[6])
			d[7] = floor(x[7])
		}
	case RP:
		for i := 0; i < 32; i += 8 {
			x, d := (*[8]float32)(x[i:]), (*[8]uint32)(d[i:])
			d[0] = -floor(-x[0])
			d[1] = -floor(-x[1])
			d[2] = -floor(-x[2])
			d[3] = -floor(-x[3])
			d[4] = -floor(-x[4])
			d[5] = -floor(-x[5])
			d[6] = -floor(-x[6])
			d[7] = -floor(-x[7])
		}
	case RZ:
		for i := 0; i < 32; i += 8 {
			x, d := (*[8]float32)(x[i:]), (*[8]uint32)(d[i:])
			d[0] = uint32(int32(x[0]))
			d[1] = uint32(int32(x[1]))
			d[2] = uint32(int32(x[2]))
			d[3] = uint32(int32(x[3]))
			d[4] = uint32(int32(x[4]))
			d[5] = uint32(int32(x[5]))
			d[6] = uint32(int32(x[6]))
			d[7] = uint32(int32(x[7]))
		}
	}
}

// nearest rounds by adding 1.5 * 2^52: the low bits are then the integer.
func nearest(x float32) uint32 {
	return uint32(math.Float64bits(float64(x) + 3<<51))
}

func floor(x float32) uint32 {
	n := int32(x)
	return uint32(n) - bit(float32(n) > x)
}
