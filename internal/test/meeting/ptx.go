package meeting

import (
	"fmt"
	"strings"
)

// PTX returns the program as a module whose kernel is k, with parameters in, out and n.
func (p *Program) PTX() string {
	var b strings.Builder
	b.WriteString(".version 6.4\n.target sm_35\n.address_size 64\n")
	fmt.Fprintf(&b, ".shared .align 4 .b32 sh[%d];\n", p.Threads)
	for i := len(p.Funcs) - 1; i >= 0; i-- {
		b.WriteString(p.function(i))
	}
	w := &assembly{p: p, name: "k"}
	w.op("ld.param.u64 %%in, [in]")
	w.op("ld.param.u64 %%out, [out]")
	w.op("ld.param.u32 %%n, [n]")
	w.thread()
	if uses(p, Exchange) { // threads that end early are read, too
		w.op("mov.u32 %%v0, sh")
		w.op("mad.lo.u32 %%v0, %%t, 4, %%v0")
		w.op("st.shared.u32 [%%v0], 0")
		w.op("bar.sync 0")
	}
	w.op("mov.u32 %%v0, %%t")
	w.op("mov.u32 %%v1, %s", w.value(&Expr{Op: Input, A: &Expr{Op: Lane}}))
	w.op("mov.u32 %%v2, 7")
	w.op("mov.u32 %%v3, %%n")
	w.block(p.Body)
	for i := range vars {
		w.store(finalSlot+i, fmt.Sprintf("%%v%d", i))
	}
	w.op("ret")
	b.WriteString(".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n")
	b.WriteString(w.text())
	return b.String()
}

func (p *Program) function(i int) string {
	w := &assembly{p: p, name: fmt.Sprintf("f%d", i), function: true}
	w.op("ld.param.u64 %%in, [in]")
	w.op("ld.param.u64 %%out, [out]")
	w.op("ld.param.u32 %%n, [n]")
	w.thread()
	w.op("ld.param.u32 %%v0, [a]")
	w.op("ld.param.u32 %%v1, [b]")
	w.op("mov.u32 %%v2, %%t")
	w.op("mov.u32 %%v3, %%n")
	w.block(p.Funcs[i].Body)
	w.op("st.param.u32 [r], %s", w.value(p.Funcs[i].Result))
	w.op("ret")
	return fmt.Sprintf(".func (.param .u32 r) f%d(.param .u64 in, .param .u64 out, .param .u32 n, "+
		".param .u32 a, .param .u32 b)\n", i) + w.text()
}

// assembly writes a function as basic blocks.
type assembly struct {
	p          *Program
	name       string
	function   bool
	done       []*basic
	now        *basic // nil behind a jump
	regs       int
	preds      int
	labels     int
	tables     int
	counters   []int
	exits      []exit // of loops and regions around
	ends       map[string]string
	endOrder   []string
	calls      int
	endsByName map[string]*Stmt
}

// basic is a basic block.
type basic struct {
	label string
	lines []string
	next  string // the block that follows; "" if none does
}

// exit are the labels to which a loop or region is left.
type exit struct {
	of    *Stmt
	after string   // its end
	again string   // a loop's next round
	tails []string // of a region
}

func (w *assembly) op(format string, args ...any) {
	if w.now == nil {
		w.now = &basic{label: w.label()}
		w.done = append(w.done, w.now)
	}
	w.now.lines = append(w.now.lines, "\t"+fmt.Sprintf(format, args...)+";")
}

func (w *assembly) label() string {
	w.labels++
	return fmt.Sprintf("L%d", w.labels)
}

// start begins a block, into which the block before it falls.
func (w *assembly) start(label string) {
	if w.now != nil {
		w.now.next = label
	}
	w.now = &basic{label: label}
	w.done = append(w.done, w.now)
}

// jump ends a block.
func (w *assembly) jump(label string) {
	if w.now == nil {
		return
	}
	w.now.next = label
	w.now = nil
}

func (w *assembly) reg() string {
	w.regs++
	return fmt.Sprintf("%%r%d", w.regs)
}

func (w *assembly) pred() string {
	w.preds++
	return fmt.Sprintf("%%p%d", w.preds)
}

// thread computes the address of a thread's words.
func (w *assembly) thread() {
	w.op("mov.u32 %%t, %%tid.x")
	w.op("mul.wide.u32 %%own, %%t, %d", 4*Slots)
	w.op("add.u64 %%own, %%out, %%own")
}

func (w *assembly) store(slot int, value string) {
	w.op("st.global.u32 [%%own+%d], %s", 4*slot, value)
}

// text lays the blocks out, in their order or in another.
func (w *assembly) text() string {
	w.sharedEnds()
	order := w.done
	if w.p.Style%4 == 0 {
		order = shuffled(order, w.p.Style)
	}
	var b strings.Builder
	b.WriteString("{\n\t.reg .b64 %in, %out, %own, %d<99>;\n\t.reg .b32 %n, %t, %v<4>;\n")
	fmt.Fprintf(&b, "\t.reg .b32 %%r<%d>;\n\t.reg .pred %%p<%d>;\n", w.regs+1, w.preds+1)
	for _, id := range w.counters {
		fmt.Fprintf(&b, "\t.reg .b32 %%k%d;\n", id)
	}
	for i, bb := range order {
		if i > 0 {
			b.WriteString(bb.label + ":\n")
		}
		for _, l := range bb.lines {
			b.WriteString(l + "\n")
		}
		if bb.next != "" && (i+1 == len(order) || order[i+1].label != bb.next) {
			b.WriteString("\tbra " + bb.next + ";\n")
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// shuffled is another order of blocks with the same first.
func shuffled(in []*basic, style uint32) []*basic {
	out := append([]*basic{}, in...)
	for i := len(out) - 1; i > 1; i-- {
		style = style*1664525 + 1013904223
		j := 1 + int(style>>8)%i
		out[i], out[j] = out[j], out[i]
	}
	return out
}
