package ptxrandom

import "fmt"

// convert writes a conversion, or a mov that packs or unpacks.
func (g *writer) convert() {
	switch g.r.IntN(8) {
	case 0:
		g.pack()
	case 7:
		g.saturate()
	case 1, 2:
		g.convertFloat()
	default:
		to, from := g.intType(), g.intType()
		if bitsOf(to) == bitsOf(from) && to[0] == from[0] {
			return
		}
		sat := ""
		if g.one(4) && to[0] != from[0] {
			sat = ".sat"
		}
		g.line("%scvt%s.%s.%s %s, %s", g.maybe(), sat, to, from, g.container(to), g.container(from))
	}
}

// maybe returns a guard, or none.
func (g *writer) maybe() string {
	if g.one(8) {
		return g.guard()
	}
	return ""
}

func (g *writer) intType() string {
	return g.pick("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64")
}

// container returns a register for a type; one of 32 bits sometimes holds less.
func (g *writer) container(t string) string {
	if bitsOf(t) < 32 && g.one(3) {
		return g.register("u32")
	}
	return g.register(t)
}

func (g *writer) convertFloat() {
	f := "f32"
	if g.o.Double && g.one(2) {
		f = "f64"
	}
	i := g.intType()
	switch g.r.IntN(4) {
	case 0:
		g.line("%scvt.%s.%s.%s %s, %s", g.maybe(), g.pick("rn", "rz"), f, i, g.register(f), g.container(i))
	case 1:
		g.line("cvt.%s.%s.%s %s, %s", g.pick("rni", "rzi", "rmi", "rpi"), f, f, g.register(f), g.register(f))
	case 2:
		if g.o.Double {
			g.line("cvt.f64.f32 %s, %s", g.register("f64"), g.normal("f32"))
			f := g.register("f32")
			g.line("cvt.%s.f32.f64 %s, %s", g.pick("rn", "rz"), f, g.register("f64"))
			g.line("mul.rn.f32 %s, %s, 0f3f800001", f, f)
		}
	default:
		g.line("%scvt.%s.%s.%s %s, %s", g.maybe(), g.pick("rni", "rzi", "rmi", "rpi"), i, f, g.container(i), g.normal(f))
	}
}

// normal returns a register without a subnormal f32. The converter of 64 bits keeps subnormal
// numbers, unlike PTX.
func (g *writer) normal(t string) string {
	r := g.register(t)
	if t == "f32" && g.o.Double {
		g.line("mul.rn.f32 %s, %s, 0f3f800001", r, r)
	}
	return r
}

func (g *writer) pack() {
	h := func() string { return g.register("u16") }
	r := func() string { return g.register("u32") }
	switch g.r.IntN(6) {
	case 0:
		g.line("mov.b32 %s, {%s, %s}", r(), h(), h())
	case 1:
		a, b := g.two("u16")
		g.line("mov.b32 {%s, %s}, %s", a, b, r())
	case 2:
		g.line("mov.b64 %s, {%s, %s}", g.register("u64"), r(), r())
	case 3:
		a, b := g.two("u32")
		g.line("mov.b64 {%s, %s}, %s", a, b, g.register("u64"))
	case 4:
		g.line("mov.b64 %s, {%s, %s, %s, %s}", g.register("u64"), h(), h(), h(), h())
	default:
		if g.o.Double {
			a, b := g.two("u32")
			g.line("mov.b64 {%s, %s}, %s", a, b, g.register("f64"))
			g.line("mov.b64 %s, {%s, %s}", g.register("f64"), b, r())
		}
	}
}

// two returns two registers that differ.
func (g *writer) two(t string) (a, b string) {
	c := classOf(t)
	n := g.pools.n[c]
	i := g.r.IntN(n)
	return fmt.Sprintf("%%%c%d", c, i), fmt.Sprintf("%%%c%d", c, (i+1+g.r.IntN(n-1))%n)
}
