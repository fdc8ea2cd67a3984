package accuracy_test

import (
	"math"
	"math/big"
)

// body is what a function is made of: numbers and ints that it gives for two numbers or one.
type body func(x, y float64, single bool) ([]float64, []int32)

// floats makes words of a function of float and of one of double, from one body. The results are
// numbers, then ints. A NaN that is returned must be the machine's.
func floats(all map[string]word, name string, f body) {
	all[name+"f"] = func(a []uint64) []uint64 {
		get := func(w uint64) float64 { return float64(math.Float32frombits(uint32(w))) }
		numbers, ints := f(get(a[0]), get(a[len(a)-1]), true)
		var y []uint64
		for _, x := range numbers {
			if x != x {
				return nil // which NaN is open
			}
			y = append(y, uint64(math.Float32bits(float32(x))))
		}
		return withInts(y, ints)
	}
	all[name] = func(a []uint64) []uint64 {
		numbers, ints := f(math.Float64frombits(a[0]), math.Float64frombits(a[len(a)-1]), false)
		var y []uint64
		for _, x := range numbers {
			if x != x {
				return nil
			}
			y = append(y, math.Float64bits(x))
		}
		return withInts(y, ints)
	}
}

func withInts(y []uint64, ints []int32) []uint64 {
	for _, n := range ints {
		y = append(y, uint64(uint32(n)))
	}
	return y
}

func one(f func(float64) float64) body {
	return func(x, _ float64, _ bool) ([]float64, []int32) { return []float64{f(x)}, nil }
}

func two(f func(x, y float64) float64) body {
	return func(x, y float64, _ bool) ([]float64, []int32) { return []float64{f(x, y)}, nil }
}

// parts are functions that take numbers apart, and exact ones.
func parts() map[string]word {
	all := map[string]word{}
	floats(all, "ceil", one(math.Ceil))
	floats(all, "floor", one(math.Floor))
	floats(all, "trunc", one(math.Trunc))
	floats(all, "round", one(math.Round))
	floats(all, "rint", one(math.RoundToEven))
	floats(all, "nearbyint", one(math.RoundToEven))
	floats(all, "fabs", one(math.Abs))
	floats(all, "logb", one(math.Logb))
	floats(all, "copysign", two(math.Copysign))
	floats(all, "fmax", two(func(x, y float64) float64 { return extreme(x, y, math.Max) }))
	floats(all, "fmin", two(func(x, y float64) float64 { return extreme(x, y, math.Min) }))
	floats(all, "modf", func(x, _ float64, _ bool) ([]float64, []int32) {
		if math.IsInf(x, 0) {
			return []float64{math.Copysign(0, x), x}, nil
		}
		return []float64{math.Copysign(x-math.Trunc(x), x), math.Trunc(x)}, nil
	})
	floats(all, "nextafter", func(x, y float64, single bool) ([]float64, []int32) {
		if x == y {
			return []float64{y}, nil
		}
		if single {
			if x == 0 || y == 0 && math.Abs(x) < 1e-37 { // subnormal numbers are next
				return []float64{math.NaN()}, nil
			}
			return []float64{float64(math.Nextafter32(float32(x), float32(y)))}, nil
		}
		return []float64{math.Nextafter(x, y)}, nil
	})
	floats(all, "frexp", func(x, _ float64, _ bool) ([]float64, []int32) {
		if math.IsInf(x, 0) {
			return []float64{math.NaN()}, nil // the exponent is open
		}
		m, e := math.Frexp(x)
		return []float64{m}, []int32{int32(e)}
	})
	floats(all, "ilogb", func(x, _ float64, _ bool) ([]float64, []int32) {
		if x == 0 || math.IsInf(x, 0) || x != x {
			return []float64{math.NaN()}, nil
		}
		return nil, []int32{int32(math.Ilogb(x))}
	})
	for _, name := range []string{"ldexp", "scalbn"} {
		all[name] = func(a []uint64) []uint64 {
			x := math.Float64frombits(a[0])
			if x != x {
				return nil
			}
			return []uint64{math.Float64bits(math.Ldexp(x, int(int32(a[1]))))}
		}
		all[name+"f"] = func(a []uint64) []uint64 {
			y := float32(math.Ldexp(float64(math.Float32frombits(uint32(a[0]))), int(int32(a[1]))))
			if y != y || y != 0 && math.Abs(float64(y)) < 0x1p-126 {
				return nil
			}
			return []uint64{uint64(math.Float32bits(y))}
		}
	}
	quotients(all)
	tests(all)
	return all
}

// extreme is Go's min or max, except that a NaN gives the other operand and that zeros have signs.
func extreme(x, y float64, f func(x, y float64) float64) float64 {
	switch {
	case x != x:
		return y
	case y != y:
		return x
	case x == 0 && y == 0:
		return math.NaN() // either
	}
	return f(x, y)
}

// quotients are remquo.
func quotients(all map[string]word) {
	remquo := func(x, y float64, _ bool) ([]float64, []int32) {
		if math.IsInf(x, 0) || y == 0 || x != x || y != y || math.IsInf(y, 0) {
			return []float64{math.NaN()}, nil
		}
		q := new(big.Float).SetPrec(400).Quo(big.NewFloat(x), big.NewFloat(y))
		n := integer(q, big.ToNearestEven) // seven digits count
		low := int32(new(big.Int).And(new(big.Int).Abs(n), big.NewInt(127)).Int64())
		if n.Sign() < 0 {
			low = -low
		}
		r := math.Remainder(x, y)
		if r == 0 {
			r = math.Copysign(0, x)
		}
		return []float64{r}, []int32{low}
	}
	floats(all, "remquo", remquo)
}

// tests are predicates, half precision, and conversions to integers by C's names.
func tests(all map[string]word) {
	single := func(f func(x float64) uint64) word {
		return func(a []uint64) []uint64 {
			return []uint64{f(float64(math.Float32frombits(uint32(a[0]))))}
		}
	}
	double := func(f func(x float64) uint64) word {
		return func(a []uint64) []uint64 { return []uint64{f(math.Float64frombits(a[0]))} }
	}
	for suffix, of := range map[string]func(func(x float64) uint64) word{"f": single, "d": double} {
		all["isinf"+suffix] = of(func(x float64) uint64 { return truth(math.IsInf(x, 0)) })
		all["isnan"+suffix] = of(func(x float64) uint64 { return truth(x != x) })
		all["signbit"+suffix] = of(func(x float64) uint64 { return truth(math.Signbit(x)) })
	}
	finite := func(x float64) uint64 { return truth(x-x == 0) }
	all["finitef"], all["isfinited"] = single(finite), double(finite)
	all["saturatef"] = single(func(x float64) uint64 {
		if x != x || x <= 0 {
			return 0
		}
		return uint64(math.Float32bits(float32(min(x, 1))))
	})
	all["llrint"] = toInteger(false, big.ToNearestEven, 64, true)
	all["llrintf"] = toInteger(true, big.ToNearestEven, 64, true)
	all["llround"] = toInteger(false, big.ToNearestAway, 64, true)
	all["llroundf"] = toInteger(true, big.ToNearestAway, 64, true)
	all["half2float"] = func(a []uint64) []uint64 { return half(uint32(a[0])) }
	all["float2half_rn"] = func(a []uint64) []uint64 {
		x := number(a[0], true)
		if x == nil || x.Sign() == 0 || x.MantExp(nil) < -13 || x.MantExp(nil) > 15 {
			return nil
		}
		y := new(big.Float).SetPrec(11).Set(x)
		f, _ := y.Float32()
		b := math.Float32bits(f)
		return []uint64{uint64(b>>16&0x8000 | (b>>13&0x3ffff - 112<<10))}
	}
}

// half returns the float of a half that is normal.
func half(h uint32) []uint64 {
	if e := h >> 10 & 31; e == 0 || e == 31 {
		return nil
	}
	return []uint64{uint64(h>>15<<31 | (h&0x7fff)<<13 + 112<<23)}
}
