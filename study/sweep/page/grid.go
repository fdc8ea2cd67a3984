package page

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"jacquard/observe/report"
	"jacquard/study"
	"jacquard/study/compare"
	"jacquard/study/sweep"
)

// Options choose the content of a page.
type Options struct {
	Rows    string // a parameter; "" is subject
	Columns string // a parameter; "" is policy
	Figure  string // one of Figures; "" is the first
}

// Grid has the results of a study as small multiples: a panel for each pair of values.
type Grid struct {
	Study         *study.Study
	Rows, Columns string
	Figure        string
	Lines         []*Line
	Heads         []string // values of the columns
	More          int      // cells of values that are not shown
	Counts        map[sweep.Status]int
	Bad           []*sweep.Result // failed, differ or late; the first mostBad
	BadCount      int
	Missing       int // cells without a result
	figure        *figure
}

// Line is a row of panels.
type Line struct {
	Head   string
	Panels []*Panel // by column; nil for none
}

// Panel sums up the cells with one pair of values.
type Panel struct {
	Cells   int
	Bad     int
	Refused int
	Counts  compare.Counts // of cells that passed or differ
	Seconds float64

	grid *Grid
	most float64 // end of the scale
}

// Limits of a page, so that a browser can show it.
const (
	mostRows    = 1000
	mostColumns = 60
	mostBad     = 1000
)

// New reads the results of a study from a folder. The error is an *UnknownError for a parameter or a
// figure that there is not.
func New(s *study.Study, f *sweep.Folder, o Options) (*Grid, error) {
	g := &Grid{Study: s, Rows: cmp.Or(o.Rows, "subject"), Columns: cmp.Or(o.Columns, "policy"), Figure: cmp.Or(o.Figure, figures[0].name), Counts: map[sweep.Status]int{}}
	i := slices.IndexFunc(figures, func(x figure) bool { return x.name == g.Figure })
	if i < 0 {
		return nil, &UnknownError{"figure", g.Figure, Figures()}
	}
	g.figure = &figures[i]
	row, err := parameter(s, g.Rows)
	if err != nil {
		return nil, err
	}
	column, err := parameter(s, g.Columns)
	if err != nil {
		return nil, err
	}
	rows, columns := map[string]int{}, map[string]int{}
	g.Missing = s.Len()
	err = f.Each(s, func(r *sweep.Result) error {
		g.Missing--
		g.note(r)
		at, ok := g.place(rows, row(r.Cell), mostRows)
		on, ok2 := g.place(columns, column(r.Cell), mostColumns)
		if !ok || !ok2 {
			g.More++
			return nil
		}
		if at == len(g.Lines) {
			g.Lines = append(g.Lines, &Line{Head: row(r.Cell)})
		}
		if on == len(g.Heads) {
			g.Heads = append(g.Heads, column(r.Cell))
		}
		g.Lines[at].panel(g, on).add(r)
		return nil
	})
	g.scale()
	return g, err
}

// place returns the number of a value, if it is among the first most.
func (g *Grid) place(numbers map[string]int, value string, most int) (int, bool) {
	n, ok := numbers[value]
	if !ok && len(numbers) < most {
		n, ok = len(numbers), true
		numbers[value] = n
	}
	return n, ok
}

// note counts a result.
func (g *Grid) note(r *sweep.Result) {
	g.Counts[r.Status]++
	if r.Status.Good() {
		return
	}
	if g.BadCount++; g.BadCount <= mostBad {
		g.Bad = append(g.Bad, r)
	}
}

// panel returns the panel of a column.
func (l *Line) panel(g *Grid, column int) *Panel {
	for len(l.Panels) <= column {
		l.Panels = append(l.Panels, nil)
	}
	if l.Panels[column] == nil {
		l.Panels[column] = &Panel{grid: g}
	}
	return l.Panels[column]
}

// add adds a cell.
func (p *Panel) add(r *sweep.Result) {
	p.Cells++
	switch r.Status {
	case sweep.Refused:
		p.Refused++
		return
	case sweep.Failed, sweep.Late:
		p.Bad++
		return
	case sweep.Differs:
		p.Bad++
	}
	sum := r.Counts()
	p.Counts.Merge(&sum)
	p.Seconds += r.Seconds
}

// scale gives every panel the end of its scale.
func (g *Grid) scale() {
	for _, l := range g.Lines {
		for len(l.Panels) < len(g.Heads) {
			l.Panels = append(l.Panels, nil)
		}
		most := g.figure.most
		for _, p := range l.Panels {
			if p != nil && g.figure.most == 0 {
				most = max(most, g.figure.of(p))
			}
		}
		for _, p := range l.Panels {
			if p != nil {
				p.most = most
			}
		}
	}
}

// ran reports whether the panel has counters.
func (p *Panel) ran() bool { return p.Counts.Launches > 0 }

// Text returns the figure.
func (p *Panel) Text() string {
	switch {
	case p.ran():
		return p.grid.figure.text(p.grid.figure.of(p))
	case p.Bad > 0:
		return "failed"
	}
	return "refused"
}

// Heat returns the style of the panel.
func (p *Panel) Heat() template.CSS {
	if !p.ran() {
		return ""
	}
	n := report.Heat(p.grid.figure.of(p), p.most)
	if n < 0 {
		return ""
	}
	return template.CSS(fmt.Sprintf("background:var(--r%d);color:var(--k%[1]d)", n))
}

// Title describes the panel.
func (p *Panel) Title() string {
	parts := []string{fmt.Sprintf("%d cells", p.Cells)}
	if p.Cells == 1 {
		parts[0] = "1 cell"
	}
	if p.Bad > 0 {
		parts = append(parts, fmt.Sprintf("%d failed or differ", p.Bad))
	}
	if p.Refused > 0 {
		parts = append(parts, fmt.Sprintf("%d refused", p.Refused))
	}
	if p.ran() {
		parts = append(parts, report.Count(p.Counts.WarpInstructions)+" issues")
	}
	return strings.Join(parts, ", ")
}

// Histogram draws issues by active lanes. Its text is made of numbers.
func (p *Panel) Histogram() template.HTML {
	var most uint64
	for _, n := range p.Counts.ActiveLanes {
		most = max(most, n)
	}
	if most == 0 {
		return ""
	}
	const height = 16
	var s strings.Builder
	fmt.Fprintf(&s, `<svg class="lanes" viewBox="0 0 %d %d" aria-hidden="true"><path d="`, 2*len(p.Counts.ActiveLanes), height)
	for lanes, n := range p.Counts.ActiveLanes {
		if n > 0 {
			h := max(math.Round(10*height*float64(n)/float64(most))/10, 0.6)
			fmt.Fprintf(&s, "M%d %dv-%gh1.6v%gz", 2*lanes, height, h, h)
		}
	}
	s.WriteString(`"/></svg>`)
	return template.HTML(s.String())
}
