package ptx

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// instrOf reads one instruction of a body.
func instrOf(t *testing.T, text string) *Instr {
	t.Helper()
	body := parseBody(t, "\t"+text+"\n").Func("k").Body
	ins, ok := body[len(body)-1].(*Instr)
	require.True(t, ok, text)
	return ins
}

func TestImmediates(t *testing.T) {
	for _, c := range []struct {
		text string
		want uint64
	}{
		{"mov.u32 %b32_0, 0x1fU;", 0x1f},
		{"mov.u32 %b32_0, 017;", 15},
		{"mov.u32 %b32_0, 0b101;", 5},
		{"mov.s32 %b32_0, -1;", math.MaxUint64},
		{"mov.u32 %b32_0, 0xffffffff;", 0xffffffff},
		{"mov.u64 %b64_0, 18446744073709551615;", math.MaxUint64},
		{"mov.u32 %b32_0, WARP_SZ * 2;", 64},
		{"mov.u32 %b32_0, (.s64)3.9 + (2 > 1);", 4},
		{"mov.u32 %b32_0, 7 & 3 | 8;", 11},
		{"mov.s32 %b32_0, -7 / 2;", uint64(math.MaxUint64 - 2)},
		{"mov.f32 %b32_0, 1;", 0x3f800000},
		{"mov.f32 %b32_0, -1.5;", 0xbfc00000},
		{"mov.f32 %b32_0, 0f7fc00001;", 0x7fc00001},
		{"mov.f32 %b32_0, 0d3ff0000000000000;", 0x3f800000},
		{"mov.f32 %b32_0, -0f00000000;", 0x80000000},
		{"mov.f64 %b64_0, 0f3f800000;", 0x3ff0000000000000},
		{"mov.f64 %b64_0, 3;", 0x4008000000000000},
		{"mov.b32 %b32_0, 0f3f800000;", 0x3f800000},
		{"mov.b64 %b64_0, 1.0;", 0x3ff0000000000000},
		{"mov.pred %p0, -1;", 1},
		{"mov.f16 %b16_0, 1.5;", 0x3e00},
		{"mov.f16 %b16_0, 0x3c00;", 0x3c00},
	} {
		ins := instrOf(t, c.text)
		require.Equal(t, Immediate, ins.Args[1].Kind, c.text)
		require.Equal(t, c.want, ins.Args[1].Value, c.text)
	}
}

func TestModifiers(t *testing.T) {
	cvt := instrOf(t, "cvt.f32.f64.rn.ftz %b32_0, %b64_1;")
	require.Equal(t, []any{F32, F64, RN, Ftz}, []any{cvt.Type, cvt.From, cvt.Round, cvt.Mods})
	setp := instrOf(t, "@!%p1 setp.s32.lt.and %p0|%p3, %b32_0, 5, !%p2;")
	require.Equal(t, []any{S32, Lt, And}, []any{setp.Type, setp.Cmp, setp.Bool})
	require.Equal(t, "%p3", setp.Args[0].Pair.Name)
	require.True(t, setp.Args[3].Not)
	require.True(t, setp.Guard.Not)
	require.Equal(t, "%p1", setp.Guard.Pred.Name)
	mad := instrOf(t, "mad.wide.u16 %b32_0, %b16_1, 3, %b32_2;")
	require.Equal(t, []any{Wide, U16}, []any{mad.Mods, mad.Type})
	ld := instrOf(t, "ld.volatile.shared.v2.f32 {%b32_0, _}, [sh+8];")
	require.Equal(t, []any{Shared, 2, Volatile}, []any{ld.Space, ld.Vector, ld.Mods})
	require.Equal(t, Discard, ld.Args[0].List[1].Kind)
	require.Equal(t, 1, instrOf(t, "ld.u32 %b32_0, [%b64_1];").Vector)
	atom := instrOf(t, "atom.release.cta.global.add.u32 %b32_0, [%b64_1], 1;")
	require.Equal(t, []any{AtomAdd, OrderRelease, ScopeCTA}, []any{atom.Atom, atom.Order, atom.Scope})
	bar := instrOf(t, "bar.red.popc.u32 %b32_0, 1, !%p0;")
	require.Equal(t, []any{BarRed, AtomAdd, Aligned}, []any{bar.Mode, bar.Atom, bar.Mods})
	warp := instrOf(t, "bar.warp.sync -1;")
	require.Equal(t, []any{BarWarp, Sync}, []any{warp.Mode, warp.Mods})
	require.Equal(t, FenceGL, instrOf(t, "fence.acq_rel.gpu;").Mode)
}

func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		operand string
		name    string
		value   int64
	}{
		{"[%b64_1]", "%b64_1", 0}, {"[%b64_1+4]", "%b64_1", 4}, {"[%b64_1+-4]", "%b64_1", -4},
		{"[%b64_1-4+2*3]", "%b64_1", 2}, {"[table+0x10]", "table", 16}, {"[1024]", "", 1024},
		{"table[1]", "table", 8}, {"table[1][1]", "table", 12}, {"[out]", "out", 0},
	} {
		o := instrOf(t, "ld.u32 %b32_0, "+c.operand+";").Args[1]
		require.Equal(t, Address, o.Kind, c.operand)
		require.Equal(t, c.value, int64(o.Value), c.operand)
		if c.name == "" {
			require.Nil(t, o.Var)
			continue
		}
		require.Equal(t, c.name, o.Var.Name)
	}
	o := instrOf(t, "mov.u64 %b64_0, table+4;").Args[1]
	require.Equal(t, []any{Symbol, "table", uint64(4)}, []any{o.Kind, o.Var.Name, o.Value})
	o = instrOf(t, "mov.u64 %b64_0, f;").Args[1]
	require.Equal(t, []any{Symbol, "f"}, []any{o.Kind, o.Func.Name})
}

func TestCallOperands(t *testing.T) {
	call := instrOf(t, "call (%b32_0), f, (%b32_1, 2, 1.0);")
	require.Len(t, call.Args, 3)
	require.Equal(t, "%b32_0", call.Args[0].List[0].Var.Name)
	require.Equal(t, "f", call.Args[1].Func.Name)
	require.Equal(t, uint64(0x3f800000), call.Args[2].List[2].Value)
	call = instrOf(t, "call f;")
	require.Equal(t, []OperandKind{List, Symbol, List},
		[]OperandKind{call.Args[0].Kind, call.Args[1].Kind, call.Args[2].Kind})
}

func TestTextureOperands(t *testing.T) {
	vector := "{%b32_0, %b32_1, %b32_2, %b32_3}"
	kinds := func(text string) (all []OperandKind) {
		for _, o := range instrOf(t, text).Args {
			all = append(all, o.Kind)
		}
		return all
	}
	require.Equal(t, []OperandKind{List, Address, List},
		kinds("tex.1d.v4.f32.s32 "+vector+", [t, 5];"))
	require.Equal(t, []OperandKind{List, Address, Address, List},
		kinds("tex.1d.v4.f32.s32 "+vector+", [t, %b64_0, {%b32_4}];"))
	require.Equal(t, []OperandKind{Address, List, Register},
		kinds("sust.b.1d.b32.trap [t, {%b32_0}], %b32_1;"))
}

func TestDeclarationAndDefinition(t *testing.T) {
	m, err := Parse("", []byte(`.version 3.0
.func (.param .u32 _) odd(.param .u32 _);
.func even() { .reg .u32 r; call (r), odd, (r); ret; }
.func (.param .u32 out) odd(.param .u32 in) { call even; ret; }
`))
	require.NoError(t, err)
	require.Len(t, m.Items, 2)
	odd := m.Func("odd")
	require.Equal(t, "in", odd.Params[0].Name)
	require.Same(t, odd, m.Func("even").Body[1].(*Instr).Args[1].Func)
	require.Nil(t, m.Func("none"))
}

func TestAddressBits(t *testing.T) {
	for text, want := range map[string]int{
		".version 3.0 .address_size 32":                                               32,
		".version 1.4 .entry k(.param .u32 a) { exit; }":                              32,
		".version 1.4 .entry k(.param .u64 a) { exit; }":                              64,
		".version 1.4 .entry k { .reg .u64 r; st.u32 [r], 1; }":                       64,
		".version 1.4 .entry k(.param .u64 a) { .reg .u32 r; st.shared.u32 [r], 1; }": 32,
	} {
		m, err := Parse("", []byte(text))
		require.NoError(t, err)
		require.Equal(t, want, m.AddressBits, text)
	}
}

func TestRegisters(t *testing.T) {
	m, err := Parse("", []byte(`.version 2.0
.reg .u32 shared<2>;
.func (.reg .u32 r) f(.reg .u32 a, .param .u32 p) {
	.reg .u32 %r<2>, single, %q<1>;
	mov.u32 r, shared1;
}
`))
	require.NoError(t, err)
	var names []string
	for i, v := range m.Func("f").Regs {
		require.Equal(t, i, v.Index)
		names = append(names, v.Name)
	}
	require.Equal(t, []string{"r", "a", "shared0", "shared1", "%r0", "%r1", "single", "%q0"}, names)
	require.Equal(t, 1, m.Func("f").Params[1].Index)
}

func TestContent(t *testing.T) {
	m, err := Parse("", []byte(`.version 3.0
.global .u16 x[][2] = {{1}, {2, -1}, 5};
.global .u64 p[2] = {x+4, generic(x)-8};
.global .b8 b[2] = {0, 0xff00(x)};
`))
	require.NoError(t, err)
	x := m.Var("x")
	require.Equal(t, []int{3, 2}, x.Dims)
	require.Equal(t, 12, x.Bytes())
	require.Equal(t, []byte{1, 0, 0, 0, 2, 0, 255, 255, 5, 0}, x.Init.Bytes)
	require.Equal(t, []Ref{{Offset: 0, Bytes: 8, Of: x, Addend: 4},
		{Offset: 8, Bytes: 8, Of: x, Addend: -8, Generic: true}}, m.Var("p").Init.Refs)
	require.Equal(t, []Ref{{Offset: 1, Bytes: 1, Of: x, Shift: 8}}, m.Var("b").Init.Refs)
}

// LLVM makes one integer of a bit-field of 17 to 24 bits, and names a type that PTX does not have.
func TestIntegersOfOddWidth(t *testing.T) {
	m, err := Parse("", []byte(`.version 3.0
.global .align 4 .u24 x = 4193197;
.const .align 8 .u56 y = -2;
.visible .global .align 8 .u40 z;
`))
	require.NoError(t, err)
	require.Equal(t, []byte{0xad, 0xfb, 0x3f}, m.Var("x").Init.Bytes)
	require.Equal(t, []byte{0xfe, 255, 255, 255, 255, 255, 255}, m.Var("y").Init.Bytes)
	require.Equal(t, 5, m.Var("z").Bytes())
	require.Equal(t, 8, m.Var("z").Align)
	for text, want := range map[string]string{
		".global .u24 x[2] = {1, 2};": `found "["; expected ";"`,
		".global .u24 x = 1.5;":       "found a float; .u24 takes an integer",
		".shared .u24 x;":             `found ".u24"; expected a type`,
	} {
		_, err := Parse("", []byte(".version 3.0\n"+text))
		require.ErrorContains(t, err, want)
	}
}
