package ptxrandom

import (
	"fmt"
	"slices"
	"strings"
)

// function is a function that a kernel may call. Its first parameter is the kernel's in.
type function struct {
	name            string
	params, returns []string // types
	param           bool     // they are in .param, not in registers
	// deep functions call themselves; the last parameter says how often.
	deep bool
}

// like reports whether both functions have one type.
func (f *function) like(o *function) bool {
	return f.param == o.param && slices.Equal(f.params, o.params) && slices.Equal(f.returns, o.returns)
}

// function writes a function.
func (g *writer) function() {
	f := function{param: g.one(3), deep: g.one(3)}
	types := []string{"u16", "u32", "s32", "u64", "f32"}
	if g.o.Double {
		types = append(types, "f64")
	}
	for range 1 + g.r.IntN(3) {
		f.params = append(f.params, types[g.r.IntN(len(types))])
	}
	f.returns = append(f.returns, types[g.r.IntN(len(types))])
	if !f.param && g.one(2) {
		f.returns = append(f.returns, types[g.r.IntN(len(types))])
	}
	if f.deep {
		f.params = append(f.params, "u32")
	}
	if n := len(g.funcs); n > 0 && g.one(2) {
		f = g.funcs[n-1]
	}
	f.name = fmt.Sprintf("f%d", len(g.funcs))
	space := "reg"
	if f.param {
		space = "param"
	}
	fmt.Fprintf(&g.text, ".func (%s) %s (.%s .u64 %%in%s%s)\n{\n", formals(space, "%out", f.returns), f.name,
		space, g.suffix(f.param), ", "+formals(space, "%arg", f.params))
	g.pools = g.newPools(false)
	g.declare()
	g.body(&f)
	g.funcs = append(g.funcs, f)
}

// suffix is for the name of the pointer's parameter, as the register has the name itself.
func (g *writer) suffix(param bool) string {
	if param {
		return "_p"
	}
	return ""
}

func formals(space, name string, types []string) string {
	var list []string
	for i, t := range types {
		list = append(list, fmt.Sprintf(".%s .%s %s%d", space, t, name, i))
	}
	return strings.Join(list, ", ")
}

func (g *writer) body(f *function) {
	g.inside, g.loops, g.again = f, 0, 0
	g.text.WriteString("\t.reg .u32 %left;\n")
	if f.param {
		g.text.WriteString("\t.reg .u64 %in;\n")
		g.line("ld.param.u64 %%in, [%%in_p]")
	}
	g.first()
	for i, t := range f.params {
		to := fmt.Sprintf("%%%c%d", classOf(t), i%2)
		if f.deep && i == len(f.params)-1 {
			to = "%left"
		}
		if f.param {
			g.line("ld.param.%s %s, [%%arg%d]", t, to, i)
			continue
		}
		g.line("mov.%s %s, %%arg%d", t, to, i)
	}
	for i, t := range f.returns { // a ret may come early
		g.give(f, i, t)
	}
	g.uniform, g.last = false, true
	g.budget = 4 + g.r.IntN(12)
	g.block(0)
	for i, t := range f.returns {
		g.give(f, i, t)
	}
	g.text.WriteString("\tret;\n}\n")
	g.inside, g.loops = nil, 0
}

// give sets a result.
func (g *writer) give(f *function, i int, t string) {
	if f.param {
		g.line("st.param.%s [%%out%d], %s", t, i, g.register(t))
		return
	}
	g.line("mov.%s %%out%d, %s", t, i, g.register(t))
}

// call writes a call, of the function itself if it may.
func (g *writer) call() {
	if f := g.inside; f != nil && f.deep && g.again < 2 && g.looping == 0 && g.one(2) {
		g.again++
		end := g.label()
		g.line("setp.eq.u32 %%e, %%left, 0")
		g.line("@%%e bra %s", end)
		g.line("sub.u32 %%a1, %%left, 1")
		g.callOf(f, "%a1")
		g.mark(end)
		return
	}
	if len(g.funcs) > 0 {
		g.callOf(&g.funcs[g.r.IntN(len(g.funcs))], fmt.Sprint(g.r.IntN(3)))
	}
}

// callee returns what calls f or a function of the same type, and what ends the call.
func (g *writer) callee(f *function) (name, prototype string) {
	if !g.one(3) || f == g.inside {
		return f.name, ""
	}
	g.line("mov.u64 %%q0, %s", f.name)
	for i := range g.funcs {
		if o := &g.funcs[i]; o.like(f) && o.deep == f.deep && g.one(2) {
			g.line("%s mov.u64 %%q0, %s", g.guard(), o.name)
		}
	}
	space := "reg"
	if f.param {
		space = "param"
	}
	label := g.label()
	fmt.Fprintf(&g.text, "%s: .callprototype (%s) _ (.%s .u64 _, %s);\n", label, formals(space, "_", f.returns), space,
		formals(space, "_", f.params))
	return "%q0", ", " + label
}

// callOf writes a call of f, or of one of its type. left is the last argument of a deep function.
func (g *writer) callOf(f *function, left string) {
	if f.param {
		g.callParam(f, left)
		return
	}
	args, results := []string{"%in"}, []string{}
	for i, t := range f.params {
		if f.deep && i == len(f.params)-1 {
			args = append(args, left)
			continue
		}
		args = append(args, g.source(t))
	}
	for i, t := range f.returns {
		c := classOf(t)
		results = append(results, fmt.Sprintf("%%%c%d", c, i%2))
	}
	name, proto := g.callee(f)
	g.line("%scall (%s), %s, (%s)%s", g.maybe(), strings.Join(results, ", "), name, strings.Join(args, ", "), proto)
}

// callParam writes a call that passes variables.
func (g *writer) callParam(f *function, left string) {
	g.text.WriteString("\t{\n")
	names := []string{"pin"}
	g.text.WriteString("\t.param .u64 pin;\n")
	g.line("st.param.u64 [pin], %%in")
	for i, t := range f.params {
		fmt.Fprintf(&g.text, "\t.param .%s pa%d;\n", t, i)
		value := g.register(t)
		if f.deep && i == len(f.params)-1 {
			value = left
		}
		g.line("st.param.%s [pa%d], %s", t, i, value)
		names = append(names, fmt.Sprintf("pa%d", i))
	}
	t := f.returns[0]
	fmt.Fprintf(&g.text, "\t.param .%s pr;\n", t)
	name, proto := g.callee(f)
	g.line("call (pr), %s, (%s)%s", name, strings.Join(names, ", "), proto)
	g.line("ld.param.%s %s, [pr]", t, g.register(t))
	g.text.WriteString("\t}\n")
}
