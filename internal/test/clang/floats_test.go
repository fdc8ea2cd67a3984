package clang

import "math"

var floats = []kernel{
	{name: "compareFloats", in: 2, out: 1, fill: float, host: each(func(_ uint32, x, y []uint32) {
		a, b := float64(of32(x[0])), float64(of32(x[1]))
		y[0] = compared(a, b) | bit(a != a, 9) | bit(a < b || b == 0, 10)
	})},
	{name: "arithmetic", in: 2, out: 6, host: each(arithmetic)},
	{name: "fromIntegers", in: 2, out: 8, host: each(fromIntegers)},
	{name: "toIntegers", in: 1, out: 8, host: each(toIntegers)},
	{name: "roundings", in: 1, out: 5, host: each(func(_ uint32, x, y []uint32) {
		a := float64(small(x[0]))
		rounded := []float64{math.Floor(a), math.Ceil(a), math.Trunc(a), math.Abs(a), math.Copysign(3, a)}
		for k, r := range rounded {
			y[k] = bits32(float32(r))
		}
	})},
	{name: "extremes", in: 2, out: 3, fill: float, host: each(extremes)},
	{name: "polynomial", in: 1, out: 1, host: each(polynomial)},
	{name: "mandelbrot", in: 1, out: 1, host: each(mandelbrot)},
	{name: "bodies", in: 4, out: 3, host: bodies},
	{name: "guesses", in: 4, out: 2, host: each(guesses)},
}

func of32(w uint32) float32   { return math.Float32frombits(w) }
func bits32(f float32) uint32 { return math.Float32bits(f) }

// small is a number of some 11 bits before the point. Each product in this file is converted to the
// type that it has: that keeps Go from making one operation of a product and a sum.
func small(w uint32) float32 { return float32(int32(w)) * 0x1p-20 }

func sqrt32(a float32) float32 { return float32(math.Sqrt(float64(a))) }

// compared has a bit for each comparison.
func compared(a, b float64) uint32 {
	return bit(a < b, 0) | bit(a <= b, 1) | bit(a == b, 2) | bit(a != b, 3) | bit(a > b, 4) |
		bit(a >= b, 5) | bit(!(a < b), 6) | bit(!(a >= b), 7) | bit(a != a || b != b, 8)
}

func arithmetic(_ uint32, x, y []uint32) {
	a, b := small(x[0]), small(x[1]|1)
	y[0], y[1], y[2], y[3] = bits32(a+b), bits32(a-b), bits32(a*b), bits32(a/b)
	y[4], y[5] = bits32(sqrt32(max(a, -a))), bits32(1/b)
}

func fromIntegers(_ uint32, x, y []uint32) {
	a, b := x[0], get64(x)
	for k, f := range []float32{
		float32(a), float32(int32(a)), float32(uint16(a)), float32(int16(a)), float32(uint8(a)),
		float32(int8(a)), float32(b), float32(int64(b)),
	} {
		y[k] = bits32(f)
	}
}

func toIntegers(_ uint32, x, y []uint32) {
	a := small(x[0])
	b := max(a, -a)
	y[0], y[1], y[2], y[3] = uint32(int32(a)), uint32(b), uint32(int16(a)), uint32(uint16(b))
	y[4], y[5] = uint32(int8(a/32)), uint32(uint8(b/32))
	put64(y[6:], uint64(int64(a*0x1p30)))
}

func extremes(_ uint32, x, y []uint32) {
	a, b := of32(x[0]), of32(x[1])
	if a != a && b != b {
		b = 1
	}
	if a == b {
		b = 2 * a
	}
	less, more, chosen := min(a, b), max(a, b), b
	if a != a {
		less, more = b, b
	} else if b != b {
		less, more = a, a
	} else if a < b {
		chosen = a
	}
	y[0], y[1], y[2] = bits32(less), bits32(more), bits32(chosen)&0x7f800000
}

func polynomial(_ uint32, x, y []uint32) {
	at, sum := small(x[0])/512, float32(0)
	for _, c := range []float32{0.1, -7.125, 3, 0.25, -0.5, 1} {
		sum = float32(sum*at) + c
	}
	y[0] = bits32(sum)
}

func mandelbrot(_ uint32, in, out []uint32) {
	cx, cy := float32(in[0]&1023)/400-2, float32(in[0]>>10&1023)/512-1
	x, y := float32(0), float32(0)
	for ; out[0] < 50; out[0]++ {
		xx, yy := float32(x*x), float32(y*y)
		if xx+yy > 4 {
			return
		}
		x, y = xx-yy+cx, float32(2*x*y)+cy
	}
}

func bodies(in, out []uint32, n int) {
	for i := range n {
		var at, pull [3]float32
		for k := range at {
			at[k] = small(in[4*i+k])
		}
		for other := range 8 {
			var d [3]float32
			square := float32(0)
			for k := range d {
				d[k] = small(in[4*other+k]) - at[k]
				square += float32(d[k] * d[k])
			}
			square += 0.25
			mass := small(in[4*other+3]>>1) + 1
			strength := mass / float32(square*sqrt32(square))
			for k := range d {
				pull[k] += float32(d[k] * strength)
			}
		}
		for k := range pull {
			out[3*i+k] = bits32(pull[k])
		}
	}
}

func guesses(_ uint32, x, y []uint32) {
	a := float32(x[0]>>4) + 1
	r := of32(0x5f3759df - bits32(a)>>1)
	for range 3 {
		r *= 1.5 - float32(float32(float32(0.5*a)*r)*r)
	}
	y[0] = bits32(r)
	sum, lost := float32(0), float32(0)
	for _, w := range x {
		v := small(w) - lost
		next := sum + v
		lost = float32(next-sum) - v
		sum = next
	}
	y[1] = bits32(sum)
}
