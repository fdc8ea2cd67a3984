package report

import (
	"fmt"
	"html/template"
	"strings"
	"unicode/utf8"

	"jacquard/asm"
	"jacquard/observe/stats"
	"jacquard/simt/cfg"
	"jacquard/simt/source"
	"jacquard/tesla"
)

// line is an instruction in the disassembly.
type line struct {
	ID, PC, Text string
	// Before and After are Text around Link, if the instruction names an address in the kernel.
	Before, After string
	Link, Target  string
	Called, First bool // a subroutine or a basic block begins here
	Reached       bool // a branch leads here
	Index         int
	Source        string // that begins here: "file:line", and the text of the line if it is known
	Issues        uint64
	Threads       uint64
	Lanes         float64
	Cost          uint64 // of memory
	Accesses      uint64
	Heat          [3]int // levels by issues, lanes and memory, -1 for none
	Exactness     string
	More          string // for the panel: lines "name: value"
	// Histogram is for the panel: one "lanes:issues" per occurring number of active lanes.
	Histogram string
}

// lines lists the instructions of k; g is its flow graph, or nil.
func (k *Kernel) lines(g *cfg.Graph, text func(source.Line) string) []*line {
	marks := asm.Targets(k.Code)
	first := map[uint32]bool{}
	if g != nil {
		for _, f := range g.Functions {
			for i := range f.Blocks {
				first[f.Blocks[i].Start] = true
			}
		}
	}
	most := k.most()
	lines := make([]*line, len(k.Code))
	for i := range lines {
		in, s := &k.Code[i], &k.Sum.ByInstruction[i]
		pc := k.PCs[i]
		cost, accesses := k.cost(i)
		l := &line{
			ID: k.anchor(pc), PC: fmt.Sprintf("%04x", pc), Text: in.String(), Index: i,
			Called: marks[pc]&asm.ByCall != 0, Reached: marks[pc]&asm.ByBranch != 0, First: first[pc] && pc != 0,
			Issues: s.Issues, Threads: s.Threads, Lanes: k.lanes(i), Cost: cost, Accesses: accesses,
			Exactness: in.Certainty().Exactness.String(), Heat: k.heat(i, most), More: k.more(i), Histogram: spread(s.Active),
		}
		l.link(k, in)
		if from := k.Source.At(i); i == 0 || from != k.Source.At(i-1) {
			l.Source = sourceText(from, text)
		}
		lines[i] = l
	}
	return lines
}

// sourceText describes a line of source; text returns its content, and may be nil.
func sourceText(l source.Line, text func(source.Line) string) string {
	at := l.String()
	if at == "" || text == nil {
		return at
	}
	if s := text(l); s != "" {
		at += "  " + s
	}
	return at
}

// Levels returns the attributes that select colours in the style sheet.
func (l *line) Levels() template.HTMLAttr {
	var s strings.Builder
	for i, name := range [...]string{"data-i", "data-l", "data-m"} {
		if l.Heat[i] >= 0 {
			fmt.Fprintf(&s, "%s=\"%d\" ", name, l.Heat[i])
		}
	}
	return template.HTMLAttr(s.String())
}

// anchor returns the ID of an instruction in the page.
func (k *Kernel) anchor(pc uint32) string { return fmt.Sprintf("k%d-%04x", k.Rank, pc) }

// most returns the most issues, and the highest memory cost, of any instruction.
func (k *Kernel) most() (most [3]float64) {
	most[1] = 32
	for i := range k.Sum.ByInstruction {
		most[0] = max(most[0], float64(k.Sum.ByInstruction[i].Issues))
		cost, _ := k.cost(i)
		most[2] = max(most[2], float64(cost))
	}
	return most
}

// heat returns the levels of instruction i.
func (k *Kernel) heat(i int, most [3]float64) [3]int {
	cost, _ := k.cost(i)
	return [3]int{level(float64(k.Sum.ByInstruction[i].Issues), most[0]), level(k.lanes(i), most[1]), level(float64(cost), most[2])}
}

// link finds a branch's target address in its text.
func (l *line) link(k *Kernel, in *tesla.Instruction) {
	address := fmt.Sprintf("0x%x", in.Target)
	at := strings.LastIndex(l.Text, address)
	if at < 0 || !in.Op.HasTarget() || !k.has(in.Target) {
		return
	}
	l.Before, l.Link, l.After = l.Text[:at], address, l.Text[at+len(address):]
	l.Target = k.anchor(in.Target)
}

// has reports whether an instruction begins at pc.
func (k *Kernel) has(pc uint32) bool {
	for _, p := range k.PCs {
		if p == pc {
			return true
		}
	}
	return false
}

// more returns the counters that have no column in the listing.
func (k *Kernel) more(i int) string {
	in, s := &k.Code[i], &k.Sum.ByInstruction[i]
	var b strings.Builder
	words := fmt.Sprintf("%08x", in.Raw[0])
	if in.Size == 8 {
		words += fmt.Sprintf(" %08x", in.Raw[1])
	}
	fmt.Fprintf(&b, "Words: %s", words)
	if why := in.Certainty().Why; why != "" {
		fmt.Fprintf(&b, "\nEvidence: %s", why)
	}
	if from := k.Source.At(i).String(); from != "" {
		fmt.Fprintf(&b, "\nSource: %s", from)
	}
	for _, c := range stats.InstructionColumns() {
		if n := *c.Of(s); n != 0 && !inListing[c.Name] {
			fmt.Fprintf(&b, "\n%s: %s", title(c.Name), count(n))
		}
	}
	return b.String()
}

// spread writes a histogram of active lanes for the script.
func spread(active [33]uint64) string {
	var s []string
	for lanes, n := range active {
		if n > 0 {
			s = append(s, fmt.Sprintf("%d:%d", lanes, n))
		}
	}
	return strings.Join(s, " ")
}

// inListing are the counters with a column in the listing.
var inListing = map[string]bool{"issues": true, "threads": true}

// title makes a heading of a counter's name.
func title(name string) string {
	for prefix, rule := range map[string]string{"g80_": "G80", "gt200_": "GT200"} {
		if bytes, ok := strings.CutPrefix(name, prefix); ok {
			return rule + " transactions of " + bytes + " bytes"
		}
	}
	if name == "off" {
		return "Kept off by a guard, in lanes"
	}
	s := strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(s[:1]) + s[1:]
}

// columns returns the widths of the listing's columns in CSS, fitted to their text. The instruction
// takes the remaining width.
func columns(lines []*line) template.CSS {
	const instruction = 3
	heads := [...]string{"", "0000", "→", "", "Issues", "< 0.1 %", "Lanes", "Threads", "Memory", "", "•"}
	var longest [len(heads)]int
	for i, h := range heads {
		longest[i] = utf8.RuneCountInString(h)
	}
	widen := func(column int, text string) { longest[column] = max(longest[column], utf8.RuneCountInString(text)) }
	for _, l := range lines {
		widen(1, l.PC)
		widen(4, count(l.Issues))
		widen(7, count(l.Threads))
		widen(8, count(l.Cost))
		widen(9, times(l.Cost, l.Accesses))
	}
	var s strings.Builder
	s.WriteString("--columns:")
	for i, n := range longest {
		if i == instruction {
			s.WriteString(" minmax(9rem,1fr)")
			continue
		}
		fmt.Fprintf(&s, " calc(%dch + .85rem)", n)
	}
	return template.CSS(s.String())
}

// ramp lists the levels, for the legend.
func ramp() []int {
	all := make([]int, levels)
	for i := range all {
		all[i] = i
	}
	return all
}

// styleOf writes part of whole as a width in a style attribute.
func styleOf(part, whole uint64) template.CSS { return template.CSS("width:" + width(part, whole)) }
