package fpu

import "math"

// rebias is the difference of the exponents of f16 and f32, in the exponent field of f32.
const rebias = (127 - 15) << 23

// widenRow converts f16 to f32. A NaN becomes canonical.
func widenRow(d, a *Row) {
	for i, h := range a {
		sign := h & 0x8000 << 16
		switch mag := h & 0x7fff; {
		case mag-1<<10 < 30<<10: // a normal number
			d[i] = sign | (mag<<13 + rebias)
		case mag == 0:
			d[i] = sign
		default:
			d[i] = canonical(widen(uint16(h)))
		}
	}
}

// narrowRow rounds f32 to f16 in mode r, after flushing denormals and making NaN canonical. cut
// says that the f32 was rounded to an integral value, and its significand is truncated.
func narrowRow(d, a *Row, r Round, cut bool) {
	const (
		limit = rebias + 30<<23 // 2^15: smaller magnitudes do not overflow
		ulp   = 13              // extra bits of the f32
		most  = 1<<(ulp-1) - 1  // of them, the largest that rounds down
	)
	if r != RN || cut {
		for i, x := range a {
			d[i] = narrowLane(x, r, cut)
		}
		return
	}
	for i, x := range a {
		sign := x & sign32 >> 16
		switch mag := x &^ sign32; {
		case mag-leastHalf < limit-leastHalf:
			odd := mag >> ulp & 1
			d[i] = sign | (mag-rebias+most+odd)>>ulp
		case mag == 0:
			d[i] = sign
		default:
			d[i] = narrowLane(x, RN, false)
		}
	}
}

const leastHalf = rebias + 1<<23 // 2^-14, the least normal f16, as an f32

// narrowLane is narrowRow for one lane, whatever it holds.
func narrowLane(x uint32, r Round, cut bool) uint32 {
	const (
		lost  = (127 - 33) << 23 // 2^-33: smaller magnitudes are zero in every mode
		limit = (127 + 16) << 23 // 2^16: smaller magnitudes round up to infinity at most
		inf16 = 0x7c00
	)
	sign := x & sign32 >> 16
	r = r.mirror(sign != 0)
	switch mag := x &^ sign32; {
	case mag > inf32:
		return 0x7fff
	case mag >= limit && mag < inf32 && (r == RM || r == RZ):
		return sign | (inf16 - 1)
	case mag >= limit:
		return sign | inf16
	case mag < lost:
		return sign
	case mag < leastHalf && cut:
		return sign
	case mag < leastHalf: // a multiple of 2^-24, or the number above the largest of these
		return sign | uint32(roundLane(float64(math.Float32frombits(mag))*(1<<24), r))
	default:
		return sign | (mag-rebias+half13(mag, r, cut))>>13
	}
}

// half13 returns the addend that rounds a magnitude in mode r when its lowest 13 bits are cut off.
func half13(mag uint32, r Round, cut bool) uint32 {
	switch {
	case cut || r == RM || r == RZ:
		return 0
	case r == RP:
		return 1<<13 - 1
	}
	return 1<<12 - 1 + mag>>13&1
}
