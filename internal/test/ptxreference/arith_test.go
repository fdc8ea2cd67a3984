package ptxreference

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
)

var modes = []ptx.Round{ptx.RN, ptx.RZ, ptx.RM, ptx.RP}

var bigModes = map[ptx.Round]big.RoundingMode{ptx.RN: big.ToNearestEven, ptx.RZ: big.ToZero,
	ptx.RM: big.ToNegativeInf, ptx.RP: big.ToPositiveInf}

// exactly holds any sum or product of f64 without rounding.
const exactly = 5000

// rounded is a second way to round: through big.Float, with the bits that the exponent leaves.
func rounded(f *format, x *big.Float, mode ptx.Round) uint64 {
	if x.Sign() == 0 {
		return 0
	}
	sign := uint64(0)
	if x.Signbit() {
		sign = f.sign()
	}
	least := new(big.Float).SetMantExp(big.NewFloat(1), f.emin-f.prec+1) // the smallest number
	exp := x.MantExp(nil) - 1
	prec := f.prec
	if exp < f.emin {
		prec -= f.emin - exp
	}
	if prec < 1 { // between 0 and the smallest number
		half := new(big.Float).SetMantExp(least, -1)
		up := new(big.Float).Abs(x).Cmp(half) > 0
		switch mode {
		case ptx.RZ:
			up = false
		case ptx.RM:
			up = x.Signbit()
		case ptx.RP:
			up = !x.Signbit()
		}
		return sign | truth(up)
	}
	r := new(big.Float).SetMode(bigModes[mode]).SetPrec(uint(prec)).Set(x)
	if r.MantExp(nil)-1 > f.emax {
		return sign | f.overflow(x.Signbit(), mode)
	}
	units, _ := new(big.Float).SetPrec(exactly).Quo(new(big.Float).Abs(r), least).Int(nil)
	bits := uint64(0)
	if n := units.BitLen(); n > f.prec {
		bits = uint64(n - f.prec)
		units.Rsh(units, uint(n-f.prec))
	}
	return sign | bits<<(f.prec-1) + units.Uint64()
}

func bigOf(f *format, x uint64) *big.Float {
	v := math.Float64frombits(x)
	if f == single {
		v = float64(math.Float32frombits(uint32(x)))
	}
	return new(big.Float).SetPrec(exactly).SetFloat64(v)
}

// someFloat returns a finite number, often one with few bits or near an end of the range.
func someFloat(r *rand.Rand, f *format) uint64 {
	e := r.Uint64() % (f.infinity() >> (f.prec - 1))
	switch r.IntN(6) {
	case 0:
		e = uint64(-f.emin) + r.Uint64N(8) - 4
	case 1:
		e = r.Uint64N(3)
	case 2:
		e = f.infinity()>>(f.prec-1) - 1 - r.Uint64N(3)
	}
	m := r.Uint64() & f.fraction()
	switch r.IntN(4) {
	case 0:
		m = 0
	case 1:
		m = f.fraction() >> r.IntN(f.prec) << r.IntN(4) & f.fraction()
	}
	return r.Uint64()&f.sign() | e<<(f.prec-1) | m
}

func TestArithmeticRoundsAsBigFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, form := range []*format{single, double} {
		for range 5000 {
			a, b, c := someFloat(r, form), someFloat(r, form), someFloat(r, form)
			x, y, z := bigOf(form, a), bigOf(form, b), bigOf(form, c)
			for _, mode := range modes {
				f := arith{format: form, mode: mode}
				same(t, f, new(big.Float).SetPrec(exactly).Add(x, y), f.add(a, b, false), "add", a, b)
				same(t, f, new(big.Float).SetPrec(exactly).Sub(x, y), f.add(a, b, true), "sub", a, b)
				product := new(big.Float).SetPrec(exactly).Mul(x, y)
				same(t, f, product, f.mul(a, b), "mul", a, b)
				same(t, f, product.Add(product, z), f.fma(a, b, c), "fma", a, b, c)
			}
		}
	}
}

func TestQuotientsAndRootsRoundAsBigFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, form := range []*format{single, double} {
		for range 5000 {
			a, b := someFloat(r, form), someFloat(r, form)
			x, y := bigOf(form, a), bigOf(form, b)
			for _, mode := range modes {
				f := arith{format: form, mode: mode}
				if y.Sign() != 0 {
					same(t, f, new(big.Float).SetPrec(400).Quo(x, y), f.div(a, b), "div", a, b)
				}
				if x.Sign() > 0 {
					same(t, f, new(big.Float).SetPrec(400).Sqrt(x), f.sqrt(a), "sqrt", a)
				}
			}
		}
	}
}

// same compares a result with the exact one. Zeros are compared without their signs.
func same(t *testing.T, f arith, exact *big.Float, got uint64, op string, args ...uint64) {
	want := rounded(f.format, exact, f.mode)
	if want != got && (want|got)&^f.sign() != 0 {
		require.Failf(t, op, "%x mode %d: %x, want %x", args, f.mode, got, want)
	}
}

// The fast paths through Go's operations agree with the slow one.
func TestFastArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, form := range []*format{single, double} {
		for range 20000 {
			a, b, c := r.Uint64(), someFloat(r, form), someFloat(r, form)
			if form == single {
				a &= 0xffffffff
			}
			for _, ftz := range []bool{false, true} {
				f := arith{format: form, ftz: ftz}
				x, y, z := f.decode(a), f.decode(b), f.decode(c)
				if f.isNaN(a) {
					continue
				}
				require.Equal(t, f.out(x.plus(y, f.mode)), f.add(a, b, false), "%x + %x", a, b)
				require.Equal(t, f.out(x.times(y)), f.mul(a, b), "%x * %x", a, b)
				require.Equal(t, f.out(x.over(y, f.prec+2)), f.div(a, b), "%x / %x", a, b)
				require.Equal(t, f.out(x.root(f.prec+2)), f.sqrt(a), "root of %x", a)
				require.Equal(t, f.out(x.times(y).plus(z, f.mode)), f.fma(a, b, c), "%x %x %x", a, b, c)
			}
		}
	}
}

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		f    *format
		x    float64
		want uint64
	}{
		{half, 1, 0x3c00}, {half, 65504, 0x7bff}, {half, 65519.9, 0x7bff}, {half, 65520, 0x7c00},
		{half, 0x1p-24, 1}, {half, 0x1p-25, 0}, {half, 0x1.8p-25, 1}, {half, -0x1p-14, 0x8400},
		{brain, 1, 0x3f80}, {brain, 0x1.01p0, 0x3f80}, {brain, 0x1.03p0, 0x3f82},
		{single, 1, 0x3f800000}, {single, math.Pi, 0x40490fdb}, {single, math.Inf(-1), 0xff800000},
		{double, math.Pi, math.Float64bits(math.Pi)},
	} {
		require.Equal(t, c.want, c.f.encode(double.decode(math.Float64bits(c.x)), ptx.RN, false), "%v", c.x)
	}
	for _, f := range []*format{half, brain, single} {
		for range 1000 {
			x := rand.Uint64() & ones(f.bits)
			if !f.isNaN(x) {
				require.Equal(t, x, f.encode(f.decode(x), ptx.RZ, false))
			}
		}
	}
}

// What docs/isa says of fmad, which PTX describes less exactly.
func TestTruncatedMad(t *testing.T) {
	bits := func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }
	for _, c := range []struct{ a, b, c, want uint64 }{
		{bits(2), bits(3), bits(4), bits(10)},
		{bits(0x1p64), bits(0x1p64), bits(-0x1p127), bits(0x1p127)},        // the product is not bounded
		{bits(0x1p-64), bits(0x1p-64), bits(0x1p-126), 0x00a00000},         // not flushed either
		{bits(1 + 0x1p-23), bits(1 + 0x1p-23), bits(-1), bits(0x1p-22)},    // truncated
		{bits(1.5 + 0x1p-23), bits(1.5), 0, bits(2.25 + 0x1p-22)},          // rounded: c is 0
		{bits(1.5 + 0x1p-23), bits(1.5), 0x80000001, bits(2.25 + 0x1p-22)}, // c counts as 0
		{bits(0x1p-63), bits(0x1p-63), bits(-0x1p-126 - 0x1p-149), 0x80000000},
		{bits(0x1p-75), bits(-0x1p-75), bits(0x1p-126), bits(0x1p-126)}, // 2^-126 - 2^-150
		{bits(math.Inf(1)), 0, bits(1), 0x7fffffff},
		{bits(math.Inf(1)), bits(1), bits(math.Inf(-1)), 0x7fffffff},
		{bits(0x1p100), bits(0x1p100), bits(math.Inf(-1)), bits(math.Inf(-1))},
		{bits(0x1p100), bits(0x1p100), 0, bits(math.Inf(1))},
		{bits(0x1p100), bits(0x1p100), bits(1), bits(math.Inf(1))},
		{bits(1), bits(1), bits(-1), 0},
		{bits(0x1.fffffep127), bits(1), bits(0x1p103), bits(math.Inf(1))},
	} {
		require.Equal(t, c.want, fmad(c.a, c.b, c.c), "%x*%x+%x", c.a, c.b, c.c)
	}
	f := arith{format: single, mode: ptx.RN, ftz: true}
	// 2^-126 - 2^-150 is below the normal range for mul, which flushes.
	require.Equal(t, uint64(0), f.mul(bits(0x1p-63*(1-0x1p-24)), bits(0x1p-63)))
}

// Against the definition, with exact numbers: the product truncated, the sum rounded.
func TestTruncatedMadAgainstItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 50000 {
		a, b, c := someFloat(r, single), someFloat(r, single), someFloat(r, single)
		if single.isSubnormal(a) || single.isSubnormal(b) || single.isSubnormal(c) {
			continue
		}
		product := new(big.Float).SetPrec(exactly).Mul(bigOf(single, a), bigOf(single, b))
		product = new(big.Float).SetMode(big.ToZero).SetPrec(24).Set(product)
		sum := new(big.Float).SetPrec(exactly).Add(product, bigOf(single, c))
		if sum.Sign() != 0 && sum.MantExp(nil)-1 <= -126 {
			continue // the low end rounds in a way of its own
		}
		want := rounded(single, sum, ptx.RN)
		require.Equal(t, want, fmad(a, b, c), "%x*%x+%x", a, b, c)
	}
}
