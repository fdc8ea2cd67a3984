package asm

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"jacquard/cubin"
	"jacquard/tesla"
)

// Mark is a set of ways in which code reaches an address.
type Mark uint8

// The ways.
const (
	ByBranch Mark = 1 << iota // a branch, break, return or join leads there; shown as B
	ByCall                    // it is a subroutine; shown as C, after a blank line
)

// Targets returns the ways in which ins reach addresses.
func Targets(ins []tesla.Instruction) map[uint32]Mark {
	marks := map[uint32]Mark{}
	for i := range ins {
		switch in := &ins[i]; {
		case in.Op == tesla.OpCall:
			marks[in.Target] |= ByCall
		case in.Op.HasTarget():
			marks[in.Target] |= ByBranch
		}
	}
	return marks
}

// Writer prints modules as text for Read.
type Writer struct {
	Syntax Syntax
	Labels bool // print names instead of addresses: a text for editing
	// Source returns the comment about a line of source, which precedes the code of the line; nil
	// if there are no such comments.
	Source func(cubin.Line) string
}

// Write prints a module: its head, and all kernels, decoded for architecture a.
func (w *Writer) Write(to io.Writer, a tesla.Arch, img *cubin.Image) error {
	if err := w.Head(to, a, img); err != nil {
		return err
	}
	for i := range img.Kernels {
		if i > 0 {
			fmt.Fprintln(to)
		}
		if err := w.Kernel(to, a, &img.Kernels[i]); err != nil {
			return err
		}
	}
	return nil
}

// Kernel prints a kernel: its resources and its code.
func (w *Writer) Kernel(to io.Writer, a tesla.Arch, k *cubin.Kernel) error {
	b := bufio.NewWriter(to)
	lines, sizes := w.Syntax.lines(a, k.Code, w.Labels)
	kernelHead(b, k, sizes)
	source := &comments{b, k.Lines, w.Source}
	switch {
	case w.Labels:
		writeLabelled(b, lines, source)
	case w.Syntax.Name == SASS.Name:
		writeSASS(b, a, k.Name, lines, source)
	default:
		writeListing(b, lines, source)
	}
	return b.Flush()
}

// writeListing prints one line per instruction: byte address, word or words, marks and text.
func writeListing(b *bufio.Writer, lines []line, source *comments) {
	ins := make([]tesla.Instruction, len(lines))
	for i := range lines {
		ins[i] = lines[i].in
	}
	marks := Targets(ins)
	var pc uint32
	for i := range lines {
		l := &lines[i]
		words := fmt.Sprintf("%08x", l.in.Raw[0])
		if l.in.Size == 8 {
			words += fmt.Sprintf(" %08x", l.in.Raw[1])
		}
		call, branch := ' ', ' '
		if marks[pc]&ByCall != 0 {
			call = 'C'
			fmt.Fprintln(b)
		}
		if marks[pc]&ByBranch != 0 {
			branch = 'B'
		}
		source.before(pc)
		fmt.Fprintf(b, "%08x: %-17s  %c%c %s\n", pc, words, call, branch, l)
		pc += uint32(l.in.Size)
	}
}

// writeSASS prints a heading, then the byte address, the words and the text of each instruction.
func writeSASS(b *bufio.Writer, a tesla.Arch, name string, lines []line, source *comments) {
	fmt.Fprintf(b, "\tcode for %s\n\t\tFunction : %s\n", a, word(name))
	pc := 0
	for i := range lines {
		l := &lines[i]
		words := fmt.Sprintf("0x%08x", l.in.Raw[0])
		if l.in.Size == 8 {
			words += fmt.Sprintf("%08x", l.in.Raw[1])
		}
		source.before(uint32(pc))
		fmt.Fprintf(b, "\t/*%04x*/     /*%-18s*/ \t%s;\n", pc, words, l)
		pc += int(l.in.Size)
	}
	fmt.Fprintln(b, "\t\t..............................")
}

// writeLabelled prints instructions without addresses; targets get labels.
func writeLabelled(b *bufio.Writer, lines []line, source *comments) {
	starts, pc := map[uint32]bool{}, uint32(0)
	for i := range lines {
		starts[pc] = true
		pc += uint32(lines[i].in.Size)
	}
	ins := make([]tesla.Instruction, len(lines))
	for i := range lines {
		ins[i] = lines[i].in
	}
	marks := Targets(ins)
	pc = 0
	for i := range lines {
		l := &lines[i]
		if marks[pc] != 0 {
			fmt.Fprintf(b, "%s:\n", labelOf(pc))
		}
		source.before(pc)
		pc += uint32(l.in.Size)
		if t := l.in.Target; l.raw == nil && l.in.Op.HasTarget() && starts[t] {
			l.text = strings.TrimSuffix(l.text, fmt.Sprintf("0x%x", t)) + labelOf(t)
		}
		fmt.Fprintf(b, "\t%s\n", l)
	}
}

// comments writes what code is made of.
type comments struct {
	b      *bufio.Writer
	lines  []cubin.Line // those ahead
	source func(cubin.Line) string
}

// before writes the comment on the instruction at pc, if another line of source begins there.
func (c *comments) before(pc uint32) {
	n := 0
	for n < len(c.lines) && c.lines[n].Offset <= pc {
		n++
	}
	if n > 0 && c.source != nil {
		fmt.Fprintf(c.b, "// %s\n", c.source(c.lines[n-1]))
	}
	c.lines = c.lines[n:]
}

func labelOf(pc uint32) string { return fmt.Sprintf("L%04x", pc) }
