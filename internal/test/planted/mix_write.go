package planted

import (
	"fmt"
	"strings"
)

// Text returns the mix as PTX, and notes the lines of its moves.
func (m *Mix) Text() string {
	head := m.heading()
	w := &writer{line: strings.Count(head, "\n") + 2} // the declaration of registers comes between
	m.begin(w)
	number := 0
	eachMove(&m.moves, func(list *[]*move, i int) {
		if v := (*list)[i]; v.op == get || v.op == count || v.op == edge {
			v.number = number
			number++
		}
	})
	w.moves(m.moves)
	at := w.reg()
	w.put("mad24.lo.u32 %s, %%b, %d, %%t; shl.b32 %s, %s, 3; add.u32 %s, %s, %%out;", at, m.threads(), at, at, at, at)
	w.put("st.global.u32 [%s], %%v0;", at)
	w.put("st.global.u32 [%s+4], %%v1;", at)
	w.put("exit;")
	regs := fmt.Sprintf(".reg .u32 %%t, %%b, %%n, %%out, %%marks, %%table, %%v<%d>, %%r<%d>", pool, w.regs+1)
	for _, p := range m.places {
		regs += ", %" + p.name
	}
	return fmt.Sprintf("%s%s; .reg .pred %%p<%d>; .reg .f32 %%f<2>;\n%s}\n", head, regs, w.preds+1, w.String())
}

// heading returns the declarations before the registers.
func (m *Mix) heading() string {
	var b strings.Builder
	b.WriteString(".version 1.4\n.target sm_13\n.entry k (.param .u32 launch, .param .u32 table, .param .u32 out, .param .u32 marks, .param .u32 starts")
	for _, p := range m.places {
		if p.space == "global" {
			fmt.Fprintf(&b, ", .param .u32 p_%s", p.name)
		}
	}
	b.WriteString(") {\n")
	for _, p := range m.places {
		if p.space != "global" {
			fmt.Fprintf(&b, ".%s .align 16 .b8 s_%s[%d];\n", p.space, p.name, p.bytes)
		}
	}
	return b.String()
}

// begin writes what all mixes begin with.
func (m *Mix) begin(w *writer) {
	x, y := w.reg(), w.reg()
	w.put("cvt.u32.u16 %s, %%tid.x;", x)
	w.put("cvt.u32.u16 %s, %%tid.y;", y)
	w.put("mad24.lo.u32 %%t, %s, %d, %s;", y, m.shape[0], x)
	w.put("cvt.u32.u16 %%b, %%ctaid.x;")
	at, base := w.reg(), w.reg()
	w.put("mad24.lo.u32 %s, %%b, %d, %%t; mul24.lo.u32 %s, %s, %d;", at, m.threads(), at, at, 4*pool)
	w.put("ld.param.u32 %s, [starts]; add.u32 %s, %s, %s;", base, base, base, at)
	for i := range pool {
		m.starts[i] = w.put("ld.global.u32 %s, [%s+%d];", v(i), base, 4*i)
	}
	w.put("ld.param.u32 %%n, [launch];")
	w.put("ld.param.u32 %%table, [table];")
	w.put("ld.param.u32 %%out, [out];")
	w.put("ld.param.u32 %%marks, [marks];")
	w.put("mad24.lo.u32 %s, %%b, %d, %%t; shl.b32 %s, %s, 2; add.u32 %%marks, %%marks, %s;", x, m.threads(), x, x, x)
	for _, p := range m.places {
		if p.space == "global" {
			w.put("ld.param.u32 %%%s, [p_%s];", p.name, p.name)
		} else {
			w.put("mov.u32 %%%s, s_%s;", p.name, p.name)
		}
	}
}

func (w *writer) moves(list []*move) {
	for _, v := range list {
		w.move(v)
	}
}

func v(i int) string { return fmt.Sprintf("%%v%d", i) }

func (w *writer) move(m *move) {
	switch m.op {
	case calculate:
		b := v(m.b)
		if m.constant != nil {
			b = fmt.Sprint(*m.constant)
		}
		names := strings.NewReplacer("$d", v(m.to), "$a", v(m.a), "$b", b, "$c", v(m.third), "$t", w.reg(), "$p", w.pred(), "$f", "%f0", "$g", "%f1")
		m.line = w.put("%s", names.Replace(m.compute.text))
	case get, edge, put, count:
		w.memory(m)
	case fork:
		p, t, end := w.pred(), w.reg(), w.label()
		test := fmt.Sprintf("and.b32 %s, %s, %d; setp.eq.u32 %s, %s, 0;", t, v(m.a), uint32(1)<<m.bit, p, t)
		if m.equal != nil {
			test = fmt.Sprintf("setp.ne.u32 %s, %s, %d;", p, v(m.a), *m.equal)
		}
		m.line = w.put("%s @%s bra %s;", test, p, end)
		w.moves(m.body)
		w.put("st.global.u32 [%%marks], 1;")
		m.last = w.put("%s:", end)
	case repeat:
		p, k, n, top, end := w.pred(), w.reg(), w.reg(), w.label(), w.label()
		w.put("mov.u32 %s, 0; and.b32 %s, %s, %d;", k, n, v(m.a), m.rounds-1)
		w.put("%s:", top)
		m.line = w.put("setp.ge.u32 %s, %s, %s; @%s bra %s;", p, k, n, p, end)
		w.moves(m.body)
		w.put("st.global.u32 [%%marks], %s;", k)
		m.last = w.put("add.u32 %s, %s, 1; bra %s;", k, k, top)
		w.put("%s:", end)
	case choose:
		p, r, end := w.holds(m.test), w.reg(), w.label()
		w.put("@!%s bra %s; mov.u32 %s, %s;", p, end, r, v(m.a))
		w.put("%s:", end)
		m.line = w.put("selp.u32 %s, %s, %s, %s;", v(m.to), r, v(m.b), p)
	case meet:
		w.put("bar.sync 0;")
	}
}

// holds writes a test of threads and returns its predicate.
func (w *writer) holds(t *test) string {
	p := w.pred()
	op := map[bool]string{true: "lt", false: "eq"}[t.less]
	w.put("setp.%s.u32 %s, %s, %d;", op, p, w.expr(t.a), t.c)
	return p
}

// memory writes a move that uses an array.
func (w *writer) memory(m *move) {
	p, at := m.place, w.reg()
	address := ""
	if m.index != nil {
		address = fmt.Sprintf("mad24.lo.u32 %s, %s, %d, %%%s;", at, w.expr(m.index), m.size, p.name)
	} else {
		address = fmt.Sprintf("and.b32 %s, %s, %d; mad24.lo.u32 %s, %s, %d, %%%s;", at, v(m.a), p.mask(), at, at, m.size, p.name)
		if p.space == "global" {
			address += fmt.Sprintf(" mad24.lo.u32 %s, %%b, %d, %s;", at, (p.count+spare)*p.size, at)
		}
	}
	guard := ""
	if m.op == put && m.test != nil {
		guard = "@" + w.holds(m.test) + " "
	}
	form := map[int]string{1: "8", 2: "16", 4: "32", 8: "32", 16: "32"}[m.size]
	vector := map[int]string{8: "v2.", 16: "v4."}[m.size]
	w.put("%s", address)
	switch m.op {
	case put:
		m.line = w.put("%sst.%s.%su%s [%s], %s;", guard, p.space, vector, form, at, list(m.words(), m.source))
	case count:
		m.line = w.put("red.%s.add.u32 [%s], %s;", p.space, at, v(m.a))
	case edge:
		t, pred := w.reg(), w.holds(m.test)
		m.line = w.put("ld.%s.%s%s %s, [%s]; selp.u32 %s, %s, %s, %s;", p.space, m.kind(), form, t, at, v(m.to), t, v(m.b), pred)
	case get:
		use := ""
		if m.index == nil {
			use = fmt.Sprintf(" st.global.u32 [%%marks], %s;", v(m.register(0)))
		}
		m.line = w.put("ld.%s.%s%s%s %s, [%s];%s", p.space, vector, m.kind(), form, list(m.words(), m.register), at, use)
	}
}

func (m *move) kind() string { return map[bool]string{true: "s", false: "u"}[m.signed && m.size < 4] }

// list returns n registers.
func list(n int, register func(int) int) string {
	var names []string
	for i := range n {
		names = append(names, v(register(i)))
	}
	if n == 1 {
		return names[0]
	}
	return "{" + strings.Join(names, ",") + "}"
}
