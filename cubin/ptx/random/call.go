package random

import (
	"fmt"
	"strings"
)

// function is a function that a kernel may call. Its first parameter is the kernel's in.
type function struct {
	name            string
	params, returns []string // types
	param           bool     // they are in .param, not in registers
}

// function writes a function.
func (g *writer) function() {
	f := function{name: fmt.Sprintf("f%d", len(g.funcs)), param: g.one(3)}
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
	g.inside, g.loops = f, 0
	if f.param {
		g.text.WriteString("\t.reg .u64 %in;\n")
		g.line("ld.param.u64 %%in, [%%in_p]")
	}
	g.first()
	for i, t := range f.params {
		if f.param {
			g.line("ld.param.%s %%%c%d, [%%arg%d]", t, classOf(t), i%2, i)
			continue
		}
		g.line("mov.%s %%%c%d, %%arg%d", t, classOf(t), i%2, i)
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

// call writes a call.
func (g *writer) call() {
	if len(g.funcs) == 0 {
		return
	}
	f := g.funcs[g.r.IntN(len(g.funcs))]
	if f.param {
		g.callParam(f)
		return
	}
	args, results := []string{"%in"}, []string{}
	for _, t := range f.params {
		args = append(args, g.source(t))
	}
	for i, t := range f.returns {
		c := classOf(t)
		results = append(results, fmt.Sprintf("%%%c%d", c, i%2))
	}
	g.line("%scall (%s), %s, (%s)", g.maybe(), strings.Join(results, ", "), f.name, strings.Join(args, ", "))
}

// callParam writes a call that passes variables.
func (g *writer) callParam(f function) {
	g.text.WriteString("\t{\n")
	names := []string{"pin"}
	g.text.WriteString("\t.param .u64 pin;\n")
	g.line("st.param.u64 [pin], %%in")
	for i, t := range f.params {
		fmt.Fprintf(&g.text, "\t.param .%s pa%d;\n", t, i)
		g.line("st.param.%s [pa%d], %s", t, i, g.register(t))
		names = append(names, fmt.Sprintf("pa%d", i))
	}
	t := f.returns[0]
	fmt.Fprintf(&g.text, "\t.param .%s pr;\n", t)
	g.line("call (pr), %s, (%s)", f.name, strings.Join(names, ", "))
	g.line("ld.param.%s %s, [pr]", t, g.register(t))
	g.text.WriteString("\t}\n")
}
