package compile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/debuginfo"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// No branch leads to the labels.
const described = `.version 6.3
.target sm_20, debug
.address_size 64
.file 1 "a.cu"
.file 2 "b.h"
.global .b32 total;
.const .b32 factor;
.func (.param .b32 r) add(.param .b32 p) {
	.local .align 8 .b8 __local_depot1[8];
	.reg .b32 %r<3>;
	.loc 1 3 0
	ld.param.b32 %r1, [p];
	st.local.b32 [__local_depot1+4], %r1;
	add.s32 %r2, %r1, 1;
	st.param.b32 [r], %r2;
	ret;
}
.entry k(.param .u64 out, .param .align 4 .b8 s[8]) {
	.local .align 8 .b8 __local_depot0[16];
	.shared .b32 tile;
	.reg .b64 %rd<2>;
	.reg .b32 %r<5>;
	.param .b32 a;
	.param .b32 b;
	.loc 1 10 0
	ld.param.u64 %rd1, [out];
	st.local.u64 [__local_depot0+8], %rd1;
$block:
	.loc 1 11 0
	ld.param.b32 %r1, [s];
	st.shared.b32 [tile], %r1;
$inlined:
	.loc 2 20 0
	st.local.b32 [__local_depot0], %r1;
$outside:
	.loc 1 12 0
	st.param.b32 [a], %r1;
	call (b), add, (a);
	ld.param.b32 %r2, [b];
	ld.const.b32 %r3, [factor];
	add.s32 %r4, %r2, %r3;
$end:
	.loc 1 13 0
	st.global.u32 [%rd1], %r4;
	ld.global.u32 %r4, [total];
	st.global.u32 [%rd1+4], %r4;
	ret;
}
`

// sections returns the sections that describe functions of the text, whose code counts statements.
func sections(t *testing.T, functions map[string]*debuginfo.Info) []*ptx.Section {
	t.Helper()
	w := &debuginfo.Writer{File: func(path string) int { return map[string]int{"a.cu": 1, "b.h": 2}[path] }}
	for _, name := range []string{"add", "k"} {
		w.Add(name, int(functions[name].Root.Ranges[0].To), functions[name])
	}
	info := &ptx.Section{Name: "debug_info", Data: w.Info}
	for _, r := range w.Refs {
		info.Refs = append(info.Refs, ptx.SectionRef{Offset: r.Offset, Bytes: 8, Of: r.Symbol, Addend: int64(w.Info[r.Offset])})
	}
	return []*ptx.Section{{Name: "debug_abbrev", Data: debuginfo.Abbrev()}, info, {Name: "debug_ranges", Data: w.Ranges}}
}

// local returns a variable some bytes behind a name of the text.
func local(name, depot string, at uint64, t *debuginfo.Type) *debuginfo.Variable {
	return &debuginfo.Variable{Name: name, Type: t, Place: debuginfo.Place{Space: debuginfo.Local, Symbol: depot, Offset: at}}
}

func describedModule(t *testing.T) *ptx.Module {
	t.Helper()
	m, err := ptx.Parse("a.ptx", []byte(described))
	require.NoError(t, err)
	integer := &debuginfo.Type{Kind: debuginfo.Signed, Name: "int", Size: 4, Sign: true}
	pair := &debuginfo.Type{Kind: debuginfo.Struct, Name: "pair", Size: 8, Keyword: "struct",
		Members: []debuginfo.Member{{Name: "x", Type: integer}, {Name: "y", Type: integer, Offset: 4}}}
	label := func(name string) uint64 {
		for i, s := range m.Func("k").Body {
			if l, ok := s.(*ptx.Label); ok && l.Name == name {
				return uint64(i)
			}
		}
		t.Fatal(name)
		return 0
	}
	parameter := local("p", "__local_depot1", 4, integer)
	parameter.Param = true
	out, structure := local("out", "__local_depot0", 8, &debuginfo.Type{Kind: debuginfo.Pointer, Elem: integer}),
		&debuginfo.Variable{Name: "s", Type: pair, Param: true}
	out.Param = true
	inlined := &debuginfo.Scope{Function: "f", Call: debuginfo.Line{File: "a.cu", Line: 11},
		Ranges:    []debuginfo.Range{{From: label("$inlined"), To: label("$end")}},
		Variables: []*debuginfo.Variable{local("v", "__local_depot0", 0, integer)}}
	block := &debuginfo.Scope{Ranges: []debuginfo.Range{{From: label("$block"), To: label("$end")}},
		Inner:     []*debuginfo.Scope{inlined},
		Variables: []*debuginfo.Variable{{Name: "tile", Type: integer, Place: debuginfo.Place{Space: debuginfo.Shared, Symbol: "tile"}}}}
	whole := func(name string) []debuginfo.Range { return []debuginfo.Range{{To: uint64(len(m.Func(name).Body))}} }
	m.Sections = sections(t, map[string]*debuginfo.Info{
		"add": {Root: &debuginfo.Scope{Function: "add", Ranges: whole("add"), Variables: []*debuginfo.Variable{parameter}}},
		"k": {Root: &debuginfo.Scope{Function: "k", Ranges: whole("k"), Inner: []*debuginfo.Scope{block},
			Variables: []*debuginfo.Variable{out, structure}},
			Globals: []*debuginfo.Variable{
				{Name: "total", Type: integer, Place: debuginfo.Place{Space: debuginfo.Global, Symbol: "total"}},
				{Name: "factor", Type: integer, Place: debuginfo.Place{Space: debuginfo.Const, Symbol: "factor"}}}},
	})
	return m
}

// Scopes and variables of the text become those of the machine code, with functions in the places of
// their calls, and survive in a file. They change no code.
func TestDebug(t *testing.T) {
	m := describedModule(t)
	im, err := compile.Compile(m, compile.Options{Arch: tesla.SM13, Verify: true})
	require.NoError(t, err)
	k := &im.Kernels[0]
	var lines []string
	for pc := uint32(0); pc < uint32(4*len(k.Code)); pc += 4 {
		l, _ := k.LineAt(pc)
		text := ""
		for _, f := range k.Debug.Frames(uint64(pc), debuginfo.Line{File: l.File, Line: l.Line}) {
			text += f.Function + " " + cubin.Line{File: f.Line.File, Line: f.Line.Line}.String() + " "
		}
		for _, v := range k.Debug.Variables(uint64(pc)) {
			text += v.Name + "=" + v.Place.String() + " "
		}
		if len(lines) == 0 || lines[len(lines)-1] != text {
			lines = append(lines, text)
		}
	}
	const around = "out=local:0x8 s=shared:0x18 total=global:total factor=const:factor "
	require.Equal(t, []string{
		"k a.cu:10 " + around,
		"k a.cu:11 tile=shared:0x20 " + around,
		"f b.h:20 k a.cu:11 v=local:0x0 total=global:total factor=const:factor ",
		"add a.cu:3 k a.cu:12 p=local:0x14 total=global:total factor=const:factor ",
		"k a.cu:12 tile=shared:0x20 " + around,
		"k a.cu:13 " + around,
	}, lines)

	file, err := cubin.FormatELF(im)
	require.NoError(t, err)
	again, err := cubin.Parse(file)
	require.NoError(t, err)
	require.Equal(t, k.Debug, again.Kernels[0].Debug)
	require.Equal(t, k.Lines, again.Kernels[0].Lines)

	m.Sections = nil
	plain, err := compile.Compile(m, compile.Options{Arch: tesla.SM13})
	require.NoError(t, err)
	require.Nil(t, plain.Kernels[0].Debug)
	require.Equal(t, plain.Kernels[0].Code, k.Code)
	require.Equal(t, plain.Kernels[0].Lines, k.Lines)
}

// Broken debugging information is passed over, in a text and in a file: code runs without it.
func TestDebugBroken(t *testing.T) {
	m := describedModule(t)
	im, err := compile.Compile(m, compile.Options{Arch: tesla.SM13})
	require.NoError(t, err)
	file, err := cubin.FormatELF(im)
	require.NoError(t, err)
	for at := range file {
		broken := append([]byte(nil), file...)
		broken[at] ^= 0x5a
		_, _ = cubin.Parse(broken)
	}
	data := m.Sections[1].Data
	for at := range data {
		data[at] ^= 0xff
		broken, err := compile.Compile(m, compile.Options{Arch: tesla.SM13})
		data[at] ^= 0xff
		require.NoError(t, err)
		require.Equal(t, im.Kernels[0].Code, broken.Kernels[0].Code)
	}
}
