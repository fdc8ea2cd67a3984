package player

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strings"

	"jacquard/internal/plain"
	"jacquard/observe/flowchart"
	"jacquard/observe/trace"
	"jacquard/simt/cfg"
	"jacquard/tesla"
)

// head is the data of a run that the page's script gets besides steps.
type head struct {
	Policy string   `json:"policy"`
	Title  string   `json:"title"`
	Grid   [2]int   `json:"grid"`
	Code   []line   `json:"code"`
	Flow   string   `json:"flow,omitempty"`   // pictures of the flow graph
	NoFlow string   `json:"noFlow,omitempty"` // why there are none
	Names  []string `json:"names"`            // of values, that steps name by number
	Steps  int      `json:"steps"`
	Chunks int      `json:"chunks"`
	More   bool     `json:"more"` // steps were left out
}

// line is an instruction.
type line struct {
	PC      string   `json:"pc"`
	Text    string   `json:"text"`
	Source  string   `json:"source,omitempty"` // the place of its source, if it is known
	Reads   []string `json:"reads,omitempty"`  // registers
	Guard   string   `json:"guard,omitempty"`
	Decides bool     `json:"decides,omitempty"` // every active lane executes it
}

// newHead describes the code of a launch.
func newHead(l *trace.Launch) *head {
	k := l.Kernel
	h := &head{Policy: cmp.Or(l.Policy, "nvidia"), Grid: l.Grid, Code: []line{}, Names: []string{}}
	h.Title = plain.Sprintf("%s (%s), grid %dx%d, block %dx%dx%d", k.Name, k.Arch, l.Grid[0], l.Grid[1], l.Block[0], l.Block[1], l.Block[2])
	for i := range k.Code {
		in := &k.Code[i]
		from := k.Source.At(i)
		h.Code = append(h.Code, line{
			PC: fmt.Sprintf("%04x", k.PCs[i]), Text: in.String(), Source: from.String(),
			Reads: reads(in), Guard: guard(in), Decides: k.Decides[i],
		})
	}
	h.Flow, h.NoFlow = pictures(k)
	return h
}

// guard returns the guard of an instruction, "" if it has none that lanes can differ in.
func guard(in *tesla.Instruction) string {
	if in.Guard.Cond == tesla.CondNever {
		return ""
	}
	return in.Guard.String()
}

// reads returns the registers that an instruction reads, without its guard's.
func reads(in *tesla.Instruction) (list []string) {
	bare := *in
	bare.Guard = tesla.Guard{}
	uses := bare.Uses()
	name := func(kind trace.SlotKind, n int) {
		list = append(list, trace.Slot{Kind: kind, Number: n}.Name())
	}
	for n := range uses.General() {
		name(trace.Register, n)
	}
	for n := range uses.Addresses() {
		name(trace.AddressRegister, n)
	}
	for n := range uses.Conditions() {
		name(trace.Condition, n)
	}
	return list
}

// mostBlocks bounds the basic blocks of a picture that can still be read.
const mostBlocks = 600

// pictures draws the flow graph of each function of a kernel; why says why it draws none.
func pictures(k *trace.Kernel) (svg, why string) {
	g, err := cfg.New(k.Code)
	if err != nil {
		return "", "The code has no flow graph."
	}
	blocks := 0
	for _, f := range g.Functions {
		blocks += len(f.Blocks)
	}
	if blocks > mostBlocks {
		return "", fmt.Sprintf("The flow graph has %d blocks: too many for a picture that helps.", blocks)
	}
	var b strings.Builder
	for i, f := range g.Functions {
		show := flowchart.Inline{
			Label: fmt.Sprintf("Control flow of function %d", i),
			Card:  func(n int) flowchart.Card { return card(&f.Blocks[n]) },
			Way:   func(int, cfg.Edge) string { return "" },
		}
		if err := flowchart.WriteInline(&b, &flowchart.Kernel{Name: k.Name, Graph: g}, i, show); err != nil {
			panic("player: " + err.Error()) // a strings.Builder never fails
		}
	}
	return b.String(), ""
}

// card describes a block: its place, and a line, of the most room that it takes, in which the script
// says how many lanes are there.
func card(b *cfg.Block) flowchart.Card {
	place := fmt.Sprintf("%04x–%04x", b.Start, b.Tail)
	attribute := func(name, value string) xml.Attr { return xml.Attr{Name: xml.Name{Local: name}, Value: value} }
	return flowchart.Card{Lines: []string{place, "32 run, 32 wait"}, Attributes: []xml.Attr{
		attribute("class", "block"), attribute("tabindex", "0"), attribute("role", "button"),
		attribute("data-first", fmt.Sprint(b.First)), attribute("data-last", fmt.Sprint(b.Last)),
	}}
}
