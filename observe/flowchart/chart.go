package flowchart

import (
	"fmt"

	"jacquard/simt/cfg"
	"jacquard/tesla"
)

// Kernel is a kernel to draw.
type Kernel struct {
	Name  string
	Graph *cfg.Graph
}

// chart is the picture of one function before it is laid out.
type chart struct {
	title string
	notes []string // about the function as a whole
	bad   []string // its problems
	boxes []box
	lines []line
	order []int  // all boxes; every line leads forward, or back to a loop's header
	loops []loop // outer before inner
}

// box is a basic block, or an end of the function.
type box struct {
	end   bool // text[0] names the end
	head  string
	text  []string // one line per instruction
	forks bool     // lanes can diverge at the end
	round int      // the innermost loop around it, or cfg.None
	first bool     // it is the header of that loop
	card  *Card    // shown instead, or nil
}

// loop is a part of order: the boxes of a loop, and of the ways from there that leave the function.
type loop struct{ first, last int }

// line is a way from one box to another.
type line struct {
	from, to int
	kind     cfg.EdgeKind
	back     bool   // to the header of a loop that from is in
	label    string // written beside it; may be empty
}

// charts returns one chart per function, the kernel's first.
func charts(k *Kernel) []chart {
	var out []chart
	for i, f := range k.Graph.Functions {
		c := chart{title: k.Name}
		if i > 0 {
			c.title = fmt.Sprintf("subroutine 0x%x", f.Entry)
		}
		c.describe(f)
		for _, p := range k.Graph.Problems {
			if f.Block(p.PC) != cfg.None {
				c.bad = append(c.bad, p.String())
			}
		}
		c.draw(k.Graph, f)
		out = append(out, c)
	}
	return out
}

// describe writes the notes.
func (c *chart) describe(f *cfg.Function) {
	deepest := 0
	for _, l := range f.Loops {
		deepest = max(deepest, l.Depth)
	}
	note := plural(len(f.Blocks), "block")
	if deepest > 0 {
		note += ", " + plural(len(f.Loops), "loop")
	}
	if deepest > 1 {
		note += fmt.Sprintf(", nested %d deep", deepest)
	}
	if !f.Reducible() {
		note += ", not reducible"
	}
	c.notes = append(c.notes, note)
	if _, err := f.Structure(); err != nil {
		c.notes = append(c.notes, err.Error())
	} else {
		c.notes = append(c.notes, "structured: ifs and loops only")
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// draw makes the boxes and lines.
func (c *chart) draw(g *cfg.Graph, f *cfg.Function) {
	for i := range f.Blocks {
		n := &f.Blocks[i]
		b := box{head: fmt.Sprintf("0x%x", n.Start), round: f.Inner[i], forks: forks(n)}
		b.first = b.round != cfg.None && f.Loops[b.round].Header == i
		if b.first {
			b.head += fmt.Sprintf(" · loop, depth %d", f.Loops[b.round].Depth)
		}
		if b.forks {
			b.head += " · " + meeting(f, i)
		}
		for k := n.First; k < n.Last; k++ {
			b.text = append(b.text, fmt.Sprintf("%04x  %s", g.PC[k], g.Code[k]))
		}
		c.boxes = append(c.boxes, b)
	}
	for _, i := range f.Order {
		c.order = append(c.order, i)
		for _, e := range f.Blocks[i].Succ {
			l := line{from: i, to: e.To, kind: e.Kind, back: e.To >= 0 && f.Position[e.To] <= f.Position[i]}
			last := &g.Code[f.Blocks[i].Last-1]
			if e.Kind == cfg.Over && last.Op == tesla.OpCall {
				l.label = fmt.Sprintf("call 0x%x", last.Target)
			}
			if e.To == cfg.Exit {
				l.to = len(c.boxes)
				c.order = append(c.order, l.to)
				c.boxes = append(c.boxes, box{end: true, text: []string{e.Kind.String()}, round: cfg.None})
			}
			c.lines = append(c.lines, l)
		}
	}
	place := make([]int, len(c.boxes))
	for i, b := range c.order {
		place[b] = i
	}
	for _, l := range f.Loops {
		body := f.Order[l.First:l.Last]
		last := place[body[len(body)-1]] + 1
		for last < len(c.order) && c.boxes[c.order[last]].end {
			last++
		}
		c.loops = append(c.loops, loop{place[body[0]], last})
	}
}

// forks reports whether b has two ways out.
func forks(b *cfg.Block) bool {
	for _, e := range b.Succ {
		if e.To != b.Succ[0].To {
			return true
		}
	}
	return false
}

// meeting says where lanes that diverge at the end of block b are all together again.
func meeting(f *cfg.Function, b int) string {
	switch d := f.IPostDom[b]; d {
	case cfg.Exit:
		return "parts, meets at the end"
	case cfg.None:
		return "parts for good"
	default:
		return fmt.Sprintf("parts, meets at 0x%x", f.Blocks[d].Start)
	}
}

// looks is how an edge of each kind is drawn: on light ground, on dark ground, and the
// pattern of the line.
var looks = [...]struct{ light, dark, dash string }{
	cfg.FallThrough: {"#5f6b7a", "#9aa7b8", ""},
	cfg.Taken:       {"#1f6fd1", "#6cb2ff", ""},
	cfg.Break:       {"#c2570c", "#ffa657", "7 3"},
	cfg.Return:      {"#8250c4", "#c9a2ff", "7 3"},
	cfg.Over:        {"#2a7d46", "#6bd18c", "2 3"},
	cfg.Finish:      {"#5f6b7a", "#9aa7b8", ""},
	cfg.Stop:        {"#c62f3b", "#ff7b86", ""},
	cfg.Unresolved:  {"#c62f3b", "#ff7b86", "2 3"},
}

// tints colour the loops, one after the other.
var tints = [...]struct{ light, dark string }{
	{"#e0a800", "#f2c94c"}, {"#0f9d8a", "#4fd6c2"}, {"#d1458f", "#ff8cc6"}, {"#6a9a1f", "#a9d65c"}, {"#7a6ff0", "#a9a1ff"},
}
