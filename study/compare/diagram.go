package compare

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math/bits"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"jacquard/simt/lane"
)

// Panel is the steps of a warp under a policy, as one column of a diagram.
type Panel struct {
	Kernel, Policy string
	Steps          *Steps
}

// Sizes of a diagram.
const (
	cellWidth  = vg.Length(6)
	cellHeight = vg.Length(9)
	panelGap   = vg.Length(24)
	margin     = vg.Length(10)
	headHeight = vg.Length(26)
	keyHeight  = vg.Length(30)
	monoSize   = vg.Length(7)
	headSize   = vg.Length(9)
	titleSize  = vg.Length(11)
)

// WriteDiagram draws warps step by step in one of Formats, a column for each panel: the pc, a cell per
// lane, and the instruction. There must be a panel.
func WriteDiagram(out io.Writer, format, title string, panels []Panel) error {
	if len(panels) == 0 {
		return errors.New("no kernel ran: there is nothing to draw")
	}
	most, width := 0, margin
	mono := monospace(monoSize)
	for i := range panels {
		most = max(most, len(panels[i].Steps.List)+1)
		width += panels[i].width(&mono) + panelGap
	}
	width = max(width, 4*vg.Inch)
	top := margin
	if title != "" {
		top += titleHeight
	}
	height := top + headHeight + cellHeight*vg.Length(most) + keyHeight
	canvas, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return err
	}
	c := draw.New(canvas)
	c.FillPolygon(color.White, []vg.Point{{}, {Y: height}, {X: width, Y: height}, {X: width}})
	head := monospace(headSize)
	head.YAlign = text.YTop
	if title != "" {
		large := monospace(titleSize)
		large.XAlign, large.YAlign = text.XCenter, text.YTop
		c.FillText(large, vg.Point{X: width / 2, Y: height - margin/2}, title)
	}
	left := margin
	for i := range panels {
		p := &panels[i]
		c.FillText(head, vg.Point{X: left, Y: height - top}, fmt.Sprintf("%s under %s", p.Kernel, p.Policy))
		p.draw(&c, &mono, vg.Point{X: left, Y: height - top - headHeight})
		left += p.width(&mono) + panelGap
	}
	drawKey(&c, mono)
	_, err = canvas.WriteTo(out)
	return err
}

// monospace returns the style of texts. A diagram has one typeface: in a PDF of two, gonum takes
// one's widths for the other.
func monospace(size vg.Length) draw.TextStyle {
	style := plot.New().Legend.TextStyle
	style.Font = font.From(font.Font{Typeface: "Liberation", Variant: "Mono"}, size)
	style.YAlign = text.YBottom
	return style
}

// pcWidth is the width of a row before the lanes.
func pcWidth(mono *draw.TextStyle) vg.Length { return mono.Width("0000  ") }

func (p *Panel) lanes() int { return bits.Len32(uint32(p.Steps.Lanes)) }

// more says how many steps are left out; "" for none.
func (p *Panel) more() string {
	switch s := p.Steps; {
	case len(s.List) == 0:
		return "issues nothing"
	case s.More > 0:
		return fmt.Sprintf("and %d more", s.More)
	}
	return ""
}

func (p *Panel) width(mono *draw.TextStyle) vg.Length {
	wide := mono.Width(p.more())
	for i := range p.Steps.List {
		wide = max(wide, mono.Width(p.Steps.List[i].Text))
	}
	head := monospace(headSize)
	own := pcWidth(mono) + cellWidth*vg.Length(p.lanes()+1) + wide
	return max(own, head.Width(fmt.Sprintf("%s under %s", p.Kernel, p.Policy)))
}

// draw draws the steps down from at, the upper left corner.
func (p *Panel) draw(c *draw.Canvas, mono *draw.TextStyle, at vg.Point) {
	left := at.X + pcWidth(mono)
	right := left + cellWidth*vg.Length(p.lanes()+1)
	for i := range p.Steps.List {
		step := &p.Steps.List[i]
		at.Y -= cellHeight
		c.FillText(*mono, vg.Point{X: at.X, Y: at.Y + 1}, fmt.Sprintf("%04x", step.PC))
		c.FillText(*mono, vg.Point{X: right, Y: at.Y + 1}, step.Text)
		for l := range p.lanes() {
			lower := vg.Point{X: left + cellWidth*vg.Length(l), Y: at.Y}
			drawCell(c, lower, step.cell(l))
		}
	}
	c.FillText(*mono, vg.Point{X: right, Y: at.Y - cellHeight + 1}, p.more())
}

// cell is the state of a lane in a step.
type cell int

const (
	cellWaits cell = iota
	cellRuns
	cellOff    // its guard is false
	cellVetoed // the join marker sends it elsewhere
)

// cellNames explain the cells below a diagram.
var cellNames = [...]string{"waits or has ended", "runs", "its guard is false", "is sent elsewhere by the join marker"}

// cell returns what lane l does.
func (s *Step) cell(l int) cell {
	switch bit := lane.Mask(1) << l; {
	case s.Active&bit == 0:
		return cellWaits
	case s.Vetoed:
		return cellVetoed
	case s.Executed&bit == 0:
		return cellOff
	}
	return cellRuns
}

// drawCell draws a cell by its lower left corner. The kinds differ in grey print, too.
func drawCell(c *draw.Canvas, at vg.Point, what cell) {
	box := vg.Rectangle{Min: at.Add(vg.Point{X: 0.6, Y: 0.8}), Max: at.Add(vg.Point{X: cellWidth - 0.6, Y: cellHeight - 0.8})}
	a, b := box.Min, box.Max
	edge := []vg.Point{a, {X: a.X, Y: b.Y}, b, {X: b.X, Y: a.Y}, a}
	const blue, orange = 0, 3 // of colours
	switch what {
	case cellWaits:
		middle := a.Add(b).Scale(0.5)
		const dot = 0.5
		c.FillPolygon(color.Gray{170}, []vg.Point{
			{X: middle.X - dot, Y: middle.Y - dot}, {X: middle.X - dot, Y: middle.Y + dot},
			{X: middle.X + dot, Y: middle.Y + dot}, {X: middle.X + dot, Y: middle.Y - dot},
		})
	case cellRuns:
		c.FillPolygon(colours[blue], edge[:4])
	case cellOff:
		c.StrokeLines(draw.LineStyle{Color: colours[blue], Width: 0.7}, edge)
	case cellVetoed:
		c.StrokeLines(draw.LineStyle{Color: colours[orange], Width: 0.9}, edge, []vg.Point{a, b}, []vg.Point{{X: a.X, Y: b.Y}, {X: b.X, Y: a.Y}})
	}
}

// drawKey explains the cells in the lower left corner.
func drawKey(c *draw.Canvas, style draw.TextStyle) {
	x := margin
	for _, what := range []cell{cellRuns, cellOff, cellVetoed, cellWaits} {
		drawCell(c, vg.Point{X: x, Y: margin}, what)
		c.FillText(style, vg.Point{X: x + cellWidth + 3, Y: margin + 1}, cellNames[what])
		x += cellWidth + 3 + style.Width(cellNames[what]) + 10
	}
}
