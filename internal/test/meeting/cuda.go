package meeting

import (
	_ "embed"
	"fmt"
	"strings"
)

// Prelude is the text before the kernels of a file in CUDA C. PLAIN is defined where clang compiles
// it without the headers of a toolkit.
//
//go:embed prelude.h
var Prelude string

// CUDA returns the program in CUDA C, with a name for its kernel. A file begins with [Prelude].
func (p *Program) CUDA(name string) string {
	w := &cuda{p: p, name: name}
	for i := range p.Funcs {
		fmt.Fprintf(&w.b, "%s;\n", w.head(i))
	}
	for i := len(p.Funcs) - 1; i >= 0; i-- {
		w.function = true
		fmt.Fprintf(&w.b, "%s {\n", w.head(i))
		w.declare(p.Funcs[i].Body, "a", "b", "TID", "n")
		w.block(p.Funcs[i].Body, place{})
		fmt.Fprintf(&w.b, "\treturn %s;\n}\n", w.value(p.Funcs[i].Result))
	}
	w.function = false
	fmt.Fprintf(&w.b, "extern \"C\" __global__ void %s(const unsigned *in, unsigned *out, unsigned n) {\n", name)
	if uses(p, Exchange) {
		fmt.Fprintf(&w.b, "\t__shared__ unsigned sh[%d];\n", p.Threads)
	}
	if uses(p, Exchange) { // threads that end early are read, too
		w.b.WriteString("\tsh[TID] = 0;\n\t__syncthreads();\n")
	}
	w.declare(p.Body, "TID", fmt.Sprintf("in[TID & %d]", Words-1), "7", "n")
	w.block(p.Body, place{})
	for i := range vars {
		fmt.Fprintf(&w.b, "\tout[%d] = v%d;\n", finalSlot+i, i)
	}
	w.b.WriteString("}\n")
	return w.b.String()
}

func uses(p *Program, k Kind) (found bool) {
	each(p.Body, func(s *Stmt) { found = found || s.Kind == k })
	for _, f := range p.Funcs {
		each(f.Body, func(s *Stmt) { found = found || s.Kind == k })
	}
	return found
}

// cuda writes CUDA C.
type cuda struct {
	p        *Program
	name     string
	b        strings.Builder
	function bool
	depth    int
}

// place is the context of a statement: the meaning of break and continue in it.
type place struct {
	breaks    *Stmt // a break leaves it
	continues *Stmt // a continue goes on with it
}

func (w *cuda) head(i int) string {
	how := "__noinline__"
	if w.p.Funcs[i].Inline {
		how = "__forceinline__"
	}
	return fmt.Sprintf("static __device__ %s unsigned %s_%d(const unsigned *in, unsigned *out, unsigned n, "+
		"unsigned *sh, unsigned a, unsigned b)", how, w.name, i)
}

// declare declares all variables at the head of a function: gotos may pass them.
func (w *cuda) declare(b Block, first ...string) {
	for i, v := range first {
		fmt.Fprintf(&w.b, "\tunsigned v%d = %s;\n", i, v)
	}
	each(b, func(s *Stmt) {
		if s.Kind == Loop {
			fmt.Fprintf(&w.b, "\tunsigned k%d, m%d;\n", s.ID, s.ID)
			if s.Second != nil {
				fmt.Fprintf(&w.b, "\tint l%d, n%d;\n", s.ID, s.ID)
			}
		}
	})
	if !w.function {
		fmt.Fprintf(&w.b, "\tout += TID * %d;\n", Slots)
	}
}

func (w *cuda) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("\t", w.depth+1))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *cuda) block(b Block, at place) {
	for _, s := range b {
		w.statement(s, at)
	}
}

func (w *cuda) nested(b Block, at place) {
	w.depth++
	w.block(b, at)
	w.depth--
}

func (w *cuda) statement(s *Stmt, at place) {
	switch s.Kind {
	case Set:
		w.line("v%d = %s;", s.Var, w.value(s.Value))
	case Store:
		w.line("out[%d] = %s;", s.Slot, w.value(s.Value))
	case If:
		w.line("if (%s) {", w.cond(s.Cond))
		w.nested(s.Blocks[0], at)
		if len(s.Blocks[1]) > 0 {
			w.line("} else {")
			w.nested(s.Blocks[1], at)
		}
		w.line("}")
	case Switch:
		w.choice(s, at)
	case Loop:
		w.loop(s)
	case Region:
		w.region(s, at)
	case Jump, Break, Continue:
		w.leave(s, at)
	case End:
		w.end(s)
	case Return:
		w.line("return %s;", w.value(s.Value))
	case Call:
		w.line("v%d = %s_%d(in, out, n, %s, %s, %s);", s.Var, w.name, s.Func, w.shared(), w.value(s.Value), w.value(s.Second))
	default:
		w.meet(s)
	}
}

func (w *cuda) shared() string {
	if w.function || uses(w.p, Exchange) {
		return "sh"
	}
	return "0"
}

// choice writes a switch, whose last block may be its default.
func (w *cuda) choice(s *Stmt, at place) {
	at.breaks = s
	w.line("switch (%s %% %d) {", w.wrapped(s.Value), len(s.Blocks))
	for i, b := range s.Blocks {
		if i+1 == len(s.Blocks) && s.Style%2 > 0 {
			w.line("default:")
		} else {
			w.line("case %d:", i)
		}
		w.nested(b, at)
		if !s.Next[i] || i+1 == len(s.Blocks) {
			w.line("\tbreak;")
		}
	}
	w.line("}")
}

// loop writes a loop in one of four forms.
func (w *cuda) loop(s *Stmt) {
	style, at := s.Style%3, place{breaks: s}
	if s.Value == nil {
		style = 3
	} else {
		w.line("m%d = %s & 7;", s.ID, w.wrapped(s.Value))
	}
	w.line("k%d = 0;", s.ID)
	if s.Second != nil {
		style = 1 // its way back does not count the round
		w.line("l%d = n%d = %s & 3;", s.ID, s.ID, w.wrapped(s.Second))
	}
	if s.Cond != nil {
		if s.Value != nil {
			w.line("if (m%d == 0) goto E%d;", s.ID, s.ID)
		}
		w.line("if (%s) goto M%d;", w.cond(s.Cond), s.ID)
	}
	switch style {
	case 0:
		at.continues = s
		w.line("for (; k%[1]d < m%[1]d; k%[1]d++) {", s.ID)
	case 1:
		w.line("while (1) {")
		w.line("\tif (k%d == m%d) break;", s.ID, s.ID)
	case 2:
		w.line("if (m%d > 0) do {", s.ID)
	default:
		w.line("while (1) {")
	}
	if s.Second != nil {
		w.line("\tif (l%d-- > 0) continue;", s.ID)
	}
	w.nested(s.Blocks[0], at)
	if s.Cond != nil {
		w.line("M%d:;", s.ID)
	}
	for _, b := range s.Blocks[1:] {
		w.nested(b, at)
	}
	w.line("C%d:;", s.ID)
	if style > 0 {
		w.line("\tk%d++;", s.ID)
	}
	if s.Second != nil {
		w.line("\tl%d = n%d;", s.ID, s.ID)
	}
	if style == 2 {
		w.line("} while (k%d < m%d);", s.ID, s.ID)
	} else {
		w.line("}")
	}
	w.line("E%d:;", s.ID)
}

func (w *cuda) region(s *Stmt, at place) {
	w.line("{ // region %d", s.ID)
	w.nested(s.Blocks[0], at)
	if len(s.Blocks) > 1 {
		w.line("\tgoto E%d;", s.ID)
	}
	for i, b := range s.Blocks[1:] {
		w.line("T%d_%d:;", s.ID, i+1)
		w.nested(b, at)
		if !s.Next[i+1] {
			w.line("\tgoto E%d;", s.ID)
		}
	}
	w.line("E%d:;", s.ID)
	w.line("}")
}

func (w *cuda) leave(s *Stmt, at place) {
	switch {
	case s.Kind == Break && at.breaks == s.To:
		w.line("break;")
	case s.Kind == Continue && at.continues == s.To:
		w.line("continue;")
	case s.Kind == Continue:
		w.line("goto C%d;", s.To.ID)
	case s.Kind == Jump && s.Tail > 0:
		w.line("goto T%d_%d;", s.To.ID, s.Tail)
	default:
		w.line("goto E%d;", s.To.ID)
	}
}

func (w *cuda) end(s *Stmt) {
	if s.Slot >= 0 {
		w.line("out[%d] = %d;", s.Slot, s.Amount)
	}
	switch {
	case s.How == Trap:
		w.line("__trap();")
	case s.How == Unreachable:
		w.line("__builtin_unreachable();")
	case w.function || s.How == Exit && s.Style%2 > 0:
		w.line(`asm volatile("exit;");`)
	default:
		w.line("return;")
	}
}
