package planted

import (
	"fmt"
	"strings"
)

// writer writes a kernel as PTX.
type writer struct {
	strings.Builder
	line   int // of the next text
	regs   int
	preds  int
	labels int
	guard  string // before accesses
}

// Text returns the kernel as PTX, and notes the lines of its statements.
func (k *Kernel) Text() string {
	body := &writer{}
	head := k.head()
	body.line = strings.Count(head, "\n") + 1 + 1 // the declaration of registers comes between
	body.start(k)
	body.list(k.body)
	body.put("mad24.lo.u32 %%t, %%b, %d, %%t;", k.threads())
	body.put("shl.b32 %%t, %%t, 2;")
	body.put("add.u32 %%t, %%t, %%out;")
	body.put("st.global.u32 [%%t], %%acc;")
	body.put("exit;")
	regs := ".reg .u32 %acc, %drawn, %t, %b, %n, %k0, %k1, %out, %table"
	for _, a := range k.arrays {
		regs += ", %" + a.name
	}
	return fmt.Sprintf("%s%s, %%r<%d>; .reg .pred %%p<%d>;\n%s}\n", head, regs, body.regs+1, body.preds+1, body.String())
}

// head returns the declarations before the registers.
func (k *Kernel) head() string {
	var b strings.Builder
	b.WriteString(".version 1.4\n.target sm_13\n.entry k (.param .u32 out, .param .u32 table, .param .u32 launch")
	for _, a := range k.arrays {
		if !a.shared {
			fmt.Fprintf(&b, ", .param .u32 p_%s", a.name)
		}
	}
	b.WriteString(") {\n")
	for _, a := range k.arrays {
		if a.shared {
			fmt.Fprintf(&b, ".shared .align 16 .b8 s_%s[%d];\n", a.name, a.bytes)
		}
	}
	return b.String()
}

// start writes what all kernels begin with.
func (w *writer) start(k *Kernel) {
	w.put("mov.u32 %%drawn, 0;")
	x, y := w.reg(), w.reg()
	w.put("cvt.u32.u16 %s, %%tid.x;", x)
	w.put("cvt.u32.u16 %s, %%tid.y;", y)
	w.put("mad24.lo.u32 %%t, %s, %d, %s;", y, k.shape[0], x)
	w.put("mov.u32 %%acc, %%t;")
	w.put("cvt.u32.u16 %%b, %%ctaid.x;")
	w.put("ld.param.u32 %%n, [launch];")
	w.put("ld.param.u32 %%out, [out];")
	w.put("ld.param.u32 %%table, [table];")
	for _, a := range k.arrays {
		if a.shared {
			w.put("mov.u32 %%%s, s_%s;", a.name, a.name)
		} else {
			w.put("ld.param.u32 %%%s, [p_%s];", a.name, a.name)
		}
	}
}

// put writes a line and returns its number.
func (w *writer) put(format string, args ...any) int {
	fmt.Fprintf(w, format+"\n", args...)
	w.line++
	return w.line - 1
}

func (w *writer) reg() string {
	w.regs++
	return fmt.Sprintf("%%r%d", w.regs-1)
}

func (w *writer) pred() string {
	w.preds++
	return fmt.Sprintf("%%p%d", w.preds-1)
}

func (w *writer) label() string {
	w.labels++
	return fmt.Sprintf("L%d", w.labels-1)
}

func (w *writer) list(list []*stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *writer) stmt(s *stmt) {
	switch s.op {
	case access:
		w.access(s)
	case branch:
		w.branch(s)
	case loop:
		top, p := w.label(), w.pred()
		n := w.expr(s.count)
		w.put("mov.u32 %%k%d, 0;", s.depth)
		w.put("%s:", top)
		w.list(s.body)
		w.put("add.u32 %%k%d, %%k%d, 1;", s.depth, s.depth)
		w.put("setp.lt.u32 %s, %%k%d, %s;", p, s.depth, n)
		w.put("@%s bra %s;", p, top)
		w.put("mov.u32 %%k%d, 0;", s.depth)
	case barrier:
		w.put("bar.sync 0;")
	case fence:
		s.line = w.put("membar.%s;", map[bool]string{true: "gl", false: "cta"}[s.wide])
	case ticket:
		old, grid, p := w.reg(), w.reg(), w.pred()
		w.put("cvt.u32.u16 %s, %%nctaid.x;", grid)
		w.put("sub.u32 %s, %s, 1;", grid, grid)
		s.line = w.put("atom.global.inc.u32 %s, [%%%s], %s;", old, s.array.name, grid)
		w.put("setp.eq.u32 %s, %s, %s;", p, old, grid)
		w.put("selp.u32 %%drawn, 1, 0, %s;", p)
	case last:
		flag, p, end := w.reg(), w.pred(), w.label()
		s.line = w.put("ld.shared.u32 %s, [%%%s]; setp.eq.u32 %s, %s, 0;", flag, s.array.name, p, flag)
		w.put("@%s bra %s;", p, end)
		w.list(s.body)
		w.put("%s:", end)
	}
}

// branch writes a branch, or accesses with a predicate.
func (w *writer) branch(s *stmt) {
	a, p := w.expr(s.test.a), w.pred()
	op := map[bool]string{true: "lt", false: "eq"}[s.test.less]
	w.put("setp.%s.u32 %s, %s, %d;", op, p, a, s.test.c)
	if s.guarded {
		w.guard = "@" + p + " "
		w.list(s.body)
		w.guard = ""
		return
	}
	other, end := w.label(), w.label()
	w.put("@!%s bra %s;", p, other)
	w.list(s.body)
	if len(s.other) > 0 {
		w.put("bra %s;", end)
	}
	w.put("%s:", other)
	w.list(s.other)
	w.put("%s:", end)
}

// access writes an access.
func (w *writer) access(s *stmt) {
	at := w.reg()
	w.put("mad24.lo.u32 %s, %s, %d, %%%s;", at, w.expr(s.index), s.size, s.array.name)
	space, form := "global", map[int]string{1: "u8", 2: "u16", 4: "u32", 8: "v2.u32", 16: "v4.u32"}[s.size]
	if s.array.shared {
		space = "shared"
	}
	regs := []string{w.reg()}
	for range s.size/4 - 1 {
		regs = append(regs, w.reg())
	}
	list := regs[0]
	if len(regs) > 1 {
		list = "{" + strings.Join(regs, ",") + "}"
	}
	w.values(s, regs)
	switch s.role {
	case read:
		use := "" // on the same line, as the compiler may make one instruction of both
		for _, r := range regs {
			use += " add.u32 %acc, %acc, " + r + ";"
		}
		s.line = w.put("%sld.%s.%s %s, [%s];%s", w.guard, space, form, list, at, use)
	case write:
		s.line = w.put("%sst.%s.%s [%s], %s;", w.guard, space, form, at, list)
	case atomic:
		s.line = w.put("%sred.%s.add.u32 [%s], %s;", w.guard, space, at, regs[0])
	}
}

// values writes what the registers of an access have before it.
func (w *writer) values(s *stmt, regs []string) {
	if s.role == read {
		for _, r := range regs {
			w.put("mov.u32 %s, 0;", r)
		}
		return
	}
	v := w.expr(s.value)
	for i, r := range regs {
		w.put("add.u32 %s, %s, %d;", r, v, i)
	}
}
