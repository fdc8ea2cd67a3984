package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"jacquard/observe/report"
	"jacquard/study"
	"jacquard/study/compare"
)

// figure is a number of a panel.
type figure struct {
	name string
	most float64 // end of the scale of all rows; 0 for a scale by row
	of   func(p *Panel) float64
	text func(v float64) string
}

func mean(v float64) string  { return fmt.Sprintf("%.2f", v) }
func whole(v float64) string { return report.Count(uint64(v)) }

func counter(name string, of func(c *compare.Counts) uint64) figure {
	return figure{name, 0, func(p *Panel) float64 { return float64(of(&p.Counts)) }, whole}
}

const warp = 32

// figures lists the figures of a page. docs/statistics.md defines the counters; a panel sums the
// counters of its cells.
var figures = []figure{
	{"average_active_lanes", warp, func(p *Panel) float64 { return p.Counts.AverageLanes() }, mean},
	{"average_active_lanes_without_joinat", warp, func(p *Panel) float64 { return p.Counts.AverageLanesWithoutJoinAt() }, mean},
	counter("warp_instructions", func(c *compare.Counts) uint64 { return c.WarpInstructions }),
	counter("thread_instructions", func(c *compare.Counts) uint64 { return c.ThreadInstructions }),
	counter("annotations", func(c *compare.Counts) uint64 { return c.Annotations }),
	counter("reissued_joins", func(c *compare.Counts) uint64 { return c.ReissuedJoins }),
	counter("merges", func(c *compare.Counts) uint64 { return c.Merges }),
	counter("multiple_merges", func(c *compare.Counts) uint64 { return c.MultipleMerges }),
	counter("swaps", func(c *compare.Counts) uint64 { return c.Swaps }),
	counter("most_paths", func(c *compare.Counts) uint64 { return uint64(c.MostPaths) }),
	counter("deepest_stack", func(c *compare.Counts) uint64 { return uint64(c.DeepestStack) }),
	counter("partial_barriers", func(c *compare.Counts) uint64 { return c.PartialBarriers }),
	counter("pc_arbitrations", func(c *compare.Counts) uint64 { return c.PCArbitrations }),
	counter("memory_arbitrations", func(c *compare.Counts) uint64 { return c.MemoryArbitrations }),
	counter("no_arbitrations", func(c *compare.Counts) uint64 { return c.NoArbitrations }),
	{"seconds", 0, func(p *Panel) float64 { return p.Seconds }, func(v float64) string { return fmt.Sprintf("%.3g", v) }},
}

// Figures returns the names of the figures; the first is the default.
func Figures() (names []string) {
	for i := range figures {
		names = append(names, figures[i].name)
	}
	return names
}

// UnknownError reports a figure or a parameter that there is not.
type UnknownError struct {
	What, Name string
	Known      []string
}

// Error lists the known names.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown %s %q: want one of %s", e.What, e.Name, strings.Join(e.Known, ", "))
}

// parameters returns the value of each parameter that every cell has.
var parameters = map[string]func(c *study.Cell) string{
	"subject":   func(c *study.Cell) string { return c.Subject },
	"kind":      func(c *study.Cell) string { return string(c.Kind) },
	"file":      func(c *study.Cell) string { return c.File },
	"arguments": func(c *study.Cell) string { return study.Quote(c.Arguments) },
	"build":     func(c *study.Cell) string { return c.Build },
	"part":      func(c *study.Cell) string { return c.Launches },
	"policy":    func(c *study.Cell) string { return cmp.Or(c.Knobs["policy"], "default") }, // of the tool, or of the bundle
}

// parameter returns what reads a parameter of cells: one of parameters, a knob or an environment
// variable that a cell of the study has.
func parameter(s *study.Study, name string) (func(c *study.Cell) string, error) {
	if of, ok := parameters[name]; ok {
		return of, nil
	}
	known := map[string]bool{}
	for name := range parameters {
		known[name] = true
	}
	for i := range s.Len() {
		c := s.Cell(i)
		for k := range c.Knobs {
			known[k] = true
		}
		for k := range c.Environment {
			known[k] = true
		}
		if _, ok := c.Knobs[name]; ok {
			return func(c *study.Cell) string { return c.Knobs[name] }, nil
		}
		if _, ok := c.Environment[name]; ok {
			return func(c *study.Cell) string { return c.Environment[name] }, nil
		}
	}
	e := &UnknownError{What: "parameter", Name: name}
	for k := range known {
		e.Known = append(e.Known, k)
	}
	slices.Sort(e.Known)
	return nil, e
}
