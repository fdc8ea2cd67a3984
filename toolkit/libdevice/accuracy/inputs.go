package accuracy

import (
	"math"
	"math/rand/v2"
	"strings"
)

// inputs makes arguments of a measurement.
type inputs struct {
	m      *Measurement
	ranges [][2]float64
	single []bool // which arguments are float
	whole  []bool // which are int
	real   []int  // which are not
	random *rand.Rand
	width  map[int]int // of the last segment with polynomials, by the exponent of its argument
}

func newInputs(m *Measurement, random *rand.Rand) *inputs {
	g := &inputs{m: m, ranges: m.truth.double, random: random, width: map[int]int{}}
	if m.single {
		g.ranges = m.truth.single
	}
	for _, p := range m.Function.Params {
		for in, _ := slots(p); in > 0; in-- {
			if p != "int" {
				g.real = append(g.real, len(g.whole))
			}
			g.single = append(g.single, strings.Contains(p, "float"))
			g.whole = append(g.whole, p == "int")
		}
	}
	return g
}

// row returns arguments: half of a random exponent, a quarter evenly from the range as far as 1000,
// and a quarter evenly between -3 and 3 as far as the range has these.
func (g *inputs) row() []float64 {
	for {
		x := make([]float64, len(g.ranges))
		way := g.random.IntN(4)
		for i, r := range g.ranges {
			x[i] = g.argument(i, way, r[0], r[1])
		}
		if !g.skips(x) {
			return x
		}
	}
}

func (g *inputs) skips(x []float64) bool { return g.m.truth.skip != nil && g.m.truth.skip(x) }

func (g *inputs) argument(i, way int, lo, hi float64) float64 {
	even := func(lo, hi float64) float64 { return lo + (hi-lo)*g.random.Float64() }
	var x float64
	switch {
	case g.whole[i]:
		return math.Round(even(lo, hi))
	case way < 2:
		x = g.scattered(lo, hi, g.single[i])
	case way == 3 && max(lo, -3) < min(hi, 3):
		x = even(max(lo, -3), min(hi, 3))
	default:
		x = even(max(lo, -1000), min(hi, 1000))
	}
	return min(max(g.round(i, x), lo), hi)
}

// round returns a number as an argument has it.
func (g *inputs) round(i int, x float64) float64 {
	if g.single[i] {
		return float64(float32(x))
	}
	return x
}

// scattered returns a number of a random exponent between lo and hi.
func (g *inputs) scattered(lo, hi float64, single bool) float64 {
	least := 0x1p-1022
	if single {
		least = 0x1p-126
	}
	negative := lo < 0 && (hi <= 0 || g.random.IntN(2) == 0)
	if negative {
		lo, hi = max(0, -hi), -lo
	}
	from, to := math.Log2(max(lo, least)), math.Log2(max(hi, least))
	x := min(math.Exp2(from+(to-from)*g.random.Float64()), math.MaxFloat64)
	if negative {
		return -x
	}
	return x
}

// word returns an argument as a kernel reads it.
func (g *inputs) word(i int, x float64) uint64 {
	switch {
	case g.whole[i]:
		return uint64(uint32(int32(x)))
	case g.single[i]:
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}
