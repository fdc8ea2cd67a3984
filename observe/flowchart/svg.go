package flowchart

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"jacquard/simt/cfg"
)

const border = 24.0 // around the picture and between functions

// WriteSVG draws the kernels, one below the other, each with its subroutines beside it.
// The picture has colours of its own for dark screens.
func WriteSVG(w io.Writer, kernels []Kernel) error {
	var p picture
	y := border + p.legend()
	width := 0.0
	for i := range kernels {
		x, bottom := border, y
		for _, c := range charts(&kernels[i]) {
			w, h := p.chart(&c, x, y)
			x += w + 2*border
			bottom = max(bottom, y+h)
		}
		width, y = max(width, x), bottom+2*border
	}
	width = max(width-border, 900)
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" xml:space="preserve">`+"\n", width, y, width, y)
	b.WriteString(styles())
	fmt.Fprintf(b, `<rect class="ground" width="%.0f" height="%.0f"/>`+"\n", width, y)
	b.WriteString(p.String())
	b.WriteString("</svg>\n")
	return b.Flush()
}

// styles returns the style sheet.
func styles() string {
	var light, dark strings.Builder
	rule := func(selector, property, l, d string) {
		fmt.Fprintf(&light, "%s{%s:%s}\n", selector, property, l)
		fmt.Fprintf(&dark, "%s{%s:%s}\n", selector, property, d)
	}
	rule(".ground", "fill", "#ffffff", "#14181d")
	rule(".box", "fill", "#f6f8fa", "#1e242c")
	rule(".box", "stroke", "#8792a0", "#5b6673")
	rule("text", "fill", "#1c2128", "#dfe5ec")
	rule(".note", "fill", "#57606a", "#9aa7b8")
	rule(".bad", "fill", looks[cfg.Unresolved].light, looks[cfg.Unresolved].dark)
	rule(".forks", "fill", looks[cfg.Taken].light, looks[cfg.Taken].dark)
	for i, l := range looks {
		rule(fmt.Sprintf(".e%d", i), "stroke", l.light, l.dark)
		rule(fmt.Sprintf(".h%d", i), "fill", l.light, l.dark)
	}
	for i, t := range tints {
		rule(fmt.Sprintf(".t%d", i), "fill", t.light, t.dark)
		rule(fmt.Sprintf(".f%d", i), "stroke", t.light, t.dark)
	}
	return fmt.Sprintf("<style>\ntext{font:%gpx monospace;white-space:pre}\n.title{font:bold 16px sans-serif}\n.note,.bad,.key{font:12px sans-serif}\n.head{font-weight:bold}\n"+
		".line{fill:none;stroke-width:1.5}\n.back{stroke-width:3}\n%s@media (prefers-color-scheme:dark){\n%s}\n</style>\n", fontSize, &light, &dark)
}

// picture is the inside of the svg element.
type picture struct {
	strings.Builder
	inline bool // for a page: classes are named for their meaning
}

func (p *picture) printf(format string, args ...any) { fmt.Fprintf(&p.Builder, format, args...) }

func (p *picture) text(x, y float64, class, s string) {
	p.printf(`<text x="%.1f" y="%.1f" class="%s">`, x, y, class)
	_ = xml.EscapeText(&p.Builder, []byte(s)) // a strings.Builder never fails
	p.printf("</text>\n")
}

// legend explains the lines and returns its height.
func (p *picture) legend() float64 {
	x, y := border, border+6
	for k := range looks {
		kind := cfg.EdgeKind(k)
		if kind == cfg.Stop {
			continue // drawn as unresolved
		}
		p.curve(fmt.Sprintf("M%.1f %.1fh28", x, y), kind, false)
		p.text(x+34, y+4, "key", kind.String())
		x += 48 + 7*float64(len(kind.String()))
	}
	p.curve(fmt.Sprintf("M%.1f %.1fh28", x, y), cfg.Taken, true)
	p.text(x+34, y+4, "key", "next round of a loop")
	return 30
}

// curve draws a line of a kind along a path.
func (p *picture) curve(path string, kind cfg.EdgeKind, back bool) {
	class := fmt.Sprintf("line e%d", kind)
	if p.inline {
		class = "line " + kindClass(kind)
	}
	if back {
		class += " back"
	}
	dash := ""
	if d := looks[kind].dash; d != "" {
		dash = fmt.Sprintf(` stroke-dasharray="%s"`, d)
	}
	p.printf(`<path class="%s"%s d="%s"/>`+"\n", class, dash, path)
}

// chart draws a function with its upper left corner at x, y, and returns its size.
func (p *picture) chart(c *chart, x, y float64) (w, h float64) {
	p.text(x, y+14, "title", c.title)
	top := y + 34
	for _, n := range c.notes {
		p.text(x, top, "note", n)
		w, top = max(w, 6.5*float64(len(n))), top+16
	}
	for _, n := range c.bad {
		p.text(x, top, "bad", n)
		w, top = max(w, 6.5*float64(len(n))), top+16
	}
	width, bottom := p.body(c, x, top)
	return max(w, width), bottom - y
}

// body draws the boxes and lines of a function from x, top on, and returns its width and its end.
func (p *picture) body(c *chart, x, top float64) (w, bottom float64) {
	s := newLayers(c)
	w = s.place()
	d := drawing{picture: p, layers: s, x: x, tops: make([]float64, len(s.rows)+1), bottoms: make([]float64, len(s.rows))}
	at := top + gapDown/2
	for r, row := range s.rows {
		d.tops[r], d.bottoms[r] = at, at
		for _, n := range row {
			d.bottoms[r] = max(d.bottoms[r], at+s.nodes[n].h)
		}
		at = d.bottoms[r] + gapDown
	}
	d.lines()
	for i := range c.boxes {
		d.box(i)
	}
	return w, at
}

// drawing draws one function.
type drawing struct {
	*picture
	*layers
	x             float64
	tops, bottoms []float64 // of the rows
}

func (d *drawing) box(i int) {
	b, n := &d.c.boxes[i], &d.nodes[i]
	x, y := d.x+n.x-n.w/2, d.tops[n.row]
	if b.card != nil {
		d.card(b, n, x, y)
		return
	}
	if b.end {
		d.printf(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f"/>`+"\n", d.endClass(), x, y, n.w, n.h, n.h/2)
		d.text(x+1.5*margin, y+n.h/2+4, "head", b.text[0])
		return
	}
	d.printf(`<rect class="box" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="3"/>`+"\n", x, y, n.w, n.h)
	if b.round != cfg.None {
		d.printf(`<rect class="t%d" x="%.1f" y="%.1f" width="5" height="%.1f"/>`+"\n", b.round%len(tints), x, y, n.h)
		if b.first {
			d.printf(`<rect class="t%d" x="%.1f" y="%.1f" width="%.1f" height="5"/>`+"\n", b.round%len(tints), x, y, n.w)
		}
	}
	y += margin + fontSize
	d.text(x+1.5*margin, y, "head", b.head)
	for k, t := range b.text {
		class := "code"
		if b.forks && k == len(b.text)-1 {
			class = "head forks"
		}
		d.text(x+1.5*margin, y+float64(k+1)*lineHeight, class, t)
	}
}

// endClass is the class of the ends of ways.
func (p *picture) endClass() string {
	if p.inline {
		return "end"
	}
	return "box"
}

// lines draws all lines. The lines of one box leave and arrive beside each other, in the order of
// their other ends.
func (d *drawing) lines() {
	leave, arrive := make([][]int, len(d.c.boxes)), make([][]int, len(d.c.boxes))
	for i, l := range d.c.lines {
		leave[l.from] = append(leave[l.from], i)
		arrive[l.to] = append(arrive[l.to], i)
	}
	start, end := make([]float64, len(d.c.lines)), make([]float64, len(d.c.lines))
	for b := range d.c.boxes {
		d.spread(b, leave[b], start, d.after)
		d.spread(b, arrive[b], end, d.before)
	}
	for i := range d.c.lines {
		d.line(i, start[i], end[i])
	}
}

// after is the node after the first end of line i; before is the node before its other end.
func (d *drawing) after(i int) int {
	if len(d.chains[i]) > 0 {
		return d.chains[i][0]
	}
	return d.c.lines[i].to
}

func (d *drawing) before(i int) int {
	if n := len(d.chains[i]); n > 0 {
		return d.chains[i][n-1]
	}
	return d.c.lines[i].from
}

// spread gives lines at one side of box b their places.
func (d *drawing) spread(b int, lines []int, at []float64, far func(int) int) {
	slices.SortStableFunc(lines, func(i, j int) int { return cmp.Compare(d.nodes[far(i)].x, d.nodes[far(j)].x) })
	n := &d.nodes[b]
	step := min(n.w/float64(len(lines)+1), 40)
	for k, i := range lines {
		at[i] = d.x + n.x + step*(float64(k)-float64(len(lines)-1)/2)
	}
}

// line draws line i from x coordinate start to end, through the nodes of its chain.
func (d *drawing) line(i int, start, end float64) {
	l := &d.c.lines[i]
	from, to := &d.nodes[l.from], &d.nodes[l.to]
	y := d.tops[from.row] + from.h
	var path strings.Builder
	fmt.Fprintf(&path, "M%.1f %.1fV%.1f", start, y, d.bottoms[from.row])
	x, y := start, d.bottoms[from.row]
	curve := func(nx, ny, bend float64) {
		fmt.Fprintf(&path, "C%.1f %.1f %.1f %.1f %.1f %.1f", x, y+bend, nx, ny-bend, nx, ny)
		x, y = nx, ny
	}
	turn := func(nx, bend float64) {
		fmt.Fprintf(&path, "C%.1f %.1f %.1f %.1f %.1f %.1f", x, y+bend, nx, y+bend, nx, y)
		x = nx
	}
	vertical := func(ny float64) {
		fmt.Fprintf(&path, "V%.1f", ny)
		y = ny
	}
	target := d.tops[to.row]
	for k, n := range d.chains[i] {
		nx, row := d.x+d.nodes[n].x, d.nodes[n].row
		switch {
		case l.back && k == 0:
			turn(nx, gapDown/2)
			vertical(d.tops[row])
		case l.back:
			curve(nx, d.bottoms[row], -gapDown/2)
			vertical(d.tops[row])
		default:
			curve(nx, d.tops[row], gapDown/2)
			vertical(d.bottoms[row])
		}
	}
	if l.back {
		turn(end, -gapDown/2)
	} else {
		curve(end, target, gapDown/2)
	}
	d.curve(path.String(), l.kind, l.back)
	tip := fmt.Sprintf("h%d", l.kind)
	if d.inline {
		tip = "tip " + kindClass(l.kind)
	}
	d.printf(`<path class="%s" d="M%.1f %.1fl-4.5 -9h9z"/>`+"\n", tip, end, target)
	if l.label != "" {
		d.text(start+6, d.bottoms[from.row]+12, "note", l.label)
	}
}
