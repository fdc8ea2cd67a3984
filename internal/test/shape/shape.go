package shape

import (
	"fmt"
	"strings"
)

// Shape is a way to write PTX that may be of any size.
type Shape struct {
	Name string
	What string // for people
	of   func(w *writer, n int)
	each int // bytes that one more adds, about
}

// Text returns a module of about a number of bytes.
func (s Shape) Text(bytes int) string { return s.Count(max(1, (bytes-200)/s.each)) }

// Count returns a module with n elements of the shape.
func (s Shape) Count(n int) string {
	w := &writer{registers: ".reg .u32 %r<64>; .reg .u64 %d<4>; .reg .pred %p<8>; .reg .f32 %f<64>;"}
	s.of(w, n)
	if w.whole.Len() > 0 {
		return ".version 6.0\n.target sm_35\n.address_size 64\n" + w.module.String() + w.whole.String()
	}
	return ".version 6.0\n.target sm_35\n.address_size 64\n" + w.module.String() +
		".visible .entry k (.param .u64 out, .param .u32 n" + w.parameters.String() + ")\n{\n" + w.registers +
		"\nld.param.u64 %d0, [out];\nld.param.u32 %r0, [n];\n" + w.body.String() + "st.global.u32 [%d0], %r0;\nexit;\n}\n"
}

// writer is a module that is being written: the parts of kernel k, or whole kernels.
type writer struct {
	module, parameters, body, whole strings.Builder
	registers                       string
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.body, format+"\n", args...) }

// Shapes returns all shapes.
func Shapes() []Shape {
	return []Shape{
		{"straight", "sums and products, one after the other", straight, 32},
		{"chain", "a value from the one before, all in registers of their own", chain, 30},
		{"registers", "values that live at the same time", registers, 52},
		{"divisions", "divisions, which the library makes", divisions, 50},
		{"predicates", "comparisons and guarded sums", predicates, 56},
		{"loads", "loads from one address and offsets", loads, 56},
		{"ifs", "ifs within each other", ifs, 100},
		{"forward", "ifs one after the other", forward, 62},
		{"labels", "branches to labels anywhere, which make loops with several ways in", labels, 70},
		{"loops", "loops within each other", loops, 80},
		{"loops in turn", "loops one after the other", loopsInTurn, 82},
		{"phis", "variables that a loop changes all", phis, 50},
		{"switch", "cases of one switch", cases, 64},
		{"branches by one table", "switches that share their cases", sharedCases, 86},
		{"unused labels", "labels to which nothing branches", unusedLabels, 26},
		{"calls", "functions, each called once by the one before", calls, 106},
		{"call sites", "calls of one function", callSites, 34},
		{"kernels", "kernels", kernels, 190},
		{"variables", "variables of the module, each stored to", variables, 66},
		{"exits", "ends of the kernel under a condition", exits, 56},
		{"barrier in loops", "loops within each other around a barrier", barrierInLoops, 100},
		{"barriers behind loops", "loops within each other that lanes leave from anywhere to one of 7 barriers", barriersBehindLoops, 208},
		{"barriers and continue", "ways to the next round of one loop, with a barrier at its end", barrierAndContinue, 66},
		{"barriers and labels", "branches to labels anywhere, with a barrier behind each tenth", barriersAndLabels, 80},
		{"votes and labels", "branches to labels anywhere, with a vote behind each tenth", votesAndLabels, 80},
		{"votes and breaks", "loops within each other that lanes leave by breaks, around a vote", votesAndBreaks, 246},
	}
}

func straight(w *writer, n int) {
	for i := range n {
		if i%2 == 0 {
			w.line("mad.lo.u32 %%r0, %%r%d, %%r0, %d;", i%60+1, i)
		} else {
			w.line("add.u32 %%r%d, %%r%d, %%r0;", i%60+1, i*7%60+1)
		}
	}
}

func chain(w *writer, n int) {
	w.registers += fmt.Sprintf(" .reg .u32 %%q<%d>;", n+1)
	w.line("mov.u32 %%q0, %%r0;")
	for i := range n {
		w.line("add.u32 %%q%d, %%q%d, %d;", i+1, i, i)
	}
	w.line("add.u32 %%r0, %%r0, %%q%d;", n)
}

func registers(w *writer, n int) {
	w.registers += fmt.Sprintf(" .reg .u32 %%q<%d>;", n)
	for i := range n {
		w.line("mul.lo.u32 %%q%d, %%r0, %d;", i, i)
	}
	for i := range n {
		w.line("xor.b32 %%r0, %%r0, %%q%d;", i)
	}
}

func divisions(w *writer, n int) {
	for i := range n {
		w.line("div.u32 %%r%d, %%r%d, %%r0;\nadd.u32 %%r0, %%r0, %%r%d;", i%60+1, i*7%60+1, i%60+1)
	}
}

func predicates(w *writer, n int) {
	for i := range n {
		w.line("setp.eq.u32 %%p%d, %%r0, %d;\n@%%p%d add.u32 %%r0, %%r0, %d;", i%7+1, i, i%7+1, i)
	}
}

func loads(w *writer, n int) {
	for i := range n {
		w.line("ld.global.u32 %%r%d, [%%d0+%d];\nadd.u32 %%r0, %%r0, %%r%d;", i%60+1, 4*i, i%60+1)
	}
}

func ifs(w *writer, n int) {
	for i := range n {
		w.line("setp.eq.u32 %%p1, %%r%d, %%r0;\n@%%p1 bra E%d;\nadd.u32 %%r%d, %%r0, %d;", i%60+1, i, i%60+1, i)
	}
	for i := range n {
		w.line("E%d: add.u32 %%r0, %%r0, %%r%d;", n-1-i, i%60+1)
	}
}

func forward(w *writer, n int) {
	for i := range n {
		w.line("setp.eq.u32 %%p1, %%r0, %d;\n@%%p1 bra L%d;\nadd.u32 %%r0, %%r0, %d;\nL%d:", i, i, i%99, i)
	}
}

func labels(w *writer, n int) {
	for i := range n {
		w.line("L%d: setp.eq.u32 %%p1, %%r0, %d;\n@%%p1 bra L%d;\nadd.u32 %%r0, %%r0, %d;", i, i, (i*7919+13)%n, i%99)
	}
}

func loops(w *writer, n int) {
	for i := range n {
		w.line("A%d: mad.lo.u32 %%r0, %%r0, 3, %d;", i, i)
	}
	w.line("add.u32 %%r0, %%r0, 1;")
	for i := range n {
		w.line("setp.lt.u32 %%p1, %%r0, %d;\n@%%p1 bra A%d;", i, n-1-i)
	}
}

func loopsInTurn(w *writer, n int) {
	for i := range n {
		w.line("A%d: mad.lo.u32 %%r0, %%r0, 3, %d;\nsetp.lt.u32 %%p1, %%r0, %d;\n@%%p1 bra A%d;", i, i, i, i)
	}
}

func phis(w *writer, n int) {
	w.registers += fmt.Sprintf(" .reg .u32 %%q<%d>;", n)
	for i := range n {
		w.line("add.u32 %%q%d, %%r0, %d;", i, i)
	}
	w.line("again:")
	for i := range n {
		w.line("add.u32 %%q%d, %%q%d, %%r0;", i, (i+1)%n)
	}
	w.line("add.u32 %%r0, %%r0, %%q0;\nsetp.lt.u32 %%p1, %%r0, 1000;\n@%%p1 bra again;")
}

func cases(w *writer, n int) {
	w.body.WriteString("table: .branchtargets C0")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&w.body, ", C%d", i)
	}
	w.line(";\nrem.u32 %%r1, %%r0, %d;\nbrx.idx %%r1, table;", n)
	for i := range n {
		w.line("C%d: mad.lo.u32 %%r0, %%r0, 5, %d;\nbra.uni done;", i, i)
	}
	w.line("done:")
}

func sharedCases(w *writer, n int) {
	w.body.WriteString("table: .branchtargets C0")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&w.body, ", C%d", i)
	}
	w.line(";")
	for i := range n {
		w.line("B%d: rem.u32 %%r1, %%r0, %d;\nbrx.idx %%r1, table;", i, n)
	}
	for i := range n {
		w.line("C%d: add.u32 %%r0, %%r0, %d;\nbra B%d;", i, i, (i*7919+13)%n)
	}
}

func unusedLabels(w *writer, n int) {
	for i := range n {
		w.line("L%d: add.u32 %%r0, %%r0, %d;", i, i)
	}
}

func calls(w *writer, n int) {
	w.module.WriteString(".func (.reg .u32 o) f0 (.reg .u32 i) { add.u32 o, i, 1; ret; }\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&w.module, ".func (.reg .u32 o) f%d (.reg .u32 i) { .reg .u32 a; call (a), f%d, (i); add.u32 o, a, i; ret; }\n", i, i-1)
	}
	w.line("call (%%r0), f%d, (%%r0);", n-1)
}

func callSites(w *writer, n int) {
	w.module.WriteString(".func (.reg .u32 o) f (.reg .u32 i) { mad.lo.u32 o, i, i, 1; ret; }\n")
	for i := range n {
		w.line("call (%%r%d), f, (%%r%d);", (i+1)%60, i%60)
	}
}

func kernels(w *writer, n int) {
	for i := range n {
		fmt.Fprintf(&w.whole, ".visible .entry k%d (.param .u64 out) { .reg .u32 %%r; .reg .u64 %%d; "+
			"ld.param.u64 %%d, [out]; mov.u32 %%r, %d; st.global.u32 [%%d], %%r; exit; }\n", i, i)
	}
}

func variables(w *writer, n int) {
	for i := range n {
		fmt.Fprintf(&w.module, ".global .u32 v%d;\n", i)
		w.line("st.global.u32 [v%d], %%r0;", i)
	}
}

func exits(w *writer, n int) {
	for i := range n {
		w.line("add.u32 %%r0, %%r0, %d;\nsetp.eq.u32 %%p1, %%r0, %d;\n@%%p1 exit;", i, i)
	}
}
