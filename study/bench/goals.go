package bench

import (
	"cmp"
	"fmt"
	"slices"
)

// Jacquard's goals on a machine with two cores and AVX-512. They are mostly ratios, which depend
// less on the machine than absolute numbers.
const (
	goalArithmetic = 6    // host adds per warp-instruction, if arithmetic dominates
	goalOther      = 15   // if memory, divergence or special functions dominate
	goalClass      = 3    // times of the host's operation
	goalWorkers    = 1.85 // speed of two workers, relative to one
	goalStatistics = 0.10 // of the time without statistics
	goalObserver   = 0.03 // of the time without an observer, for one that declines every block
	goalTrace      = 3    // times the time without a trace, for pc and lanes
	goalValues     = 10   // likewise with all values
	goalMemory     = 64   // MB besides the device's memory
)

// Goal is a measured figure with its limit.
type Goal struct {
	What, Of string  // the limited quantity, and its kernel or class
	Figure   float64 // as measured
	Limit    float64
	AtLeast  bool // the limit is the least allowed, otherwise the most
}

// Met reports whether the figure is within the limit.
func (g *Goal) Met() bool {
	if g.AtLeast {
		return g.Figure >= g.Limit
	}
	return g.Figure <= g.Limit
}

// arithmetic lists the workloads dominated by arithmetic.
var arithmetic = []string{"matmul", "mandelbrot", "collatz", "xorshift", "nbody"}

// limited lists the classes with a limit on time relative to the host's operation.
var limited = []string{"integer add", "integer mul", "integer mad", "f32 add", "f32 mul", "f32 mad"}

// affordable has the limits of costs, in times of a plain launch.
var affordable = map[string]float64{idleObserver: 1 + goalObserver, pathTrace: goalTrace, valueTrace: goalValues}

// Goals compares results with the goals, as far as there are figures for them.
func Goals(all []*Result) (list []Goal) {
	kernels, classes, costs := sorted(all)
	best, fewest := detailed(kernels), map[string]*Result{}
	for _, r := range kernels {
		if r.SIMD != best.simd {
			continue
		}
		if r.Workers == best.workers {
			fewest[r.Kernel] = r
			list = append(list, r.goals()...)
		} else if one := fewest[r.Kernel]; one != nil && one.Workers == 1 && r.Workers == 2 && r.Kernel != oneBlock {
			list = append(list, Goal{"speed of two workers by that of one", r.Kernel, one.Seconds / r.Seconds, goalWorkers, true})
		}
	}
	for _, r := range classes {
		if slices.Contains(limited, r.Kernel) && r.Comparison != nil {
			list = append(list, Goal{"times the host's operation, " + r.SIMD, r.Kernel, r.HostOps, goalClass, false})
		}
	}
	for _, r := range costs {
		if limit, ok := affordable[r.With]; ok {
			list = append(list, Goal{"time of a launch, " + r.With, r.Kernel, r.Relative, limit, false})
		}
	}
	slices.SortStableFunc(list, func(a, b Goal) int { return cmp.Compare(a.What, b.What) })
	return list
}

// goals returns the goals that a result of a kernel covers.
func (r *Result) goals() (list []Goal) {
	if r.Comparison != nil {
		limit := float64(goalOther)
		if slices.Contains(arithmetic, r.Kernel) {
			limit = goalArithmetic
		}
		list = append(list, Goal{"host adds a warp-instruction", r.Kernel, r.HostAdds, limit, false})
	}
	if r.Counting != 0 {
		list = append(list, Goal{"time with statistics by that without", r.Kernel, r.Counting, 1 + goalStatistics, false})
	}
	if r.PeakBytes != 0 {
		list = append(list, Goal{"MB beside the device's", r.Kernel, r.besideDevice(), goalMemory, false})
	}
	return list
}

// goalTable has one row per goal.
func goalTable(goals []Goal) *Table {
	t := &Table{
		Title: "Goals", Head: []string{"goal", "of", "figure", "limit", "met"},
		Note: "what was measured, with the best vector instructions where nothing else is said, beside what it should be.",
	}
	for _, g := range goals {
		limit, met := "at most", "yes"
		if g.AtLeast {
			limit = "at least"
		}
		if !g.Met() {
			met = "no"
		}
		t.Rows = append(t.Rows, []string{g.What, g.Of, fmt.Sprintf("%.2f", g.Figure), fmt.Sprintf("%s %.4g", limit, g.Limit), met})
	}
	return t
}
