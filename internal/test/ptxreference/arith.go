package ptxreference

import (
	"math"

	"jacquard/ptx"
)

// arith is how operations on floats of one type round.
type arith struct {
	*format
	mode ptx.Round
	ftz  bool // subnormal operands and results are zeros of their sign
	sat  bool // results are clamped to [0, 1]
	nan1 bool // which leaves a NaN
	relu bool // results below zero are zero
}

func (f arith) in(x uint64) uint64 {
	if f.ftz {
		return f.flush(x)
	}
	return x
}

func (f arith) decode(x uint64) number { return f.format.decode(f.in(x)) }

// out rounds a result. One of 16 bits is flushed if it is subnormal when it has been rounded.
func (f arith) out(x number) uint64 {
	if f.bits == 16 {
		return f.clamp(f.in(f.encode(x, f.mode, false)))
	}
	return f.clamp(f.encode(x, f.mode, f.ftz))
}

func (f arith) clamp(x uint64) uint64 {
	if f.sat {
		x = f.saturate(x, f.nan1)
	}
	if f.relu && x&f.sign() != 0 && !f.isNaN(x) {
		return 0
	}
	return x
}

// nanOf returns the result of an operation with a NaN among its operands, the operand that wins
// first. Only f64 lets an operand through.
func (f arith) nanOf(operands ...uint64) (r uint64, found bool) {
	for _, x := range operands {
		if !f.isNaN(x) {
			continue
		}
		if f.format == double {
			return f.clamp(x | 1<<51), true
		}
		return f.clamp(f.nan), true
	}
	return 0, false
}

// nearest reports whether Go's result r can stand. Results near the subnormal range that may be
// flushed are left to encode.
func (f arith) nearest(r float64) bool {
	if f.mode != ptx.RN && f.mode != ptx.NoRound || r != r {
		return false
	}
	return !f.ftz || math.Abs(r) > 0x1p-126
}

// add returns a + b, or a - b.
func (f arith) add(a, b uint64, minus bool) uint64 {
	if r, ok := f.nanOf(b, a); ok {
		return r
	}
	a, b = f.in(a), f.in(b)
	if minus {
		b ^= f.sign()
	}
	switch f.format {
	case single:
		if r := single32(a) + single32(b); f.nearest(float64(r)) {
			return f.clamp(uint64(math.Float32bits(r)))
		}
	case double:
		if r := math.Float64frombits(a) + math.Float64frombits(b); f.nearest(r) {
			return f.clamp(math.Float64bits(r))
		}
	}
	return f.out(f.decode(a).plus(f.decode(b), f.mode))
}

func (f arith) mul(a, b uint64) uint64 {
	if r, ok := f.nanOf(b, a); ok {
		return r
	}
	a, b = f.in(a), f.in(b)
	switch f.format {
	case single:
		if r := single32(a) * single32(b); f.nearest(float64(r)) {
			return f.clamp(uint64(math.Float32bits(r)))
		}
	case double:
		if r := math.Float64frombits(a) * math.Float64frombits(b); f.nearest(r) {
			return f.clamp(math.Float64bits(r))
		}
	}
	return f.out(f.decode(a).times(f.decode(b)))
}

// fma returns a*b + c, rounded once. A NaN among the operands wins over the NaN of 0 * infinity.
func (f arith) fma(a, b, c uint64) uint64 {
	if r, ok := f.nanOf(b, c, a); ok {
		return r
	}
	a, b, c = f.in(a), f.in(b), f.in(c)
	switch f.format {
	case single:
		if r := fused32(single32(a), single32(b), single32(c)); f.nearest(float64(r)) {
			return f.clamp(uint64(math.Float32bits(r)))
		}
	case double:
		r := math.FMA(math.Float64frombits(a), math.Float64frombits(b), math.Float64frombits(c))
		if f.nearest(r) {
			return f.clamp(math.Float64bits(r))
		}
	}
	return f.out(f.decode(a).times(f.decode(b)).plus(f.decode(c), f.mode))
}

// fused32 returns a*b + c rounded once. The product is exact in f64. The sum goes to the odd one of
// its neighbours if it is not exact, so the second rounding sees on which side of a tie it is.
func fused32(a, b, c float32) float32 {
	product, addend := float64(a)*float64(b), float64(c)
	sum := float64(product) + addend
	part := sum - product
	lost := (product - (sum - part)) + (addend - part)
	if bits := math.Float64bits(sum); lost != 0 && lost == lost && bits&1 == 0 {
		if (lost > 0) == (sum > 0) {
			bits++
		} else {
			bits--
		}
		sum = math.Float64frombits(bits)
	}
	return float32(sum)
}

func (f arith) div(a, b uint64) uint64 {
	if r, ok := f.nanOf(b, a); ok {
		return r
	}
	a, b = f.in(a), f.in(b)
	switch f.format {
	case single:
		if r := single32(a) / single32(b); f.nearest(float64(r)) {
			return f.clamp(uint64(math.Float32bits(r)))
		}
	case double:
		if r := math.Float64frombits(a) / math.Float64frombits(b); f.nearest(r) {
			return f.clamp(math.Float64bits(r))
		}
	}
	return f.out(f.decode(a).over(f.decode(b), f.prec+2))
}

func (f arith) sqrt(a uint64) uint64 {
	if r, ok := f.nanOf(a); ok {
		return r
	}
	if f.format == double {
		if r := math.Sqrt(math.Float64frombits(f.in(a))); f.nearest(r) {
			return f.clamp(math.Float64bits(r))
		}
	}
	return f.out(f.decode(a).root(f.prec + 2))
}

// pick returns the lesser or the greater operand. A number wins over a NaN unless strict is set,
// and -0 is less than +0.
func (f arith) pick(a, b uint64, greater, strict bool) uint64 {
	an, bn := f.isNaN(a), f.isNaN(b)
	switch {
	case an && bn || strict && (an || bn):
		r, _ := f.nanOf(b, a)
		return r
	case an:
		return f.in(b)
	case bn:
		return f.in(a)
	}
	a, b = f.in(a), f.in(b)
	if f.less(a, b) == greater {
		return b
	}
	return a
}

// less compares numbers; -0 is less than +0.
func (f *format) less(a, b uint64) bool {
	key := func(x uint64) int64 {
		if x&f.sign() != 0 {
			return -1 - int64(x&^f.sign())
		}
		return int64(x)
	}
	return key(a) < key(b)
}

// order compares a with b: -1, 0 or 1. ok is false if one is a NaN.
func (f arith) order(a, b uint64) (sign int, ok bool) {
	if f.isNaN(a) || f.isNaN(b) {
		return 0, false
	}
	a, b = f.in(a), f.in(b)
	switch {
	case (a|b)&^f.sign() == 0:
		return 0, true
	case f.less(a, b):
		return -1, true
	case f.less(b, a):
		return 1, true
	}
	return 0, true
}

func single32(x uint64) float32 { return math.Float32frombits(uint32(x)) }
