package ptxrandom

import (
	"fmt"
	"strings"
)

// bits are instructions of later devices that work on integers and on single floats. K is a number
// of 8 bits.
var bits = []template{
	{"popc.$ R, A", "b32 b64"}, {"clz.$ R, A", "b32 b64"}, {"brev.$ D, A", "b32 b64"},
	{"bfind.$ R, A", "u32 s32 u64 s64"}, {"bfind.shiftamt.$ R, A", "u32 s32 u64 s64"},
	{"bfe.$ D, A, r, r", "u32 s32 u64 s64"}, {"bfi.$ D, A, A, r, r", "b32 b64"},
	{"prmt.$ R, r, r, r", "b32 b32.f4e b32.b4e b32.rc8 b32.ecl b32.ecr b32.rc16"},
	{"lop3.b32 R, r, r, r, K", "b32"}, {"lop3.$.b32 R|P, r, r, r, K, n", "and or"},
	{"shf.$.b32 R, r, r, r", "l.wrap l.clamp r.wrap r.clamp"},
	{"dp4a.$ R, r, r, r", "u32.u32 u32.s32 s32.u32 s32.s32"},
	{"dp2a.$ R, r, r, r", "lo.u32.u32 lo.s32.u32 hi.u32.s32 hi.s32.s32"},
	{"bmsk.$.b32 R, r, r", "clamp wrap"}, {"szext.$ R, r, r", "clamp.u32 clamp.s32 wrap.u32 wrap.s32"},
	{"fns.b32 R, r, r, i", "b32"}, {"copysign.$ D, A, A", "f32 f64"},
	{"testp.finite.$ P, A", "f32 f64"}, {"testp.normal.$ P, A", "f32 f64"}, {"testp.subnormal.$ P, A", "f32 f64"},
	{"mad.hi.sat.$ D, A, A, A", "s32"}, {"mad.lo.cc.u32 R, r, r, r;madc.hi.u32 R, r, r, r", "u32"},
	{"add.$ R, r, r", "u16x2 s16x2"}, {"min.$ R, r, r", "u16x2 s16x2"}, {"max.$ R, r, r", "u16x2 s16x2"},
	{"max.relu.$ R, r, r", "s32 s16x2"}, {"min.relu.$ R, r, r", "s32 s16x2"},
	{"min.NaN.f32 X, x, x", "f32"}, {"max.xorsign.abs.f32 X, x, x", "f32"}, {"fma.rm.f32 X, x, x, x", "f32"},
	{"cvt.pack.sat.$.s32 R, i, i", "u16 s16"}, {"cvt.pack.sat.$.s32.b32 R, i, i, r", "u8 s8 u4 s4 u2 s2"},
}

// extension writes instructions that sm_13 does not have.
type extension struct{ *writer }

// compute writes one of them.
func (g extension) compute() {
	switch g.r.IntN(5) {
	case 0:
		g.half()
	case 1:
		g.convertHalf()
	case 2:
		g.video()
	case 3:
		g.lanes()
	default:
		t := bits[g.r.IntN(len(bits))]
		types := strings.Fields(t.types)
		of := types[g.r.IntN(len(types))]
		if of == "f64" && !g.o.Double {
			return
		}
		text := g.expand(t.text, of)
		if !strings.Contains(text, ";") {
			text = g.maybe() + text
		}
		g.line("%s", text)
	}
}

// halfRegister returns a register for a type of half precision, or for a pair of such.
func (g extension) halfRegister(t string) string {
	if strings.HasSuffix(t, "x2") {
		return g.register("u32")
	}
	return g.register("u16")
}

// half writes arithmetic of half precision, or a comparison.
func (g extension) half() {
	t := g.pick("f16", "f16x2", "bf16", "bf16x2")
	r := func() string { return g.halfRegister(t) }
	switch g.r.IntN(5) {
	case 0:
		g.line("%sfma.rn%s.%s %s, %s, %s, %s", g.maybe(), g.pick("", ".relu"), t, r(), r(), r(), r())
	case 1:
		g.line("%s%s%s.%s %s, %s, %s", g.maybe(), g.pick("min", "max"), g.pick("", ".NaN"), t, r(), r(), r())
	case 2:
		g.line("%s%s.%s %s, %s", g.maybe(), g.pick("neg", "abs"), t, r(), r())
	case 3:
		g.compareHalf(t)
	default:
		sat := ""
		if t[0] == 'f' {
			sat = g.pick("", "", ".sat")
		}
		g.line("%s%s.rn%s.%s %s, %s, %s", g.maybe(), g.pick("add", "sub", "mul"), sat, t, r(), r(), r())
	}
}

func (g extension) compareHalf(t string) {
	cmp := g.pick("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "geu", "num", "nan")
	a, b := g.halfRegister(t), g.halfRegister(t)
	switch {
	case strings.HasSuffix(t, "x2"):
		p, q := g.two("pred")
		g.line("setp.%s.%s %s|%s, %s, %s", cmp, t, p, q, a, b)
	case g.one(3):
		g.line("%sset.%s.%s.%s %s, %s, %s", g.maybe(), cmp, t, t, g.halfRegister(t), a, b)
	default:
		g.line("%ssetp.%s.%s %s, %s, %s", g.maybe(), cmp, t, g.register("pred"), a, b)
	}
}

// convertHalf writes a conversion from or to half precision.
func (g extension) convertHalf() {
	h, f := g.register("u16"), g.register("f32")
	switch g.r.IntN(7) {
	case 0:
		g.line("%scvt.%s.%s.f32 %s, %s", g.maybe(), g.pick("rn", "rz"), g.pick("f16", "bf16"), h, f)
	case 1:
		g.line("%scvt.f32.%s %s, %s", g.maybe(), g.pick("f16", "bf16"), f, h)
	case 2:
		g.line("%scvt.%s%s.%s.f32 %s, %s, %s", g.maybe(), g.pick("rn", "rz"), g.pick("", ".relu"), g.pick("f16x2", "bf16x2"),
			g.register("u32"), f, g.register("f32"))
	case 3:
		i := g.intType()
		g.line("%scvt.%s.f16.%s %s, %s", g.maybe(), g.pick("rn", "rz"), i, h, g.container(i))
	case 4:
		i := g.intType()
		g.line("%scvt.%s.%s.f16 %s, %s", g.maybe(), g.pick("rni", "rzi", "rmi", "rpi"), i, g.container(i), h)
	case 5:
		g.line("%scvt.%s.f16.f16 %s, %s", g.maybe(), g.pick("rni", "rzi", "rmi", "rpi"), g.register("u16"), h)
	default:
		if g.o.Double {
			g.line("%scvt.%s.f16.f64 %s, %s", g.maybe(), g.pick("rn", "rz"), h, g.register("f64"))
		}
	}
}

// video writes an instruction on bytes, halves and words.
func (g extension) video() {
	word := func() string { return g.pick("u32", "s32") }
	part := func() string { return g.pick("", "", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1") }
	r := func() string { return g.register("u32") }
	if g.one(6) {
		g.line("%svmad.%s.%s.%s%s%s %s, %s%s, %s%s, %s", g.maybe(), word(), word(), word(), g.pick("", ".sat", ".po"),
			g.pick("", ".shr7", ".shr15"), r(), r(), part(), r(), part(), r())
		return
	}
	var op string
	switch name := g.pick("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset"); name {
	case "vset":
		op = fmt.Sprintf("vset.%s.%s.%s", word(), word(), g.comparison("s32"))
	case "vshl", "vshr":
		op = fmt.Sprintf("%s.%s.%s.u32%s%s", name, word(), word(), g.pick("", ".sat"), g.pick(".clamp", ".wrap"))
	default:
		op = fmt.Sprintf("%s.%s.%s.%s%s", name, word(), word(), word(), g.pick("", ".sat"))
	}
	a, b := r()+part(), r()+part()
	switch g.r.IntN(3) {
	case 0:
		g.line("%s%s %s, %s, %s", g.maybe(), op, r(), a, b)
	case 1:
		g.line("%s%s%s %s, %s, %s, %s", g.maybe(), op, g.pick(".add", ".min", ".max"), r(), a, b, r())
	default:
		to := g.pick(".b0", ".b1", ".b2", ".b3", ".h0", ".h1")
		g.line("%s%s %s%s, %s, %s, %s", g.maybe(), op, r(), to, a, b, r())
	}
}

// lanes writes an instruction on two halves or four bytes at once.
func (g extension) lanes() {
	n := g.pick("2", "4")
	word := func() string { return g.pick("u32", "s32") }
	op := fmt.Sprintf("%s%s.%s.%s.%s%s", g.pick("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"), n, word(), word(), word(),
		g.pick("", ".sat", ".add"))
	if g.one(6) {
		op = fmt.Sprintf("vset%s.%s.%s.%s%s", n, word(), word(), g.comparison("s32"), g.pick("", ".add"))
	}
	r := func() string { return g.register("u32") }
	mask := g.pick("", ".b0", ".b3", ".b20", ".b321", ".b3210")
	source := func() string {
		if g.one(2) {
			return r()
		}
		return fmt.Sprintf("%s.b%d%d%d%d", r(), g.r.IntN(8), g.r.IntN(8), g.r.IntN(8), g.r.IntN(8))
	}
	if n == "2" {
		mask = g.pick("", ".h0", ".h1", ".h10")
		source = func() string {
			if g.one(2) {
				return r()
			}
			return fmt.Sprintf("%s.h%d%d", r(), g.r.IntN(4), g.r.IntN(4))
		}
	}
	g.line("%s%s %s%s, %s, %s, %s", g.maybe(), op, r(), mask, source(), source(), r())
}
