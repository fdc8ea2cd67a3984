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
	"gonum.org/v1/plot/vg/vgsvg"
)

// Sizes of the chart.
const (
	barWidth    = vg.Length(7)
	groupGap    = vg.Length(10) // between the bars of two kernels
	stripBars   = 128           // in one strip, unless a kernel has more
	stripHeight = vg.Length(240)
	stripEdge   = vg.Length(60) // what the axes take beside the bars
	legendWidth = vg.Length(150)
	fullWarp    = 32
)

// WriteSVG draws the mean of active lanes as bars, one group per kernel and one bar per policy, as
// figure 5 of C. Collange, "Stack-less SIMT reconvergence at low cost" (2011). A policy that did
// not run a kernel has no bar. Many kernels take several strips.
func WriteSVG(out io.Writer, rows []Row) error {
	var kernels, policies []string
	lanes := map[[2]string]float64{}
	for i := range rows {
		r := &rows[i]
		if !slices.Contains(kernels, r.Kernel) {
			kernels = append(kernels, r.Kernel)
		}
		if !slices.Contains(policies, r.Policy) {
			policies = append(policies, r.Policy)
		}
		lanes[[2]string{r.Kernel, r.Policy}] = r.AverageLanes()
	}
	if len(rows) == 0 {
		return errors.New("no kernel ran: there is nothing to draw")
	}
	strip := min(len(kernels), max(1, stripBars/len(policies)))
	legend := plot.NewLegend()
	legend.Top, legend.Left = true, true
	legend.ThumbnailWidth, legend.Padding = barWidth, vg.Length(2)
	var plots []*plot.Plot
	for part := range slices.Chunk(kernels, strip) {
		p := axes(part, strip)
		for i, policy := range policies {
			values := make(plotter.Values, len(part))
			for k, kernel := range part {
				values[k] = lanes[[2]string{kernel, policy}]
			}
			bars, err := plotter.NewBarChart(values, barWidth)
			if err != nil {
				return err
			}
			bars.Color, bars.LineStyle.Width = hue(i, len(policies)), 0
			bars.Offset = barWidth * (vg.Length(i) - vg.Length(len(policies)-1)/2)
			p.Add(bars)
			if plots == nil {
				legend.Add(policy, bars)
			}
		}
		plots = append(plots, p)
	}
	left := stripEdge + (barWidth*vg.Length(len(policies))+groupGap)*vg.Length(strip)
	width := left + legendWidth
	height := max(stripHeight*vg.Length(len(plots)), vg.Length(len(policies)+2)*legend.TextStyle.Font.Size*1.5)
	canvas := vgsvg.New(width, height)
	all := draw.New(canvas)
	all.FillPolygon(color.White, []vg.Point{{}, {Y: height}, {X: width, Y: height}, {X: width}})
	for i, p := range plots {
		top := height - stripHeight*vg.Length(i)
		p.Draw(draw.Crop(all, 0, -legendWidth, top-stripHeight, top-height))
	}
	legend.Draw(draw.Crop(all, left+groupGap, 0, 0, -groupGap))
	_, err := canvas.WriteTo(out)
	return err
}

// axes returns a plot of the kernels with room for a whole strip.
func axes(kernels []string, strip int) *plot.Plot {
	p := plot.New()
	p.Y.Label.Text = "average active lanes"
	p.Y.Min, p.Y.Max = 0, fullWarp
	var ticks []plot.Tick
	for v := 0; v <= fullWarp; v += fullWarp / 4 {
		ticks = append(ticks, plot.Tick{Value: float64(v), Label: fmt.Sprint(v)})
	}
	p.Y.Tick.Marker = plot.ConstantTicks(ticks)
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

// hue returns colour i of n: once around the colour wheel, every second one darker.
func hue(i, n int) color.Color {
	const dark, bright = 0.6, 0.9
	value := bright
	if i%2 == 1 {
		value = dark
	}
	at := 6 * float64(i) / float64(n)
	channel := func(shift float64) uint8 {
		k := math.Mod(shift+at, 6)
		return uint8(255 * value * (1 - 0.75*max(0, min(k, 4-k, 1))))
	}
	return color.NRGBA{channel(5), channel(3), channel(1), 255}
}
