package fpu

// rebias is what the exponents of f16 and f32 differ by, in the place f32 has them.
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

// narrowRow rounds f32 to f16 in mode RN; denormals are flushed, NaN canonical before.
func narrowRow(d, a *Row) {
	const (
		least = rebias + 1<<23  // 2^-14, the least normal f16
		limit = rebias + 30<<23 // 2^15: what is below does not overflow
		ulp   = 13              // the f32 has so many more bits
		most  = 1<<(ulp-1) - 1  // of them, the largest that rounds down
	)
	for i, x := range a {
		sign := x & sign32 >> 16
		switch mag := x &^ sign32; {
		case mag-least < limit-least:
			odd := mag >> ulp & 1
			d[i] = sign | (mag-rebias+most+odd)>>ulp
		case mag == 0:
			d[i] = sign
		default:
			d[i] = uint32(narrow(x, RN, false))
		}
	}
}
