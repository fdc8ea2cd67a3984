package accuracy

import (
	"math"
	"sync"

	. "jacquard/toolkit/libdevice/exact" //lint:ignore ST1001 formulas
)

// truths are the functions that are measured, by the name of that for double, or for float if there
// is no other. Each has the truth for one set of arguments or several.
var truths = sync.OnceValue(func() map[string][]truth {
	t := map[string]truth{
		"sqrt":  {exact: one(Sqrt), single: positive32, double: positive64},
		"rsqrt": {exact: reciprocal(one(Sqrt)), single: positive32, double: positive64},
		"cbrt":  {exact: one(Cbrt), single: all32, double: all64},
		"rcbrt": {exact: reciprocal(one(Cbrt)), single: all32, double: all64},
		"exp":   {exact: one(Exp), single: from(-105, 90), double: from(-746, 710)},
		"exp2":  {exact: one(Exp2), single: from(-150, 129), double: from(-1075, 1025)},
		"exp10": {exact: one(Exp10), single: from(-46, 39), double: from(-324, 309)},
		"expm1": {exact: one(Expm1), single: from(-105, 90), double: from(-746, 710)},
		"log":   {exact: one(Log), single: positive32, double: positive64},
		"log2":  {exact: one(Log2), single: positive32, double: positive64},
		"log10": {exact: one(Log10), single: positive32, double: positive64},
		"log1p": {exact: one(Log1p),
			single: from(-0x1.fffffep-1, most32), double: from(-0x1.fffffffffffffp-1, most64)},
		"sin":   {exact: one(Sin), single: all32, double: all64},
		"cos":   {exact: one(Cos), single: all32, double: all64},
		"tan":   {exact: one(Tan), single: all32, double: all64},
		"sinpi": {exact: one(sinPi), single: all32, double: all64},
		"cospi": {exact: one(cosPi), single: all32, double: all64},
		"asin":  {exact: one(Asin), single: unit, double: unit},
		"acos":  {exact: one(Acos), single: unit, double: unit},
		"atan":  {exact: one(Atan), single: all32, double: all64},
		"atan2": {exact: two(Atan2), single: both(all32[0], 2), double: both(all64[0], 2)},
		"sinh":  {exact: one(Sinh), single: from(-90, 90), double: from(-711, 711)},
		"cosh":  {exact: one(Cosh), single: from(-90, 90), double: from(-711, 711)},
		"tanh":  {exact: one(Tanh), single: all32, double: all64},
		"asinh": {exact: one(Asinh), single: all32, double: all64},
		"acosh": {exact: one(Acosh), single: from(1, most32), double: from(1, most64)},
		"atanh": {exact: one(Atanh),
			single: from(-0x1.fffffep-1, 0x1.fffffep-1),
			double: from(-0x1.fffffffffffffp-1, 0x1.fffffffffffffp-1)},
		"pow": {exact: two(power), single: [][2]float64{{-most32, most32}, {-150, 150}},
			double: [][2]float64{{-most64, most64}, {-1100, 1100}}},
		"powi": {exact: two(power), single: [][2]float64{{-most32, most32}, {-150, 150}},
			double: [][2]float64{{-most64, most64}, {-1100, 1100}}},

		"hypot":   {exact: length, single: both(all32[0], 2), double: both(all64[0], 2)},
		"rhypot":  {exact: reciprocal(length), single: both(all32[0], 2), double: both(all64[0], 2)},
		"norm3d":  {exact: length, single: both(all32[0], 3), double: both(all64[0], 3)},
		"rnorm3d": {exact: reciprocal(length), single: both(all32[0], 3), double: both(all64[0], 3)},
		"norm4d":  {exact: length, single: both(all32[0], 4), double: both(all64[0], 4)},
		"rnorm4d": {exact: reciprocal(length), single: both(all32[0], 4), double: both(all64[0], 4)},
		"norm": {exact: some,
			single: append(from(1, 4), both(all32[0], 4)...),
			double: append(from(1, 4), both(all64[0], 4)...)},
		"rnorm": {exact: reciprocal(some),
			single: append(from(1, 4), both(all32[0], 4)...),
			double: append(from(1, 4), both(all64[0], 4)...)},

		"erf":   {exact: one(Erf), single: all32, double: all64},
		"erfc":  {exact: one(Erfc), single: from(-6, 11), double: from(-7, 28)},
		"erfcx": {exact: one(Erfcx), single: from(-10, most32), double: from(-27, most64)},
		"erfinv": {exact: one(Erfinv),
			single: from(-0x1.fffffep-1, 0x1.fffffep-1),
			double: from(-0x1.fffffffffffffp-1, 0x1.fffffffffffffp-1)},
		"erfcinv": {exact: one(Erfcinv),
			single: from(0x1p-126, 0x1.fffffep+0), double: from(0x1p-1022, 0x1.fffffffffffffp+0)},
		"normcdf": {exact: one(Normcdf), single: from(-15, 7), double: from(-39, 9)},
		"normcdfinv": {exact: one(Normcdfinv),
			single: from(0x1p-126, 0x1.fffffep-1), double: from(0x1p-1022, 0x1.fffffffffffffp-1)},
		"tgamma": {exact: gamma(Gamma), single: from(-45, 36), double: from(-180, 172)},
		"lgamma": {exact: gamma(Lgamma), single: from(-10.001, 1e30), double: from(-23.0001, 1e290),
			where: "above -2.26", skip: func(x []float64) bool { return x[0] < -2.26 }},
		"j0": {exact: of(0, order(J)), single: from(-8, 8), double: from(-8, 8), where: "up to 8"},
		"j1": {exact: of(1, order(J)), single: from(-8, 8), double: from(-8, 8), where: "up to 8"},
		"y0": {exact: of(0, order(Y)),
			single: from(0x1p-126, 8), double: from(0x1p-1022, 8), where: "up to 8"},
		"y1": {exact: of(1, order(Y)),
			single: from(0x1p-126, 8), double: from(0x1p-1022, 8), where: "up to 8"},
		"cyl_bessel_i0": {exact: of(0, order(I)), single: from(-92, 92), double: from(-714, 714)},
		"cyl_bessel_i1": {exact: of(1, order(I)), single: from(-92, 92), double: from(-714, 714)},

		"fmod": {exact: two(multiple(false)), single: both(all32[0], 2), double: both(all64[0], 2)},
		"remainder": {exact: two(multiple(true)),
			single: both(all32[0], 2), double: both(all64[0], 2)},
		"fdim": {exact: two(func(x, y *Number) *Number {
			if x.Cmp(y) <= 0 {
				return Float(0)
			}
			return Sub(x, y)
		}), single: both(all32[0], 2), double: both(all64[0], 2)},
	}
	sin, sinpi := t["sin"], t["sinpi"]
	sin.also, sinpi.also = one(Cos), one(cosPi)
	t["sincos"], t["sincospi"] = sin, sinpi
	all := map[string][]truth{}
	for name, one := range t {
		all[name] = []truth{one}
	}
	for name, more := range farther() {
		all[name] = append(all[name], more...)
	}
	return all
})

// farther are truths with bounds of the absolute error.
func farther() map[string][]truth {
	far := func(exact func([]*Number) *Number) []truth {
		return []truth{{exact: exact,
			single: from(8, 10000), double: from(8, 10000), where: "beyond 8", absolute: wave}}
	}
	orders := func(f func(int, *Number) *Number, where string, skip func(x []float64) bool) []truth {
		r := [][2]float64{{0, 128}, {0, 500}}
		return []truth{{exact: order(f),
			single: r, double: r, where: where, absolute: wave, skip: skip}}
	}
	return map[string][]truth{
		"lgamma": {{exact: gamma(Lgamma), single: from(-1e5, -10.001), double: from(-1e5, -23.0001),
			where: "below the zeros"}},
		"j0": far(of(0, order(J))), "j1": far(of(1, order(J))),
		"y0": far(of(0, order(Y))), "y1": far(of(1, order(Y))),
		"jn": orders(J, "order up to 128", nil),
		"yn": orders(Y, "order up to 128, x > 1.5 n",
			func(x []float64) bool { return x[1] <= 1.5*x[0] || x[1] < 1e-3 }),

		"fast_sinf": {{exact: one(Sin),
			single: from(-math.Pi, math.Pi), where: "-pi to pi", absolute: [2]float64{exp2(-21.41)}}},
		"fast_cosf": {{exact: one(Cos),
			single: from(-math.Pi, math.Pi), where: "-pi to pi", absolute: [2]float64{exp2(-21.19)}}},
		"fast_sincosf": {{exact: one(Sin), also: one(Cos),
			single: from(-math.Pi, math.Pi), where: "-pi to pi", absolute: [2]float64{exp2(-21.19)}}},
		"fast_logf":   near(Log, -21.41),
		"fast_log2f":  near(Log2, -22),
		"fast_log10f": beyondBound(near(Log10, -24)),
		"fast_expf":   {{exact: one(Exp), single: from(-1, 1), where: "-1 to 1"}},
		"fast_exp10f": {{exact: one(Exp10), single: from(-1, 1), where: "-1 to 1"}},
		"fast_fdividef": {{exact: two(Quo),
			single: [][2]float64{{-most32, most32}, {0x1p-126, 0x1p126}}, where: "divisor up to 2^126"}},
		"fast_tanf": {{exact: one(Tan), single: from(0.1, 1), where: "0.1 to 1"}},
		"fast_powf": {{exact: two(power),
			single: [][2]float64{{0.1, 10}, {-3, 3}}, where: "0.1 to 10, -3 to 3"}},
	}
}

// wave are the bounds of Bessel functions far from 0.
var wave = [2]float64{2.2e-6, 5e-12}

// near are the truths of a logarithm: its absolute error near 1, and its relative one elsewhere.
func near(f func(*Number) *Number, digits float64) []truth {
	return []truth{
		{exact: one(f), single: from(0.5, 2), where: "0.5 to 2", absolute: [2]float64{exp2(digits)}},
		{exact: one(f), single: positive32, where: "outside 0.5 to 2",
			skip: func(x []float64) bool { return x[0] >= 0.5 && x[0] <= 2 }},
	}
}

// beyondBound says why the logarithm to base 10 has a greater error: the bound is for the
// hardware's logarithm, and a product follows.
func beyondBound(all []truth) []truth {
	all[0].why = "the product behind the hardware's logarithm is rounded"
	return all
}

func exp2(x float64) float64 { return math.Exp2(x) }
