package report

import (
	"encoding/xml"
	"fmt"
	"html/template"
	"strings"

	"jacquard/internal/plain"
	"jacquard/observe/flowchart"
	"jacquard/simt/cfg"
)

// mostBlocks bounds the basic blocks of a picture that can still be read.
const mostBlocks = 600

// picture is the flow graph of a function.
type picture struct {
	Title string // "" for the kernel itself
	SVG   template.HTML
}

// pictures draws the functions of k. If it draws none, why is the reason.
func (k *Kernel) pictures(g *cfg.Graph) (all []picture, why string) {
	if g == nil {
		return nil, "There is no code."
	}
	blocks := 0
	for _, f := range g.Functions {
		blocks += len(f.Blocks)
	}
	if blocks > mostBlocks {
		return nil, fmt.Sprintf("The graph has %s blocks: too many for a picture that helps. jacquard info --cfg draws it.", count(uint64(blocks)))
	}
	most := k.most()
	for i, f := range g.Functions {
		name := "Control flow of " + plain.Text(k.Name)
		var title string
		if i > 0 {
			title = fmt.Sprintf("subroutine 0x%x", f.Entry)
			name = "Control flow of " + title
		}
		var b strings.Builder
		show := flowchart.Inline{
			Label: name,
			Card:  func(n int) flowchart.Card { return k.card(f, n, most) },
			Way:   func(n int, e cfg.Edge) string { return k.way(&f.Blocks[n], e) },
		}
		if err := flowchart.WriteInline(&b, &flowchart.Kernel{Name: k.Name, Graph: g}, i, show); err != nil {
			panic("report: " + err.Error()) // a strings.Builder never fails
		}
		all = append(all, picture{title, template.HTML(b.String())}) // flowchart escapes all text
	}
	return all, ""
}

// card describes block n of f: its place, how often it was entered, and by how many lanes.
func (k *Kernel) card(f *cfg.Function, n int, most [3]float64) flowchart.Card {
	b := &f.Blocks[n]
	s := &k.Sum.ByInstruction[b.First]
	heat := k.blockHeat(b, most)
	head := fmt.Sprintf("%04x–%04x", b.Start, b.Tail)
	if l := f.Inner[n]; l != cfg.None && f.Loops[l].Header == n {
		head += fmt.Sprintf(" · loop %d", f.Loops[l].Depth)
	}
	body := fmt.Sprintf("%s × %d instr", count(s.Issues), b.Last-b.First)
	lines := []string{head, body}
	class := "block"
	if s.Issues == 0 {
		lines[1] = "never reached"
		class = "block none"
	} else {
		lines = append(lines, fmt.Sprintf("%.1f lanes", k.lanes(b.First)))
	}
	attribute := func(name, value string) xml.Attr { return xml.Attr{Name: xml.Name{Local: name}, Value: value} }
	attributes := []xml.Attr{
		attribute("class", class), attribute("tabindex", "0"), attribute("role", "button"),
		attribute("data-row", k.anchor(b.Start)), attribute("data-first", fmt.Sprint(b.First)), attribute("data-last", fmt.Sprint(b.Last)),
	}
	for i, name := range [...]string{"data-i", "data-l", "data-m"} {
		if heat[i] >= 0 {
			attributes = append(attributes, attribute(name, fmt.Sprint(heat[i])))
		}
	}
	return flowchart.Card{Lines: lines, Attributes: attributes}
}

// way returns the share of the lanes at the end of block b that went along e; "" if they had no
// choice.
func (k *Kernel) way(b *cfg.Block, e cfg.Edge) string {
	s := &k.Sum.ByInstruction[b.Last-1]
	o := &s.Branch
	if len(b.Succ) < 2 || o.Taken+o.NotTaken+o.Divergent == 0 || o.Threads > s.Threads {
		return ""
	}
	switch e.Kind {
	case cfg.Taken, cfg.Break, cfg.Return:
		return brief(o.Threads, s.Threads)
	case cfg.FallThrough:
		return brief(s.Threads-o.Threads, s.Threads)
	}
	return ""
}

// brief writes part of whole in little room: "< 1%", "73%".
func brief(part, whole uint64) string {
	switch p := 100 * ratio(part, whole); {
	case part > 0 && p < 1:
		return "< 1%"
	case part < whole && p > 99:
		return "> 99%"
	default:
		return fmt.Sprintf("%.0f%%", p)
	}
}

// blockHeat returns the levels of the block: for issues and memory the maximum over its
// instructions, for lanes the level of its first instruction.
func (k *Kernel) blockHeat(b *cfg.Block, most [3]float64) [3]int {
	heat := k.heat(b.First, most)
	for i := b.First + 1; i < b.Last; i++ {
		h := k.heat(i, most)
		heat[0], heat[2] = max(heat[0], h[0]), max(heat[2], h[2])
	}
	return heat
}
