package ptxrandom

import "fmt"

// classes are the kinds of registers, by the first letter of their names. A kernel also has
// registers %a and %q for addresses, and registers of loops.
var classes = map[byte]string{'h': "u16", 'r': "u32", 'd': "u64", 'f': "f32", 'g': "f64", 'p': "pred"}

// pools are the numbers of registers of each class.
type pools struct{ n map[byte]int }

// most loops of a function.
const mostLoops = 64

// newPools chooses how many registers there are. Many make pressure.
func (g *writer) newPools(many bool) pools {
	top := 5
	if many {
		top = 40
	}
	p := pools{map[byte]int{}}
	for _, c := range "hrdfgp" {
		p.n[byte(c)] = 2 + g.r.IntN(top)
	}
	if !g.o.Double {
		p.n['g'] = 0
	}
	return p
}

// declare declares the registers of a function.
func (g *writer) declare() {
	for _, c := range "hrdfgp" {
		if n := g.pools.n[byte(c)]; n > 0 {
			fmt.Fprintf(&g.text, "\t.reg .%s %%%c<%d>;\n", classes[byte(c)], c, n)
		}
	}
	fmt.Fprintf(&g.text, "\t.reg .u32 %%a<2>, %%c<%d>, %%m<%d>, %%y<%d>;\n", mostLoops, mostLoops, mostLoops)
	fmt.Fprintf(&g.text, "\t.reg .u64 %%q<2>, %%z<%d>;\n\t.reg .pred %%e;\n", mostLoops)
}

// first gives registers their first values: from memory, or numbers.
func (g *writer) first() {
	for _, c := range "hrdfg" {
		t := classes[byte(c)]
		for i := range g.pools.n[byte(c)] {
			if g.one(3) || g.inside != nil {
				g.line("mov.%s %%%c%d, %s", t, c, i, g.immediate(t))
				continue
			}
			g.place(inBytes, bitsOf(t)/8, "%id")
			g.line("ld.global.%s %%%c%d, [%%q0]", t, c, i)
		}
	}
	for i := range g.pools.n['p'] {
		g.line("setp.%s.u32 %%p%d, %s, %s", g.pick("lt", "gt", "ne"), i, g.source("u32"), g.immediate("u32"))
	}
}

// place sets %q0 to an address in the first bytes of in, from an index.
func (g *writer) place(bytes, size int, index string) {
	g.line("mad.lo.u32 %%a0, %s, %d, %d", index, size*(1+g.r.IntN(9)), size*g.r.IntN(64))
	g.line("and.b32 %%a0, %%a0, %d", (bytes-1)&^(size-1))
	g.line("cvt.u64.u32 %%q0, %%a0")
	g.line("add.u64 %%q0, %%q0, %%in")
}

// register returns a register that holds a type.
func (g *writer) register(t string) string {
	c := classOf(t)
	return fmt.Sprintf("%%%c%d", c, g.r.IntN(g.pools.n[c]))
}

// classOf returns the class of the registers of a type.
func classOf(t string) byte {
	switch {
	case t == "pred":
		return 'p'
	case t == "f32":
		return 'f'
	case t == "f64":
		return 'g'
	}
	switch bitsOf(t) {
	case 8, 16:
		return 'h'
	case 64:
		return 'd'
	}
	return 'r'
}

// bitsOf returns the width of a type, 1 for a predicate.
func bitsOf(t string) int {
	switch t[1:] {
	case "8":
		return 8
	case "16":
		return 16
	case "32":
		return 32
	case "64":
		return 64
	}
	return 1
}
