package ptxrandom

import (
	"fmt"
	"strings"
)

// template is an instruction of some types. In the text, $ is the type, D a result and A a source
// of it, W and w a result and a source of twice the width, P a result and p a source that is a
// predicate, n one that may be negated, r a source of type u32, i of s32, x of f32, C a
// comparison, O a logic operation, R a result of type u32, X of f32, L a special register.
type template struct {
	text  string
	types string
}

const (
	ints    = "u16 s16 u32 s32 u64 s64"
	signed  = "s16 s32 s64"
	untyped = "b16 b32 b64"
	numbers = ints + " f32 f64"
	all     = numbers + " " + untyped
)

// common are the instructions that occur often.
var common = []template{
	{"add.$ D, A, A", ints}, {"sub.$ D, A, A", ints}, {"mul.lo.$ D, A, A", ints},
	{"mad.lo.$ D, A, A, A", ints}, {"min.$ D, A, A", ints}, {"max.$ D, A, A", ints},
	{"add.$ D, A, A", ints}, {"sub.$ D, A, A", ints}, {"abs.$ D, A", signed}, {"neg.$ D, A", signed},
	{"and.$ D, A, A", untyped}, {"or.$ D, A, A", untyped}, {"xor.$ D, A, A", untyped},
	{"not.$ D, A", untyped}, {"cnot.$ D, A", untyped}, {"shl.$ D, A, r", untyped},
	{"shr.$ D, A, r", ints + " " + untyped}, {"mul.hi.$ D, A, A", "u16 s16 u32 s32"},
	{"mul.wide.$ W, A, A", "u16 s16 u32 s32"}, {"mad.wide.$ W, A, A, w", "u16 s16 u32 s32"},
	{"sad.$ D, A, A, A", "u16 s16 u32 s32"}, {"mul24.lo.$ D, A, A", "u32 s32"},
	{"mul24.hi.$ D, A, A", "u32 s32"}, {"mad24.lo.$ D, A, A, A", "u32 s32"},
	{"add.sat.$ D, A, A", "s32"}, {"sub.sat.$ D, A, A", "s32"},
	{"selp.$ D, A, A, p", all}, {"slct.$.s32 D, A, A, i", all}, {"slct.$.f32 D, A, A, x", all},
	{"setp.C.$ P, A, A", numbers}, {"setp.C.$ P, A, A", numbers}, {"setp.C.O.$ P, A, A, n", numbers},
	{"setp.C.$ P|P, A, A", numbers}, {"setp.C.O.$ P|P, A, A, n", numbers},
	{"set.C.u32.$ R, A, A", numbers}, {"set.C.O.s32.$ R, A, A, n", numbers},
	{"set.C.f32.$ X, A, A", numbers}, {"setp.eq.$ P, A, A", untyped}, {"mov.$ D, A", all},
	{"and.pred P, p, p", "pred"}, {"or.pred P, p, p", "pred"}, {"xor.pred P, p, p", "pred"},
	{"not.pred P, p", "pred"}, {"mov.pred P, p", "pred"}, {"and.pred P, p, p", "pred"},
	{"add.rn.$ D, A, A", "f32 f64"}, {"sub.rn.$ D, A, A", "f32 f64"}, {"mul.rn.$ D, A, A", "f32 f64"},
	{"add.rz.$ D, A, A", "f32 f64"}, {"mul.rz.$ D, A, A", "f32 f64"},
	{"mad.$ D, A, A, A", "f32"}, {"fma.rn.$ D, A, A, A", "f64"},
	{"mad.rn.$ D, A, A, A", "f64"}, {"min.$ D, A, A", "f32 f64"}, {"max.$ D, A, A", "f32 f64"},
	{"abs.$ D, A", "f32 f64"}, {"neg.$ D, A", "f32 f64"}, {"mov.b32 R, x", "f32"},
	{"mov.b32 X, r", "f32"}, {"mov.b64 D, A", "f64"}, {"rcp.approx.$ D, A", "f32"},
	{"rsqrt.approx.$ D, A", "f32"}, {"mov.u32 R, L", "u32"},
	{"add.cc.u32 R, r, r;addc.cc.u32 R, r, r;addc.u32 R, r, r", "u32"},
	{"sub.cc.u32 R, r, r;subc.u32 R, r, r", "u32"},
	{"sub.cc.u32 R, r, r;addc.cc.u32 R, r, r;subc.u32 R, r, r", "u32"},
	{"add.cc.u32 R, r, r", "u32"}, {"sub.cc.u32 R, r, r", "u32"}, {"addc.u32 R, r, r", "u32"},
	{"subc.cc.u32 R, r, r", "u32"},
}

// rare are the instructions that become much code.
var rare = []template{
	{"mul.hi.$ D, A, A", "u64 s64"},
	{"sad.$ D, A, A, A", "u64 s64"}, {"div.rn.$ D, A, A", "f32"}, {"fma.rn.$ D, A, A, A", "f32"},
	{"sqrt.rn.$ D, A", "f32"}, {"add.rm.$ D, A, A", "f32"}, {"mul.rp.$ D, A, A", "f32"},
	{"div.rn.$ D, A, A", "f64"},
}

// compute writes an instruction that computes, sometimes guarded.
func (g *writer) compute() {
	if g.o.Later && g.one(2) {
		extension{g}.compute()
		return
	}
	t := common[g.r.IntN(len(common))]
	if g.one(60) {
		g.divide()
	}
	if g.one(30) {
		t = rare[g.r.IntN(len(rare))]
	}
	types := strings.Fields(t.types)
	of := types[g.r.IntN(len(types))]
	if of == "f64" && !g.o.Double {
		return
	}
	text := g.expand(t.text, of)
	if g.one(8) && !strings.Contains(text, ";") {
		text = g.guard() + text
	}
	g.line("%s", text)
}

// saturate writes a clamped operation.
func (g *writer) saturate() {
	d := g.register("f32")
	g.line("%s.sat.f32 %s, %s, %s", g.pick("add.rn", "mul.rn"), d, g.source("f32"), g.source("f32"))
}

// divide writes an integer division. PTX leaves the result of a division by zero open.
func (g *writer) divide() {
	t := strings.Fields(ints)[g.r.IntN(6)]
	d, by := g.two(t)
	g.line("or.b%d %s, %s, 1", bitsOf(t), by, by)
	g.line("%s%s.%s %s, %s, %s", g.maybe(), g.pick("div", "rem"), t, d, g.source(t), by)
}

// guard returns a guard.
func (g *writer) guard() string { return g.pick("@", "@!") + g.register("pred") + " " }

// expand puts types and operands into a template of one or more instructions.
func (g *writer) expand(text, t string) string {
	list := strings.Split(text, ";")
	for i, one := range list {
		op, operands, _ := strings.Cut(one, " ")
		list[i] = g.letters(op, "$CO", t) + " " + g.letters(operands, "DAWwPpnrixRXLK", t)
	}
	return strings.Join(list, ";\n\t")
}

// letters replaces some letters of a text. Two results that are predicates differ.
func (g *writer) letters(text, some, t string) string {
	var out strings.Builder
	pair := ""
	for i := range len(text) {
		c := text[i]
		if strings.IndexByte(some, c) < 0 {
			out.WriteByte(c)
			continue
		}
		s := g.operand(c, t)
		for c == 'P' && s == pair {
			s = g.operand(c, t)
		}
		if c == 'P' {
			pair = s
		}
		out.WriteString(s)
	}
	return out.String()
}

// operand returns the text for a letter of a template.
func (g *writer) operand(c byte, t string) string {
	switch c {
	case '$':
		return t
	case 'D':
		return g.register(t)
	case 'A':
		return g.source(t)
	case 'W':
		return g.register(doubled(t))
	case 'w':
		return g.source(doubled(t))
	case 'P', 'p':
		return g.register("pred")
	case 'n':
		return g.pick("", "!") + g.register("pred")
	case 'r':
		return g.count()
	case 'i':
		return g.source("s32")
	case 'x':
		return g.source("f32")
	case 'R':
		return g.register("u32")
	case 'X':
		return g.register("f32")
	case 'K':
		return fmt.Sprint(g.r.IntN(256))
	case 'L':
		return g.pick("%laneid", "%ntid.x", "%nctaid.x", "%tid.x", "%tid.y", "%ctaid.x")
	case 'C':
		return g.comparison(t)
	case 'O':
		return g.pick("and", "or", "xor")
	}
	return string(c)
}

// count returns a source of type u32, often small.
func (g *writer) count() string {
	if g.one(3) {
		return g.pick("1", "2", "7", "8", "15", "16", "17", "31", "32", "33", "47", "63", "64", "65")
	}
	return g.source("u32")
}

func (g *writer) comparison(t string) string {
	if t[0] == 'f' && g.one(2) {
		return g.pick("equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
	}
	if t[0] == 'u' && g.one(4) {
		return g.pick("lo", "ls", "hi", "hs")
	}
	return g.pick("eq", "ne", "lt", "le", "gt", "ge")
}

func doubled(t string) string {
	switch t[1:] {
	case "16":
		return t[:1] + "32"
	case "32":
		return t[:1] + "64"
	}
	return t
}
