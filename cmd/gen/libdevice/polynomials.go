package main

import (
	"fmt"
	"strings"

	. "jacquard/toolkit/libdevice/exact" //lint:ignore ST1001 formulas
)

// odd returns (f(x) - x) / x^3 as a function of x^2.
func odd(f func(*Number) *Number) func(*Number) *Number {
	return func(u *Number) *Number {
		x := Sqrt(u)
		return Quo(Sub(f(x), x), Mul(u, x))
	}
}

// ofRoot returns f(root(u)).
func ofRoot(f func(*Number) *Number) func(*Number) *Number {
	return func(u *Number) *Number { return f(Sqrt(u)) }
}

// beside returns f(zero + u) / u, where f is 0 at the zero next to at.
func beside(f func(*Number) *Number, at float64) func(*Number) *Number {
	zero := Zero(f, at)
	return func(u *Number) *Number { return Quo(f(Add(zero, u)), u) }
}

func j0(x *Number) *Number { return J(0, x) }
func j1(x *Number) *Number { return J(1, x) }
func y0(x *Number) *Number { return Y(0, x) }
func y1(x *Number) *Number { return Y(1, x) }

var (
	one      = Float(1)
	pi       = Pi(Precision)
	twoByPi  = Quo(Float(2), pi)
	zeroOfY0 = Zero(y0, 0.8936)
)

// elementary are the polynomials of exponentials, logarithms and angles, for float.
var elementary = []polynomial{
	{"exp_p", -0.35, 0.35, 6, 0,
		func(u *Number) *Number { return Quo(Sub(Expm1(u), u), Square(u)) },
		"(e^u - 1 - u) / u^2"},
	{"exp2_p", -0.5, 0.5, 7, 0,
		func(u *Number) *Number { return Quo(Expm1(Mul(u, Log(Float(2)))), u) },
		"(2^u - 1) / u"},
	{"exp10_p", -0.151, 0.151, 7, 0,
		func(u *Number) *Number { return Quo(Expm1(Mul(u, Log(Float(10)))), u) },
		"(10^u - 1) / u"},
	{"sinh_p", 0, 1, 5, 0, odd(Sinh), "(sinh x - x) / x^3, u = x^2"},
	{"tanh_p", 0, 0.31, 6, 0, odd(Tanh), "(tanh x - x) / x^3, u = x^2"},
	{"log_p", -0.293, 0.4143, 9, 21, func(u *Number) *Number {
		return Quo(Add(Sub(Log1p(u), u), Scale(Square(u), -1)), Mul(u, Square(u)))
	}, "(log(1 + u) - u + u^2/2) / u^3"},
	{"sin_p", 0, 0.618, 4, 0, odd(Sin), "(sin x - x) / x^3, u = x^2"},
	{"cos_p", 0, 0.618, 4, 0, ofRoot(func(x *Number) *Number {
		u := Square(x)
		return Quo(Add(Sub(Cos(x), one), Scale(u, -1)), Square(u))
	}), "(cos x - 1 + x^2/2) / x^4, u = x^2"},
	{"tan_p", 0, 0.618, 7, 0, odd(Tan), "(tan x - x) / x^3, u = x^2"},
	{"sinpi_p", 0, 0.0626, 4, 0, ofRoot(func(x *Number) *Number {
		s, _ := SinCosPi(x)
		return Quo(Sub(s, Mul(x, Float(3.140625))), x)
	}), "sin(pi x) / x - 3.140625, u = x^2"},
	{"cospi_p", 0, 0.0626, 5, 0, ofRoot(func(x *Number) *Number {
		_, c := SinCosPi(x)
		return Quo(Sub(c, one), Square(x))
	}), "(cos(pi x) - 1) / x^2, u = x^2"},
	{"asin_p", 0, 0.25, 6, 0, odd(Asin), "(asin x - x) / x^3, u = x^2"},
	{"atan_p", 0, 1, 10, 0, odd(Atan), "(atan x - x) / x^3, u = x^2"},
	{"asinh_p", 0, 0.25, 6, 0, odd(Asinh), "(asinh x - x) / x^3, u = x^2"},
	{"atanh_p", 0, 0.25, 7, 0, odd(Atanh), "(atanh x - x) / x^3, u = x^2"},
	{"log2_p", 0, 0.0296, 4, 0, ofRoot(func(s *Number) *Number {
		u := Square(s)
		y := Sub(Scale(Atanh(s), 1), Scale(s, 1))
		return Quo(Sub(Quo(y, Mul(s, u)), Quo(Float(2), Float(3))), u)
	}), "(log((1 + s) / (1 - s)) / s - 2 - 2/3 s^2) / s^4, u = s^2"},
}

// error function: q = (x - 3) / (x + 3), so x = 3 (1 + q) / (1 - q).
func erfcx(u *Number) *Number {
	x := Quo(Mul(Float(3), Add(one, u)), Sub(one, u))
	return Mul(Erfcx(x), Add(one, Scale(x, 1)))
}

// inverse returns the inverse error function of x by x, for w = -log(1 - x^2).
func inverse(w *Number) *Number {
	small := Exp(Neg(w)) // (1 - x)(1 + x)
	x := Sqrt(Sub(one, small))
	if w.Cmp(one) < 0 {
		x = Sqrt(Neg(Expm1(Neg(w))))
		return Quo(Erfinv(x), x)
	}
	return Quo(Erfcinv(Quo(small, Add(one, x))), x)
}

var special = []polynomial{
	{"erf_p", 0, 1, 8, 0, ofRoot(func(x *Number) *Number { return Quo(Sub(Erf(x), x), x) }),
		"erf(x) / x - 1, u = x^2"},
	{"erfcx_p", -0.72, 0.9999, 12, 26, erfcx, "erfcx(x) (1 + 2x), u = (x - 3) / (x + 3)"},
	{"erfinv_p", -3.125, 3.125, 12, 24,
		func(u *Number) *Number { return inverse(Add(u, Float(3.125))) },
		"erfinv(x) / x, u = w - 3.125, w = -log(1 - x^2)"},
	{"erfinv_tail_p", -0.86, 0.86, 9, 22,
		func(u *Number) *Number { return inverse(Square(Add(u, Float(3.35)))) },
		"erfinv(x) / x, u = root(w) - 3.35"},
	{"erfinv_far_p", -2.71, 2.71, 11, 28,
		func(u *Number) *Number { return inverse(Square(Add(u, Float(6.9)))) },
		"erfinv(x) / x, u = root(w) - 6.9"},
	{"erfinv_farther_p", -9, 9, 0, 26,
		func(u *Number) *Number { return inverse(Square(Add(u, Float(18.6)))) },
		"erfinv(x) / x, u = root(w) - 18.6"},
	{"gamma_p", -0.5, 0.5, 10, 22,
		func(u *Number) *Number { return Gamma(Add(Float(1.5), u)) }, "gamma(1.5 + u)"},
	{"stirling_p", 0, 0.21, 4, 12, func(u *Number) *Number {
		x := Quo(one, u)
		y := Sub(Lgamma(x), Mul(Sub(x, Float(0.5)), Log(x)))
		y = Add(y, Sub(x, Scale(Log(Scale(pi, 1)), -1)))
		return Quo(Expm1(y), u)
	}, "(gamma(x) / (root(2 pi / x) (x/e)^x) - 1) x, u = 1/x"},
	{"lgamma_stirling_p", 0, 0.0179, 3, 0, ofRoot(func(s *Number) *Number {
		x := Quo(one, s)
		y := Sub(Lgamma(x), Mul(Sub(x, Float(0.5)), Log(x)))
		y = Add(y, Sub(x, Scale(Log(Scale(pi, 1)), -1)))
		return Mul(y, x)
	}), "x (lgamma(x) - (x - 1/2) log x + x - log(2 pi)/2), u = 1/x^2"},
	{"lgamma_one_p", -0.5, 0.5, 13, 0,
		func(u *Number) *Number { return Quo(Lgamma(Add(one, u)), u) }, "lgamma(1 + u) / u"},
	{"lgamma_two_p", -0.5, 1, 12, 0,
		func(u *Number) *Number { return Quo(Lgamma(Add(Float(2), u)), u) }, "lgamma(2 + u) / u"},
	{"lgamma_middle_p", -2.25, 2.25, 11, 0, func(u *Number) *Number {
		x := Add(Float(5.25), u)
		return Quo(Lgamma(x), Sub(x, Float(2)))
	}, "lgamma(5.25 + u) / (3.25 + u)"},
}

// amplitude and angle return the two parts of [Modulus] as functions of 1/x^2.
func amplitude(n int) func(*Number) *Number {
	return ofRoot(func(s *Number) *Number { m, _ := Modulus(n, Quo(one, s)); return m })
}

func angle(n int) func(*Number) *Number {
	return ofRoot(func(s *Number) *Number { _, p := Modulus(n, Quo(one, s)); return Quo(p, s) })
}

var bessel = []polynomial{
	{"j0_p", 0, 4, 5, 11,
		ofRoot(func(x *Number) *Number { return Quo(Sub(j0(x), one), Square(x)) }),
		"(j0(x) - 1) / x^2, u = x^2"},
	{"j0_first_p", -0.41, 1.6, 10, 18, beside(j0, 2.4048), "j0(x) / u, u = x - its 1st zero"},
	{"j0_second_p", -1.53, 1.49, 10, 18, beside(j0, 5.5201), "j0(x) / u, u = x - its 2nd zero"},
	{"j0_third_p", -1.66, 0, 10, 17, beside(j0, 8.6537), "j0(x) / u, u = x - its 3rd zero"},
	{"j1_p", 0, 4, 6, 12,
		ofRoot(func(x *Number) *Number { return Quo(Sub(j1(x), Scale(x, -1)), Mul(x, Square(x))) }),
		"(j1(x) - x/2) / x^3, u = x^2"},
	{"j1_first_p", -1.84, 1.61, 11, 20, beside(j1, 3.8317), "j1(x) / u, u = x - its 1st zero"},
	{"j1_second_p", -1.58, 1, 10, 18, beside(j1, 7.0156), "j1(x) / u, u = x - its 2nd zero"},
	{"y0_p", 0, 0.25, 4, 8, ofRoot(func(x *Number) *Number {
		return Sub(y0(x), Mul(twoByPi, Mul(Log(x), j0(x))))
	}), "y0(x) - 2/pi log(x) j0(x), u = x^2"},
	{"y0_zero_p", -0.4, 1.11, 9, 19, func(u *Number) *Number {
		x := Add(zeroOfY0, u)
		return Quo(Sub(y0(x), Mul(twoByPi, Mul(Log(Quo(x, zeroOfY0)), j0(x)))), u)
	}, "(y0(x) - 2/pi log(x / zero) j0(x)) / u, u = x - its 1st zero"},
	{"y0_first_p", -1.96, 1.55, 15, 30, beside(y0, 3.9577), "y0(x) / u, u = x - its 2nd zero"},
	{"y0_second_p", -1.6, 1, 10, 19, beside(y0, 7.0861), "y0(x) / u, u = x - its 3rd zero"},
	{"y1_p", 0, 2.25, 5, 11, ofRoot(func(x *Number) *Number {
		return Quo(Sub(y1(x), Mul(twoByPi, Sub(Mul(Log(x), j1(x)), Quo(one, x)))), x)
	}), "(y1(x) - 2/pi (log(x) j1(x) - 1/x)) / x, u = x^2"},
	{"y1_first_p", -0.7, 1.61, 14, 30, beside(y1, 2.1971), "y1(x) / u, u = x - its 1st zero"},
	{"y1_second_p", -1.63, 1.58, 12, 24, beside(y1, 5.4297), "y1(x) / u, u = x - its 2nd zero"},
	{"y1_third_p", -1.6, 0, 10, 17, beside(y1, 8.596), "y1(x) / u, u = x - its 3rd zero"},
	{"amplitude0_p", 0, 0.0157, 4, 14, amplitude(0), "amplitude of j0 and y0, u = 1/x^2"},
	{"angle0_p", 0, 0.0157, 4, 14, angle(0), "angle of j0 and y0 by 1/x, u = 1/x^2"},
	{"amplitude1_p", 0, 0.0157, 4, 14, amplitude(1), "amplitude of j1 and y1, u = 1/x^2"},
	{"angle1_p", 0, 0.0157, 4, 14, angle(1), "angle of j1 and y1 by 1/x, u = 1/x^2"},
	{"i0_p", 0, 64, 14, 22,
		ofRoot(func(x *Number) *Number { return Quo(Sub(I(0, x), one), Square(x)) }),
		"(i0(x) - 1) / x^2, u = x^2"},
	{"i1_p", 0, 64, 14, 22,
		ofRoot(func(x *Number) *Number { return Quo(Sub(I(1, x), Scale(x, -1)), Mul(x, Square(x))) }),
		"(i1(x) - x/2) / x^3, u = x^2"},
	{"i0_far_p", 0, 0.125, 6, 22, scaled(0), "root(x) e^-x i0(x), u = 1/x"},
	{"i1_far_p", 0, 0.125, 6, 22, scaled(1), "root(x) e^-x i1(x), u = 1/x"},
}

// scaled returns root(x) e^-x I(x) as a function of 1/x.
func scaled(n int) func(*Number) *Number {
	return func(u *Number) *Number {
		x := Quo(one, u)
		return Mul(Mul(Sqrt(x), Exp(Neg(x))), I(n, x))
	}
}

// constants are zeros as sums of two numbers.
func constants(b *strings.Builder) {
	for _, c := range []struct {
		name string
		x    *Number
	}{
		{"j0_first", Zero(j0, 2.4048)}, {"j0_second", Zero(j0, 5.5201)}, {"j0_third", Zero(j0, 8.6537)},
		{"j1_first", Zero(j1, 3.8317)}, {"j1_second", Zero(j1, 7.0156)},
		{"y0_zero", zeroOfY0}, {"y0_first", Zero(y0, 3.9577)}, {"y0_second", Zero(y0, 7.0861)},
		{"y1_first", Zero(y1, 2.1971)}, {"y1_second", Zero(y1, 5.4297)}, {"y1_third", Zero(y1, 8.596)},
	} {
		f, _ := c.x.Float32()
		g, _ := Sub(c.x, Float(float64(f))).Float32()
		d, _ := c.x.Float64()
		e, _ := Sub(c.x, Float(d)).Float64()
		fmt.Fprintf(b, "template <typename T> inline constexpr T %s[2];\n", c.name)
		fmt.Fprintf(b, "template <> inline constexpr float %s<float>[] = {%xf, %xf};\n", c.name, f, g)
		fmt.Fprintf(b, "template <> inline constexpr double %s<double>[] = {%x, %x};\n", c.name, d, e)
	}
}

// polynomials returns the header with all polynomials. Each array says its greatest relative error.
func polynomials(groups ...[]polynomial) string {
	var b strings.Builder
	b.WriteString(header + "#pragma once\n\n// Zeros, as sums of two numbers.\n")
	constants(&b)
	for _, g := range groups {
		for i := range g {
			write(&b, &g[i])
		}
	}
	return b.String()
}
