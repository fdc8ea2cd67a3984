package library_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// half is a format of 16 bits.
type half struct {
	name string
	bits uint // of a fraction
	bias int
}

var halves = []half{{"f16", 10, 15}, {"bf16", 7, 127}}

const halfNaN = 0x7fff

func (h half) infinity() uint64 { return 1<<15 - 1<<h.bits }

// magnitude returns the value of a number without its sign. Infinity has the next power of two.
func (h half) magnitude(m uint64) *big.Float {
	exp, sig := int(m>>h.bits), m&(1<<h.bits-1)
	if exp > 0 {
		exp, sig = exp-1, sig|1<<h.bits
	}
	x := new(big.Float).SetPrec(600).SetUint64(sig)
	return x.SetMantExp(x, exp+1-h.bias-int(h.bits))
}

// value returns a number as big.Float, which has infinities; ok is false for a NaN.
func (h half) value(x uint64) (v *big.Float, ok bool) {
	m, neg := x&0x7fff, x&0x8000 != 0
	switch {
	case m > h.infinity():
		return nil, false
	case m == h.infinity():
		return new(big.Float).SetInf(neg), true
	}
	v = h.magnitude(m)
	if neg {
		v.Neg(v)
	}
	return v, true
}

// round searches for the numbers on both sides of x, and takes one.
func (h half) round(x *big.Float, mode big.RoundingMode) uint64 {
	sign := uint64(0)
	if x.Signbit() {
		sign = 0x8000
	}
	if x.IsInf() {
		return sign | h.infinity()
	}
	size := new(big.Float).Abs(x)
	low, high := uint64(0), h.infinity()
	if size.Cmp(h.magnitude(high)) >= 0 {
		low = high - 1
	}
	for high-low > 1 {
		middle := (low + high) / 2
		if h.magnitude(middle).Cmp(size) <= 0 {
			low = middle
		} else {
			high = middle
		}
	}
	below := h.magnitude(low)
	if size.Cmp(below) == 0 {
		return sign | low
	}
	up := false
	switch mode {
	case big.ToNearestEven:
		tie := new(big.Float).Add(below, h.magnitude(high))
		order := size.Cmp(tie.Quo(tie, big.NewFloat(2)))
		up = order > 0 || order == 0 && low&1 != 0
	case big.ToNegativeInf:
		up = sign != 0
	case big.ToPositiveInf:
		up = sign == 0
	}
	if up {
		return sign | high
	}
	return sign | low
}

// fma returns a*b + c. A sum of zeros has the sign of both, or +.
func (h half) fma(a, b, c uint64) uint64 {
	x, ok := h.value(a)
	y, ok2 := h.value(b)
	z, ok3 := h.value(c)
	if !ok || !ok2 || !ok3 || x.IsInf() && y.Sign() == 0 || y.IsInf() && x.Sign() == 0 {
		return halfNaN
	}
	p := new(big.Float).SetPrec(600).Mul(x, y)
	if p.IsInf() && z.IsInf() && p.Signbit() != z.Signbit() {
		return halfNaN
	}
	return h.round(p.Add(p, z), big.ToNearestEven)
}

func TestHalves(t *testing.T) {
	for _, h := range halves {
		unit := uint64(h.bias) << h.bits
		check(t, "add_"+h.name, one(func(r row) uint64 { return h.fma(low(r[0], 16), unit, low(r[1], 16)) }))
		check(t, "mul_"+h.name, one(func(r row) uint64 {
			a, b := low(r[0], 16), low(r[1], 16)
			return h.fma(a, b, (a^b)&0x8000)
		}))
		check(t, "fma_"+h.name, one(func(r row) uint64 {
			return h.fma(low(r[0], 16), low(r[1], 16), low(r[2], 16))
		}))
	}
	check(t, "fused_bf16", one(func(r row) uint64 {
		return halves[1].fma(low(r[0], 16), low(r[1], 16), low(r[2], 16))
	}))
}

// TestHalfEnds multiplies and adds numbers at the ends of the range of bf16 and of the range of
// common numbers.
func TestHalfEnds(t *testing.T) {
	h := halves[1]
	ends := []uint64{0, 1, 0x7f, 0x80, 0x81, 0x0d80, 0x2000, 0x2180, 0x3f81, 0x3fff, 0x4000, 0x7b80, 0x7b81,
		0x7f00, 0x7f7f, 0x7f80}
	var rows []row
	for _, a := range ends {
		for _, b := range ends {
			for _, c := range ends {
				rows = append(rows, row{a, b, c}, row{a, b, c | 0x8000})
			}
		}
	}
	for i, r := range apply(t, kernels(), "fma_bf16", rows) {
		x := rows[i]
		require.Equal(t, h.fma(x[0], x[1], x[2]), low(r[0], 16), "%#x", x[:3])
	}
}

// TestHalfRounding rounds bits of f32 by way of the numbers that they are.
func TestHalfRounding(t *testing.T) {
	for _, h := range halves {
		for _, r := range roundings {
			name := "round_" + r.name + "_" + h.name
			if functions()[name] == nil {
				continue
			}
			check(t, name, one(func(x row) uint64 {
				v := math.Float32frombits(uint32(x[0]))
				if v != v {
					return halfNaN
				}
				return h.round(big.NewFloat(float64(v)), r.mode)
			}))
		}
	}
}

// TestOdd rounds results of functions to bf16, as numbers of more bits are rounded. The functions
// of f64 also serve f16.
func TestOdd(t *testing.T) {
	tests := map[string]func(x uint64) *big.Float{
		"odd_u32": func(x uint64) *big.Float { return new(big.Float).SetUint64(low(x, 32)) },
		"odd_s32": func(x uint64) *big.Float { return new(big.Float).SetInt64(signExtend(x, 32)) },
		"odd_u64": func(x uint64) *big.Float { return new(big.Float).SetUint64(x) },
		"odd_s64": func(x uint64) *big.Float { return new(big.Float).SetInt64(int64(x)) },
		"odd_f64": func(x uint64) *big.Float { return big.NewFloat(math.Float64frombits(x)) },
	}
	for name, number := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newOperands(functions()[name])
			rows := make([]row, len(g.special)+randomOperands())
			for i := range rows {
				rows[i] = g.row(i)
			}
			for i, got := range apply(t, kernels(), name, rows) {
				x := rows[i][0]
				v := math.Float32frombits(uint32(got[0]))
				if name == "odd_f64" && math.IsNaN(math.Float64frombits(x)) {
					require.True(t, v != v, "%#x", x)
					continue
				}
				for _, h := range halves[len(halves)-1-oneIf(name == "odd_f64"):] {
					for _, r := range roundings {
						require.Equal(t, h.round(number(x), r.mode), h.round(big.NewFloat(float64(v)), r.mode),
							"%s(%#x) to %s, %s", name, x, h.name, r.name)
					}
				}
			}
			tested.Store(name, len(rows))
		})
	}
}

// TestRanks passes all bf16 through an f32 and back, in their order.
func TestRanks(t *testing.T) {
	rows := make([]row, 1<<16)
	for i := range rows {
		rows[i][0] = uint64(i)
	}
	h := halves[1]
	ranks := apply(t, kernels(), "rank_bf16", rows)
	back := make([]row, len(rows))
	for i, r := range ranks {
		back[i][0] = r[0]
		v, ok := h.value(uint64(i))
		rank := math.Float32frombits(uint32(r[0]))
		if !ok {
			require.True(t, rank != rank, "%#x", i)
			continue
		}
		require.Equal(t, v.Signbit(), math.Signbit(float64(rank)), "%#x", i)
		if i&0x7fff > 0 {
			before := math.Float32frombits(uint32(ranks[i-1][0]))
			require.Less(t, math.Abs(float64(before)), math.Abs(float64(rank)), "%#x", i)
		}
	}
	for i, r := range apply(t, kernels(), "unrank_bf16", back) {
		want := uint64(i)
		if want&0x7fff > h.infinity() {
			want = halfNaN
		}
		require.Equal(t, want, low(r[0], 16), "%#x", i)
	}
}

// TestHalfFunctions compares approximations of all numbers with approximations in f32.
func TestHalfFunctions(t *testing.T) {
	rows := make([]row, 1<<16)
	for i := range rows {
		rows[i][0] = uint64(i)
	}
	truths := map[string]func(float64) float64{"ex2": math.Exp2, "tanh": math.Tanh}
	for _, h := range halves {
		for op, truth := range truths {
			for i, r := range apply(t, kernels(), op+"_approx_"+h.name, rows) {
				x, ok := h.value(uint64(i))
				got, gotOK := h.value(low(r[0], 16))
				require.Equal(t, ok, gotOK, "%s(%#x)", op, i)
				if !ok {
					continue
				}
				v, _ := x.Float64()
				g, _ := got.Float64()
				w := truth(v)
				if math.IsInf(g, 1) { // rounded from the last half
					require.Greater(t, w, 65519.0, "%s(%#x)", op, i)
					continue
				}
				bound := math.Ldexp(math.Abs(w), -int(h.bits)-1)*1.01 + 0x1p-25
				require.InDelta(t, w, g, bound, "%s_%s(%#x)", op, h.name, i)
			}
		}
	}
}

func oneIf(x bool) int {
	if x {
		return 1
	}
	return 0
}

// TestLifted finds that no number is subnormal when it was lifted, and that it rounds to the same
// integers.
func TestLifted(t *testing.T) {
	var rows []row
	for upper := range uint64(1 << 16) {
		for _, lower := range []uint64{0, 1, 0x8000, 0xffff} {
			rows = append(rows, row{upper<<16 | lower})
		}
	}
	for i, r := range apply(t, kernels(), "lifted_f32", rows) {
		of := func(bits uint64) float64 { return float64(math.Float32frombits(uint32(bits))) }
		x, y := of(rows[i][0]), of(r[0])
		if x != x {
			require.Equal(t, rows[i][0], r[0])
			continue
		}
		require.False(t, y != 0 && math.Abs(y) < 0x1p-126, "%#x", rows[i][0])
		require.Equal(t, []float64{math.Floor(x), math.Ceil(x)}, []float64{math.Floor(y), math.Ceil(y)}, "%#x", rows[i][0])
		require.Equal(t, math.Signbit(x), math.Signbit(y), "%#x", rows[i][0])
	}
}
