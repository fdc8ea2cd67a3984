package accuracy

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"jacquard/toolkit/libdevice"
	"jacquard/toolkit/libdevice/exact"
)

// Measurement is a function with the truth for a set of arguments.
type Measurement struct {
	Function *libdevice.Function
	truth    truth
	single   bool
}

// Result is the result of a measurement.
type Result struct {
	Inputs int
	Worst  float64   // the greatest error: in ulp of the truth, or absolute
	At     []float64 // its arguments
	Got    float64   // the function's result there
}

// Measurements returns one measurement per function that mathematics defines.
func Measurements() (all []Measurement) {
	functions := libdevice.Functions()
	for i := range functions {
		f := &functions[i]
		base, single := plain(f)
		for _, t := range truths()[base] {
			all = append(all, Measurement{f, t, single})
		}
	}
	return all
}

// plain returns the name of a function as [truths] has it, and whether it is a function of float.
func plain(f *libdevice.Function) (base string, single bool) {
	base = strings.TrimPrefix(f.Name, "__nv_")
	single = strings.Contains(f.Result+strings.Join(f.Params, " "), "float")
	if _, ok := truths()[base]; !ok && single {
		base = strings.TrimSuffix(base, "f")
	}
	return base, single
}

// Where says which arguments a measurement takes; "" for all.
func (m *Measurement) Where() string { return m.truth.where }

// Bound is the error that NVIDIA publishes, +Inf for none. It is absolute, or the distance from the
// correctly rounded result in ulp.
func (m *Measurement) Bound() (bound float64, absolute bool) {
	bound = m.truth.absolute[1]
	if m.single {
		bound = m.truth.absolute[0]
	}
	if bound != 0 {
		return bound, true
	}
	bound, err := strconv.ParseFloat(m.Function.Bound, 64)
	if err != nil {
		return math.Inf(1), false
	}
	return bound, false
}

// Why says why the error is beyond the bound, for the few functions where it is; "" for others.
func (m *Measurement) Why() string { return m.truth.why }

// Within reports whether an error is within the bound. The correctly rounded result is half an ulp
// from the truth.
func (m *Measurement) Within(e float64) bool {
	bound, absolute := m.Bound()
	if absolute {
		return e <= bound
	}
	return e <= bound+0.5
}

// Measure compares a function with the truth on n inputs, in segments of n/1000 inputs, at most
// 1024. The greatest error is one beside the exact truth.
func (l *Library) Measure(m *Measurement, n int, seed uint64) (Result, error) {
	run := func(args []uint64) ([]uint64, error) { return l.Run(m.Function, args) }
	return m.measure(run, n, seed)
}

// measure compares what run makes of arguments with the truth.
func (m *Measurement) measure(run words, n int, seed uint64) (Result, error) {
	g := newInputs(m, rand.New(rand.NewPCG(seed, uint64(len(m.Function.Name)))))
	size := min(n/1000, crowd)
	if size < 2*nodes { // the exact truth for each row costs less
		size = 1
	}
	result := Result{At: []float64{math.NaN()}}
	for result.Inputs < n {
		var segments []*segment
		var args []uint64
		for left := min(n-result.Inputs, 1<<16); left > 0; {
			s := g.segment(min(size, left))
			segments, left = append(segments, s), left-len(s.xs)
			for _, x := range s.xs {
				for k, x := range s.with(x) {
					args = append(args, g.word(k, x))
				}
			}
		}
		words, err := run(args)
		if err != nil {
			return result, err
		}
		for _, s := range segments {
			words = words[s.compare(words, &result):]
		}
	}
	return result, nil
}

// words is a function from arguments to results, in rows.
type words func(args []uint64) ([]uint64, error)

// compare adds rows to a result, and returns how many of the words belong to these.
func (s *segment) compare(words []uint64, to *Result) int {
	results := len(s.m.truth.results())
	got := make([]float64, results)
	for i, x := range s.xs {
		for k := range got {
			got[k] = s.m.value(words[results*i+k])
		}
		if !s.suspects(x, got, to.Worst) {
			to.Inputs++
			continue
		}
		e, ok := s.m.errorOf(s.with(x), got)
		if ok {
			to.Inputs++
		}
		if e > to.Worst {
			to.Worst, to.At, to.Got = e, slices.Clone(s.row), got[0]
		}
	}
	return results * len(s.xs)
}

// value returns a result as a number.
func (m *Measurement) value(word uint64) float64 {
	if m.single {
		return float64(math.Float32frombits(uint32(word)))
	}
	return math.Float64frombits(word)
}

// errorOf returns the error of results at x, and whether there is a truth.
func (m *Measurement) errorOf(x, got []float64) (e float64, ok bool) {
	for k, f := range m.truth.results() {
		want := f(numbers(x))
		if want == nil {
			return 0, false
		}
		e = max(e, m.beside(got[k], want))
	}
	return e, true
}

// beside returns the error of a result beside the truth.
func (m *Measurement) beside(got float64, want *exact.Number) float64 {
	if _, absolute := m.Bound(); absolute && math.Abs(got) <= math.MaxFloat64 {
		d, _ := exact.Sub(exact.Float(got), want).Float64()
		return math.Abs(d)
	}
	return ErrorOf(got, want, m.single)
}
