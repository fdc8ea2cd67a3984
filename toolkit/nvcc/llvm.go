package nvcc

import (
	"regexp"
	"slices"
	"strings"

	"jacquard/internal/flowgraph"
)

// function is a function in LLVM's text.
type function struct {
	head   string // "define ... {"
	name   string
	blocks []*block
	at     map[string]int // blocks by name
}

// block is a basic block.
type block struct {
	name  string
	lines []string // without the label
	// end is the line where the terminator begins: the last line, unless it is a switch.
	end int
}

var (
	defined    = regexp.MustCompile(`^define .*?@([-\w.$]+|"[^"]*")\(`)
	blockLabel = regexp.MustCompile(`^([-\w.$]+|"[^"]*"):`)
	terminator = regexp.MustCompile(`^  (br|switch|ret|unreachable|indirectbr)\b`)
	follows    = regexp.MustCompile(`label %([-\w.$]+|"[^"]*")`)
)

// parseFunction reads the lines of a function, from "define" to before the closing brace. It returns
// nil for a form that clang does not write.
func parseFunction(lines []string) *function {
	found := defined.FindStringSubmatch(lines[0])
	if found == nil {
		return nil
	}
	f := &function{head: lines[0], name: found[1]}
	for _, line := range lines[1:] {
		if m := blockLabel.FindStringSubmatch(line); m != nil {
			f.blocks = append(f.blocks, &block{name: m[1], end: -1})
			continue
		}
		if len(f.blocks) == 0 {
			return nil
		}
		b := f.blocks[len(f.blocks)-1]
		if b.end < 0 && terminator.MatchString(line) {
			b.end = len(b.lines)
		}
		b.lines = append(b.lines, line)
	}
	for _, b := range f.blocks {
		if b.end < 0 {
			return nil
		}
	}
	return f
}

// print writes a function without its closing brace.
func (f *function) print(out *strings.Builder) {
	out.WriteString(f.head + "\n")
	for _, b := range f.blocks {
		out.WriteString(b.name + ":\n")
		for _, line := range b.lines {
			out.WriteString(line + "\n")
		}
	}
}

// locals returns the variables of a function.
func (f *function) locals() map[string]bool {
	names := map[string]bool{}
	for _, b := range f.blocks {
		for _, line := range b.lines {
			if m := local.FindStringSubmatch(line); m != nil {
				names[m[1]] = true
			}
		}
	}
	return names
}

// targets returns the names of the blocks that follow.
func (b *block) targets() (names []string) {
	for _, line := range b.lines[b.end:] {
		for _, m := range follows.FindAllStringSubmatch(line, -1) {
			if !slices.Contains(names, m[1]) {
				names = append(names, m[1])
			}
		}
	}
	return names
}

// redirect leads the ways to one block to another.
func (b *block) redirect(from, to string) {
	for i, line := range b.lines[b.end:] {
		b.lines[b.end+i] = follows.ReplaceAllStringFunc(line, func(way string) string {
			if way == "label %"+from {
				return "label %" + to
			}
			return way
		})
	}
}

// phis reports whether a block chooses between values by where control comes from.
func (b *block) phis() bool { return len(b.lines) > 0 && strings.Contains(b.lines[0], " = phi ") }

// ending returns the line that ends a block.
func (b *block) ending() string { return b.lines[b.end] }

// prepend puts lines in front of the others.
func (b *block) prepend(lines []string) {
	b.lines, b.end = slices.Concat(lines, b.lines), b.end+len(lines)
}

// newBlock returns a block.
func newBlock(name string, lines ...string) *block {
	return &block{name: name, lines: lines, end: slices.IndexFunc(lines, terminator.MatchString)}
}

// flow is the flow graph of a function.
type flow struct {
	succ, pred [][]int
	tree       *flowgraph.Tree[int]
}

func (f *function) flow() *flow {
	g := &flow{succ: make([][]int, len(f.blocks))}
	f.at = map[string]int{}
	for i, b := range f.blocks {
		f.at[b.name] = i
	}
	for i, b := range f.blocks {
		for _, name := range b.targets() {
			g.succ[i] = append(g.succ[i], f.at[name])
		}
	}
	g.pred = flowgraph.Predecessors(g.succ)
	g.tree = flowgraph.Dominators(0, g.succ, g.pred)
	return g
}

// loop returns the blocks of the natural loop that begins with a block, nil for none.
func (g *flow) loop(head int) map[int]bool {
	var work []int
	for _, p := range g.pred[head] {
		if g.tree.Dominates(head, p) {
			work = append(work, p)
		}
	}
	if len(work) == 0 {
		return nil
	}
	body := map[int]bool{head: true}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !body[b] {
			body[b] = true
			work = append(work, g.pred[b]...)
		}
	}
	return body
}
