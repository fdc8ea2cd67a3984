package accuracy

import (
	"math"
	"math/rand/v2"

	"jacquard/toolkit/libdevice/exact"
)

// Rows of a segment with polynomials, of a segment where the function varies too fast for
// polynomials, and of a segment where the exact value does not exist or may leave the normal
// numbers.
const crowd, wild, outside = 1024, 64, 16

// segment is a set of rows that differ in one argument, near a center. The truth for all of them
// is a polynomial through the exact truth at some nodes: the exact truth for each row would take a
// hundred times as long.
type segment struct {
	m            *Measurement
	row          []float64
	varied       int          // the argument that differs
	xs           []float64    // its values
	center, half float64      // they are at most half from the center
	truths       []polynomial // of the results; nil where only the exact truth will do
}

// segment returns n rows, or fewer where no polynomial is the truth.
func (g *inputs) segment(n int) *segment {
	s := &segment{m: g.m, row: g.row(), varied: g.real[g.random.IntN(len(g.real))]}
	x, lo, hi := s.row[s.varied], g.ranges[s.varied][0], g.ranges[s.varied][1]
	_, e := math.Frexp(x)
	format := formats[g.m.single]
	half := func(i int) float64 { return math.Ldexp(1, e-format.widths[i]) }
	first := g.width[e] // most arguments of one exponent need the same
	if g.random.IntN(8) == 0 {
		first = 0
	}
	rows := wild
	for i := first; n > 1 && rows == wild && i < len(format.widths); i++ {
		s.half = half(i)
		s.center = g.round(s.varied, min(max(x, lo+s.half), hi-s.half))
		if rows = s.fit(g.random); rows == crowd {
			g.width[e] = i
		}
	}
	if s.truths == nil {
		s.center, s.half, n = x, half(0), min(n, rows)
	}
	for s.xs = append(make([]float64, 0, n), x); len(s.xs) < n; {
		x := g.round(s.varied, s.center+s.half*(2*g.random.Float64()-1))
		if x >= lo && x <= hi && math.Abs(x) >= format.tiny && !g.skips(s.with(x)) {
			s.xs = append(s.xs, x)
		}
	}
	return s
}

// with returns the row of an argument. The next call changes the row.
func (s *segment) with(x float64) []float64 {
	s.row[s.varied] = x
	return s.row
}

// truth returns the exact truth at t, from -1 to 1.
func (s *segment) truth(f func([]*exact.Number) *exact.Number, t float64) *exact.Number {
	x := numbers(s.row)
	x[s.varied] = exact.Add(exact.Float(s.center), exact.Mul(exact.Float(s.half), exact.Float(t)))
	return f(x)
}

// fit makes the polynomials, if these are the truth at some more places than the nodes, and returns
// how many rows the segment may have. A function that jumps or bends between two nodes is far from
// its polynomial everywhere.
func (s *segment) fit(random *rand.Rand) int {
	places, _ := lagrange()
	format := formats[s.m.single]
	var all []polynomial
	for _, f := range s.m.truth.results() {
		var values [nodes]*exact.Number
		for j, t := range places {
			y := s.truth(f, t)
			switch {
			case j == 0 && (!format.holds(y) || y.Sign() == 0 || y.MantExp(nil) < format.least+10):
				return outside
			case !format.holds(y):
				return wild
			}
			values[j] = y
		}
		p := interpolate(&values)
		for range 3 {
			t := 2*random.Float64() - 1
			y := s.truth(f, t)
			if y == nil {
				return wild
			}
			hi, lo := p.at(t)
			y = exact.Sub(exact.Mul(y, exact.Float(p.scale)), exact.Add(exact.Float(hi), exact.Float(lo)))
			if y.Sign() != 0 && y.MantExp(nil) > -format.digits-spare {
				return wild
			}
		}
		if _, absolute := s.m.Bound(); !absolute {
			p.ulp = math.Ldexp(1, 1-format.digits)
		}
		all = append(all, p)
	}
	s.truths = all
	return crowd
}

// suspects reports whether results may have an error above the greatest so far.
func (s *segment) suspects(x float64, got []float64, worst float64) bool {
	for k := range s.truths {
		if s.truths[k].above(worst, (x-s.center)/s.half, got[k]) {
			return true
		}
	}
	return s.truths == nil
}
