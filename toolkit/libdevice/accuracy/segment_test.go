package accuracy

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/toolkit/libdevice/exact"
)

// measurement returns the first one of a function.
func measurement(t *testing.T, name string) *Measurement {
	t.Helper()
	for _, m := range Measurements() {
		if m.Function.Name == "__nv_"+name {
			return &m
		}
	}
	t.Fatalf("no measurement of %s", name)
	return nil
}

// The polynomials are the truth, and there are none where the function jumps, bends or ends.
func TestFit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name string
		half float64
		row  []float64
		rows int
	}{
		{"log", 0x1p-6, []float64{0.7}, crowd},
		{"log", 0x1p-6, []float64{1}, outside}, // 0 at the center
		{"log", 0x1p-6, []float64{1.001}, crowd},
		{"logf", 0x1p-2, []float64{1.5}, crowd},
		{"log", 0x1p-2, []float64{1.5}, wild}, // too wide for the digits of a double
		{"exp", 0x1p-1060, []float64{0x1p-1022}, crowd},
		{"sin", 0x1p-5, []float64{3.140625}, crowd},
		{"sin", 0x1p-5, []float64{1e22}, crowd},
		{"sin", 0x1p50, []float64{1e22}, wild},
		{"sincos", 0x1p-5, []float64{1.5}, crowd},
		{"lgamma", 0x1p-6, []float64{2.001}, crowd},
		{"tgamma", 0x1p-6, []float64{-3.01}, wild}, // a pole
		{"acos", 0x1p-9, []float64{0.9}, crowd},
		{"acos", 0x1p-6, []float64{1 - 0x1p-6}, wild},
		{"fmod", 0x1p-4, []float64{5.3, 1}, crowd},
		{"fmod", 0x1p-4, []float64{5.01, 1}, wild},
		{"fdim", 0x1p-4, []float64{2, 1}, crowd},
		{"fdim", 0x1p-4, []float64{1.01, 1}, wild},
		{"fdimf", 0x1p-4, []float64{1.0624999, 1}, wild},
		{"fdim", 0x1p-4, []float64{0.5, 1}, outside},
		{"exp", 0x1p-2, []float64{709}, wild},
		{"exp", 0x1p-4, []float64{-740}, outside},
		{"pow", 0x1p-6, []float64{-2, 0.5}, outside},
	} {
		s := &segment{m: measurement(t, c.name), row: c.row, center: c.row[0], half: c.half}
		require.Equal(t, c.rows, s.fit(random), "%s %v", c.name, c.row)
		require.Equal(t, c.rows == crowd, s.truths != nil)
		for k, p := range s.truths {
			for range 100 {
				at := 2*random.Float64() - 1
				hi, lo := p.at(at)
				want := exact.Mul(s.truth(s.m.truth.results()[k], at), exact.Float(p.scale))
				off, _ := exact.Sub(want, exact.Add(exact.Float(hi), exact.Float(lo))).Float64()
				digits := formats[s.m.single].digits
				require.InDelta(t, 0, off, math.Ldexp(1, 1-digits-spare), "%s %v", c.name, c.row)
			}
		}
		for range 20 {
			g := inputs{single: []bool{s.m.single}}
			s.xs = append(s.xs, g.round(0, s.center+s.half*random.Float64()))
		}
		agree(t, s, random)
	}
}

// agree checks that the greatest error beside polynomials is that beside the exact truth.
func agree(t *testing.T, s *segment, random *rand.Rand) {
	t.Helper()
	words := answer(s, random)
	var near, far Result
	require.Len(t, words, s.compare(words, &near))
	s.truths = nil
	s.compare(words, &far)
	require.InDelta(t, far.Worst, near.Worst, slack, "%s %v", s.m.Function.Name, s.row)
	require.LessOrEqual(t, near.Worst, far.Worst)
}

// The truth is 2^-55 below 1, where an ulp is 2^-53.
func TestSuspects(t *testing.T) {
	s := &segment{m: measurement(t, "normcdf"), row: []float64{8.39}, center: 8.39, half: 0x1p-10}
	require.Equal(t, crowd, s.fit(rand.New(rand.NewPCG(1, 2))))
	got := []float64{1 - 0x1p-53}
	e, _ := s.m.errorOf(s.row, got)
	require.InDelta(t, 0.78, e, 0.01)
	require.True(t, s.suspects(8.39, got, e-2*slack))
	require.False(t, s.suspects(8.39, got, e))
	for _, y := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		require.True(t, s.suspects(8.39, []float64{y}, e))
	}
}

// answer returns results about an ulp from the truth.
func answer(s *segment, random *rand.Rand) (words []uint64) {
	for _, x := range s.xs {
		for _, f := range s.m.truth.results() {
			got := 0.0
			if y := f(numbers(s.with(x))); y != nil {
				got, _ = y.Float64()
			}
			got *= 1 + (2*random.Float64()-1)*math.Ldexp(1, -formats[s.m.single].digits)
			if s.m.single {
				words = append(words, uint64(math.Float32bits(float32(got))))
			} else {
				words = append(words, math.Float64bits(got))
			}
		}
	}
	return words
}

// Segments have the rows that they promise.
func TestSegment(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	fit := 0
	for _, m := range Measurements() {
		g := newInputs(&m, random)
		for range 2 {
			s := g.segment(30)
			require.Contains(t, []int{30, outside}, len(s.xs))
			require.True(t, s.truths == nil || len(s.xs) == 30)
			for _, x := range s.xs {
				require.Equal(t, x, g.round(s.varied, x), m.Function.Name)
				require.GreaterOrEqual(t, x, g.ranges[s.varied][0], m.Function.Name)
				require.LessOrEqual(t, x, g.ranges[s.varied][1], m.Function.Name)
				require.LessOrEqual(t, math.Abs(x-s.center), s.half*1.01, m.Function.Name)
				require.GreaterOrEqual(t, math.Abs(x), formats[m.single].tiny, m.Function.Name)
				require.False(t, g.skips(s.with(x)), m.Function.Name)
			}
			if s.truths != nil {
				fit++
				agree(t, s, random)
			}
		}
	}
	require.Greater(t, fit, 150)
}

// An error at few arguments is found.
func TestMeasure(t *testing.T) {
	m := measurement(t, "log")
	wrong := func(x uint64) bool { return x%4096 == 77 }
	r, err := m.measure(func(args []uint64) ([]uint64, error) {
		words := make([]uint64, len(args))
		for i, x := range args {
			words[i] = math.Float64bits(math.Log(math.Float64frombits(x)))
			if wrong(x) {
				words[i] += 9
			}
		}
		return words, nil
	}, 30000, 1)
	require.NoError(t, err)
	require.Equal(t, 30000, r.Inputs)
	require.True(t, wrong(math.Float64bits(r.At[0])))
	require.InDelta(t, 9, r.Worst, 1)
	e, ok := m.errorOf(r.At, []float64{r.Got})
	require.True(t, ok)
	require.Equal(t, e, r.Worst)
}
