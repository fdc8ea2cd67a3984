package fpu

import "math"

// ConvertRow does conversion c, neither side of which is wider than 32 bits, for each
// lane, and so is the slow form of those below.
func ConvertRow(d, a *Row, c Conversion) {
	for i := range d {
		r, _ := c.Do(uint64(a[i]))
		d[i] = uint32(r)
	}
}

// S32ToF32Row converts in mode RN.
func S32ToF32Row(d, a *Row) {
	z := floats(d)
	for i := 0; i < 32; i += 8 {
		a, z := (*[8]uint32)(a[i:]), (*[8]float32)(z[i:])
		z[0] = float32(int32(a[0]))
		z[1] = float32(int32(a[1]))
		z[2] = float32(int32(a[2]))
		z[3] = float32(int32(a[3]))
		z[4] = float32(int32(a[4]))
		z[5] = float32(int32(a[5]))
		z[6] = float32(int32(a[6]))
		z[7] = float32(int32(a[7]))
	}
}

// U32ToF32Row converts in mode RN.
func U32ToF32Row(d, a *Row) {
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

// F32ToS32Row converts in mode r.
func F32ToS32Row(d, a *Row, r Round) {
	const limit = (127 + 31) << 23
	if !tame(a, min32, limit) {
		ConvertRow(d, a, Conversion{To: S32, From: F32, Round: r})
		return
	}
	toInteger(d, a, r)
}

// F32ToU32Row converts in mode r.
func F32ToU32Row(d, a *Row, r Round) {
	const limit = (127 + 31) << 23
	if !tame(a, min32, limit) || negative(a) {
		ConvertRow(d, a, Conversion{To: U32, From: F32, Round: r})
		return
	}
	toInteger(d, a, r)
}

// negative reports whether some lane's bit 31 is set.
func negative(a *Row) bool {
	any := uint32(0)
	for i := range a {
		any |= a[i]
	}
	return any&sign32 != 0
}

// toInteger rounds numbers of magnitude below 2^31.
func toInteger(d, a *Row, r Round) {
	x := floats(a)
	switch r {
	case RN:
		for i := range d {
			d[i] = nearest(x[i])
		}
	case RM:
		for i := range d {
			d[i] = floor(x[i])
		}
	case RP:
		for i := range d {
			d[i] = -floor(-x[i])
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

// nearest lets the addition of 1.5 * 2^52 round: the integer is then in the low bits.
func nearest(x float32) uint32 {
	return uint32(math.Float64bits(float64(x) + 3<<51))
}

func floor(x float32) uint32 {
	n := int32(x)
	return uint32(n) - bit(float32(n) > x)
}

// F32Row moves f32 from row to row: the bits of clear are cleared and those of flip
// flipped, which is how signs are changed, denormals are flushed, NaN made canonical.
func F32Row(d, a *Row, clear, flip uint32) {
	for i := 0; i < 32; i += 8 {
		d, a := (*[8]uint32)(d[i:]), (*[8]uint32)(a[i:])
		d[0] = canonical(flush(a[0]&^clear ^ flip))
		d[1] = canonical(flush(a[1]&^clear ^ flip))
		d[2] = canonical(flush(a[2]&^clear ^ flip))
		d[3] = canonical(flush(a[3]&^clear ^ flip))
		d[4] = canonical(flush(a[4]&^clear ^ flip))
		d[5] = canonical(flush(a[5]&^clear ^ flip))
		d[6] = canonical(flush(a[6]&^clear ^ flip))
		d[7] = canonical(flush(a[7]&^clear ^ flip))
	}
}

// IntegralRow rounds f32 to integral values in mode r, after the flushing and the NaN
// rule of F32Row.
func IntegralRow(d, a *Row, r Round) {
	const limit = (127 + 31) << 23
	if !tame(a, min32, limit) {
		ConvertRow(d, a, Conversion{To: F32, From: F32, Round: r, Integral: true})
		return
	}
	var n Row
	toInteger(&n, a, r)
	for i := range d {
		d[i] = math.Float32bits(float32(int32(n[i]))) | a[i]&sign32
	}
}
