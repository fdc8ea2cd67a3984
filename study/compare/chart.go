package compare

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	_ "gonum.org/v1/plot/vg/vgimg" // PNG
	_ "gonum.org/v1/plot/vg/vgpdf"
	_ "gonum.org/v1/plot/vg/vgsvg"
)

// Sizes of the chart.
const (
	barWidth    = vg.Length(7)   // at least
	valueWidth  = vg.Length(24)  // of a bar with its value above it
	leastWidth  = vg.Length(200) // of a strip, if that leaves bars narrower than their values
	groupGap    = vg.Length(10)  // between the bars of two kernels
	stripBars   = 128            // in one strip, unless a kernel has more
	stripHeight = vg.Length(190)
	stripEdge   = vg.Length(60) // room for the axes beside the bars
	titleHeight = vg.Length(24)
	fullWarp    = 32
)

// Chart draws rows as bars, one group per kernel and one bar per policy, as figure 5 of C. Collange,
// "Stack-less SIMT reconvergence at low cost" (2011). A cross is in the place of a policy that
// refused a kernel or failed. Many kernels take several strips.
type Chart struct {
	Metric string // one of Metrics; "" is lanes
	Title  string // "" for none
}

// metric is a figure of a row. Some are relative to base, the kernel's row of the first policy.
type metric struct {
	name, label string
	relative    bool
	most        float64 // 0 for as much as there is
	of          func(r, base *Row) float64
}

var metrics = []metric{
	{"lanes", "mean of active lanes per issue", false, fullWarp, func(r, _ *Row) float64 { return r.AverageLanes() }},
	{"efficiency", "executed of 32 lanes, %", false, 100, func(r, _ *Row) float64 {
		return 100 * float64(r.ThreadInstructions) / float64(max(r.WarpInstructions, 1)) / fullWarp
	}},
	{"issues", "issues", true, 0, func(r, base *Row) float64 {
		return float64(r.WarpInstructions) / float64(max(base.WarpInstructions, 1))
	}},
	{"transactions", "transactions of device memory", true, 0, func(r, base *Row) float64 {
		return float64(r.Transactions) / float64(max(base.Transactions, 1))
	}},
}

// Metrics lists the figures that a chart may show.
func Metrics() []string {
	var names []string
	for _, m := range metrics {
		names = append(names, m.name)
	}
	return names
}

// Formats lists the formats of charts.
func Formats() []string { return []string{"svg", "pdf", "png"} }

// group is the bars of a kernel, by policy; nil for a policy that did not run it.
type group []*float64

// Write draws rows in one of Formats. There must be a row.
func (c *Chart) Write(out io.Writer, format string, rows []Row) error {
	m := metrics[0]
	if i := slices.IndexFunc(metrics, func(m metric) bool { return m.name == c.Metric }); i >= 0 {
		m = metrics[i]
	} else if c.Metric != "" {
		return fmt.Errorf("unknown metric %q", c.Metric)
	}
	if len(rows) == 0 {
		return errors.New("no kernel ran: there is nothing to draw")
	}
	kernels, policies, groups := m.groups(rows)
	if m.relative {
		m.label += ", relative to " + policies[0]
	}
	strip := min(len(kernels), max(1, stripBars/len(policies)))
	highest, crosses := m.most, false
	for _, g := range groups {
		for _, v := range g {
			crosses = crosses || v == nil
			if v != nil {
				highest = max(highest, *v)
			}
		}
	}

	legend := plot.NewLegend()
	legend.Top, legend.Left = true, true
	legend.ThumbnailWidth, legend.Padding = 2*barWidth, vg.Length(2)
	wide := vg.Length(0)
	for i, policy := range policies {
		legend.Add(policy, swatch(i))
		wide = max(wide, legend.TextStyle.Width(policy))
	}
	if crosses {
		legend.Add("not run", swatch(-1))
		wide = max(wide, legend.TextStyle.Width("not run"))
	}
	var plots []*plot.Plot
	lowest := vg.Length(0) // room for the names of kernels
	room := leastWidth - groupGap*vg.Length(strip)
	bar := min(max(barWidth, room/vg.Length(strip*len(policies))), valueWidth)
	for part := range slices.Chunk(kernels, strip) {
		p := axes(part, strip, m.label, highest)
		p.Add(&bars{groups[:len(part)], bar})
		groups = groups[len(part):]
		plots = append(plots, p)
		for _, kernel := range part {
			lowest = max(lowest, p.X.Tick.Label.Height(kernel))
		}
	}

	left := stripEdge + lowest + (bar*vg.Length(len(policies))+groupGap)*vg.Length(strip)
	each := stripHeight + lowest
	top := vg.Length(0)
	if c.Title != "" {
		top = titleHeight
	}
	lines := vg.Length(len(policies)+2) * legend.TextStyle.Font.Size * 1.5
	width, height := left+4*groupGap+wide, top+max(each*vg.Length(len(plots)), lines)
	canvas, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return err
	}
	all := draw.New(canvas)
	all.FillPolygon(color.White, []vg.Point{{}, {Y: height}, {X: width, Y: height}, {X: width}})
	if c.Title != "" {
		style := plots[0].Title.TextStyle
		style.XAlign, style.YAlign = text.XCenter, text.YTop
		all.FillText(style, vg.Point{X: width / 2, Y: height - titleHeight/4}, c.Title)
	}
	for i, p := range plots {
		upper := height - top - each*vg.Length(i)
		p.Draw(draw.Crop(all, 0, left-width, upper-each, upper-height))
	}
	legend.Draw(draw.Crop(all, left+groupGap, 0, 0, -top-groupGap))
	_, err = canvas.WriteTo(out)
	return err
}

// groups returns the kernels and policies in their order, and the bars of each kernel.
func (m *metric) groups(rows []Row) (kernels, policies []string, groups []group) {
	for i := range rows {
		if !slices.Contains(policies, rows[i].Policy) {
			policies = append(policies, rows[i].Policy)
		}
	}
	base := map[string]*Row{}
	for i := range rows {
		r := &rows[i]
		k := slices.Index(kernels, r.Kernel)
		if k < 0 {
			k = len(kernels)
			kernels, groups = append(kernels, r.Kernel), append(groups, make(group, len(policies)))
		}
		ran := r.Outcome == Same || r.Outcome == Differs
		if r.Policy == policies[0] && ran {
			base[r.Kernel] = r
		}
		if ran && (base[r.Kernel] != nil || !m.relative) {
			v := m.of(r, base[r.Kernel])
			groups[k][slices.Index(policies, r.Policy)] = &v
		}
	}
	return kernels, policies, groups
}

// axes returns a plot of the kernels with room for a whole strip.
func axes(kernels []string, strip int, label string, highest float64) *plot.Plot {
	p := plot.New()
	p.Y.Label.Text = label
	p.Y.Min, p.Y.Max = 0, highest
	if highest == fullWarp {
		var ticks []plot.Tick
		for v := 0; v <= fullWarp; v += fullWarp / 4 {
			ticks = append(ticks, plot.Tick{Value: float64(v), Label: fmt.Sprint(v)})
		}
		p.Y.Tick.Marker = plot.ConstantTicks(ticks)
	}
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	p.Add(grid)
	p.NominalX(kernels...)
	p.X.Min, p.X.Max = -0.5, float64(strip)-0.5
	p.X.Padding = 0
	p.X.Tick.Label.Rotation = math.Pi / 4
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = text.XRight, text.YTop
	return p
}

// bars draws the groups of a strip.
type bars struct {
	groups []group
	width  vg.Length // of a bar
}

// Plot draws the bars, with their values if there is room, and crosses where there is none.
func (b *bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for k, g := range b.groups {
		left := x(float64(k)) - b.width*vg.Length(len(g))/2
		for i, v := range g {
			box := vg.Rectangle{Min: vg.Point{X: left + b.width*vg.Length(i), Y: y(0)}}
			box.Max = vg.Point{X: box.Min.X + b.width, Y: box.Min.Y + barWidth}
			if v == nil {
				middle := (box.Min.X + box.Max.X - barWidth) / 2
				cross(&c, vg.Rectangle{Min: vg.Point{X: middle, Y: box.Min.Y}, Max: vg.Point{X: middle + barWidth, Y: box.Max.Y}})
				continue
			}
			box.Max.Y = y(*v)
			fill(&c, box, i)
			if b.width == valueWidth {
				style := p.X.Tick.Label
				style.Rotation, style.XAlign, style.YAlign = 0, text.XCenter, text.YBottom
				c.FillText(style, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: box.Max.Y + 1}, fmt.Sprintf("%.3g", *v))
			}
		}
	}
}

// swatch is a policy in the legend by its number, -1 for the cross.
type swatch int

// Thumbnail draws the fill of the policy's bars.
func (s swatch) Thumbnail(c *draw.Canvas) {
	if s < 0 {
		middle := c.Center()
		half := vg.Point{X: barWidth / 2, Y: barWidth / 2}
		cross(c, vg.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)})
		return
	}
	fill(c, c.Rectangle, int(s))
}

// The colours of M. Okabe and K. Ito, "Color universal design" (2008), without the yellow, which is
// too pale for white paper.
var colours = []color.Color{
	color.NRGBA{0, 114, 178, 255}, color.NRGBA{230, 159, 0, 255}, color.NRGBA{0, 158, 115, 255},
	color.NRGBA{213, 94, 0, 255}, color.NRGBA{86, 180, 233, 255}, color.NRGBA{204, 121, 167, 255},
	color.NRGBA{100, 100, 100, 255},
}

// hatches are the directions of white lines over a colour, so that grey prints differ, too. The first
// has none.
var hatches = [][]vg.Point{{}, {{X: 1, Y: 1}}, {{X: 1, Y: -1}}, {{X: 1}}, {{Y: 1}}, {{X: 1, Y: 1}, {X: 1, Y: -1}}, {{X: 1}, {Y: 1}}}

// fill draws a box in the colour and hatch of policy i. Both repeat only after as many policies as
// there are pairs.
func fill(c *draw.Canvas, box vg.Rectangle, i int) {
	a, b := box.Min, box.Max
	c.FillPolygon(colours[i%len(colours)], []vg.Point{a, {X: a.X, Y: b.Y}, b, {X: b.X, Y: a.Y}})
	const apart = 3.2
	style := draw.LineStyle{Color: color.White, Width: 0.7}
	width, height := b.X-a.X, b.Y-a.Y
	inside := draw.Canvas{Canvas: c.Canvas, Rectangle: box}
	for _, d := range hatches[(i+i/len(colours))%len(hatches)] {
		long := width + height
		for at := apart / 2 * vg.Length(1); at < long; at += apart {
			from := vg.Point{X: a.X, Y: a.Y + at} // along the left edge, going down to the right
			switch {
			case d.X != 0 && d.Y > 0:
				from.Y = b.Y - at
			case d.Y == 0 && at > height, d.X == 0 && at > width:
				continue
			case d.X == 0:
				from = vg.Point{X: a.X + at, Y: a.Y}
			}
			to := from.Add(d.Scale(long))
			c.StrokeLines(style, inside.ClipLinesXY([]vg.Point{from, to})...)
		}
	}
}

// cross marks a place in which there is no bar.
func cross(c *draw.Canvas, box vg.Rectangle) {
	style := draw.LineStyle{Color: color.Black, Width: 0.8}
	c.StrokeLine2(style, box.Min.X+1, box.Min.Y+1, box.Max.X-1, box.Max.Y-1)
	c.StrokeLine2(style, box.Min.X+1, box.Max.Y-1, box.Max.X-1, box.Min.Y+1)
}
