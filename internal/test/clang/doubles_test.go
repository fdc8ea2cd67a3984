package clang

import "math"

var doubles = []kernel{
	{name: "arithmetic64", in: 4, out: 14, host: each(arithmetic64)},
	{name: "conversions64", in: 2, out: 16, host: each(conversions64)},
	{name: "compare64Bits", in: 2, out: 1, host: each(func(_ uint32, x, y []uint32) {
		a, b := float64(1), float64(x[1]%3)-1
		zero := float64(x[0] & 3)
		if x[0]&4 != 0 {
			a = 1 / zero
		} else {
			a = zero / zero
		}
		y[0] = compared(a, b)
	})},
	{name: "roundings64", in: 2, out: 8, host: each(func(_ uint32, x, y []uint32) {
		a := number64(x)
		putAll(y, math.Floor(a), math.Ceil(a), math.Trunc(a), max(math.Abs(a), 1000.5))
	})},
	{name: "matrices64", in: 9, out: 4, host: each(matrices64)},
	{name: "iterations64", in: 1, out: 4, host: each(iterations64)},
}

// number64 is a number of some 23 bits before the point.
func number64(words []uint32) float64 { return float64(int64(get64(words))) * 0x1p-40 }

// putAll stores numbers.
func putAll(at []uint32, numbers ...float64) {
	for k, f := range numbers {
		put64(at[2*k:], math.Float64bits(f))
	}
}

func arithmetic64(_ uint32, x, y []uint32) {
	a, b := number64(x), number64(x[2:])+0.5
	putAll(y, a+b, a-b, a*b, a/b, math.Sqrt(math.Abs(a)), math.FMA(a, b, -1), 1/b)
}

func conversions64(_ uint32, x, y []uint32) {
	w, a := get64(x), number64(x)
	b := math.Abs(a)
	putAll(y, float64(w), float64(int64(w)), float64(uint32(w)), float64(int16(w)))
	put64(y[8:], uint64(int64(a)))
	put64(y[10:], uint64(b*1024))
	y[12], y[13] = uint32(int32(a)), uint32(uint8(b*0x1p-16))
	y[14] = bits32(float32(a))
	y[15] = bits32(float32(float64(of32(x[0]&0x0fffffff|0x30000000)) / 3))
}

func matrices64(_ uint32, x, y []uint32) {
	var m [9]float64
	for k := range m {
		m[k] = float64(int32(x[k])) / 7
	}
	det := float64(0)
	for k := range 3 {
		a, b := (k+1)%3, (k+2)%3
		det += float64(m[k] * (float64(m[3+a]*m[6+b]) - float64(m[3+b]*m[6+a])))
	}
	sum := float64(0)
	for k := range 11 {
		at := m[0] + float64(0.1*float64(k))
		v := float64((float64((float64(at*m[4])+1)*at) - m[8]) * at)
		switch {
		case k == 0 || k == 10:
			sum += v
		case k%2 == 1:
			sum += float64(4 * v)
		default:
			sum += float64(2 * v)
		}
	}
	putAll(y, det, sum/30)
}

func iterations64(_ uint32, x, y []uint32) {
	a, f := (float64(x[0])+0.5)/0x1p32, float64(1)
	for range 12 {
		a = float64(3.9375*a) * (1 - a)
		f = 1 + a/f
	}
	putAll(y, a, f)
}
