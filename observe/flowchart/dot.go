package flowchart

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"jacquard/simt/cfg"
)

// WriteDOT writes the kernels as one graph in the language of Graphviz, with one cluster per
// function, in the colours for light ground.
func WriteDOT(w io.Writer, kernels []Kernel) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "digraph kernels {\n"+
		"\tgraph [bgcolor=white, fontname=\"sans-serif\", labeljust=l]\n"+
		"\tnode [shape=box, style=filled, fillcolor=white, fontname=monospace, fontsize=10]\n"+
		"\tedge [fontname=\"sans-serif\", fontsize=10]\n")
	n := 0
	for i := range kernels {
		for _, c := range charts(&kernels[i]) {
			c.dot(b, n)
			n++
		}
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}

// dot writes chart c as cluster n.
func (c *chart) dot(b *bufio.Writer, n int) {
	label := append(append([]string{c.title}, c.notes...), c.bad...)
	fmt.Fprintf(b, "\tsubgraph cluster_%d {\n\t\tlabel=%s\n", n, quote(label))
	for i, x := range c.boxes {
		if x.end {
			fmt.Fprintf(b, "\t\tn%d_%d [label=%s, style=rounded]\n", n, i, quoteLine(x.text[0]))
			continue
		}
		fmt.Fprintf(b, "\t\tn%d_%d [label=%s", n, i, quote(append([]string{x.head}, x.text...)))
		if x.round != cfg.None {
			fmt.Fprintf(b, ", color=\"%s\", penwidth=%d", tints[x.round%len(tints)].light, 1+width(x.first))
		}
		fmt.Fprintln(b, "]")
	}
	for _, l := range c.lines {
		fmt.Fprintf(b, "\t\tn%d_%d -> n%d_%d [color=\"%s\", penwidth=%d", n, l.from, n, l.to, looks[l.kind].light, 1+width(l.back))
		if looks[l.kind].dash != "" {
			fmt.Fprint(b, ", style=dashed")
		}
		label := l.label
		if label == "" {
			label = l.kind.String()
		}
		fmt.Fprintf(b, ", label=%s]\n", quoteLine(label))
	}
	fmt.Fprintln(b, "\t}")
}

func width(bold bool) int {
	if bold {
		return 1
	}
	return 0
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// quote returns a label whose lines start at the left.
func quote(lines []string) string {
	var s strings.Builder
	s.WriteByte('"')
	for _, l := range lines {
		s.WriteString(escapes.Replace(l))
		s.WriteString(`\l`)
	}
	s.WriteByte('"')
	return s.String()
}

func quoteLine(s string) string { return `"` + escapes.Replace(s) + `"` }
