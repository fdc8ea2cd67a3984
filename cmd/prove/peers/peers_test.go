package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// tree writes files into a folder of the test.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		path = filepath.Join(root, filepath.FromSlash(path))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return root
}

// kernel is a kernel that stores what code leaves in %r0 of the word that it reads into %r1.
func kernel(name, bits, code string) string {
	return ".version 9.0\n.target sm_90\n.address_size " + bits + "\n.extern .func (.param .b32 r) other();\n" +
		".entry " + name + "(.param .b" + bits + " in, .param .b" + bits + " out) {\n" +
		".reg .b32 %r<9>; .reg .b" + bits + " %p<3>; .param .b32 x;\n" +
		"ld.param.b" + bits + " %p0, [in]; ld.param.b" + bits + " %p1, [out];\n" +
		"ld.global.b32 %r1, [%p0];\n" + code + "\nst.global.b32 [%p1], %r0;\nret;\n}\n"
}

// The tests of ZLUDA run with their inputs, on both bodies, and wrong results are found.
func TestZluda(t *testing.T) {
	root := tree(t, map[string]string{
		"ptx/src/test/spirv_run/mod.rs": `
macro_rules! test_ptx { ($fn_name:ident) => {}; }
test_ptx!(twice, [0x15u32], [0b101010u32]);
// test_ptx!(gone, [1u32], [2u32]);
test_ptx!(
    wrong,
    [-3i32, 4], // more than one line
    [7i32]
);
test_ptx!(refused, [1u32], [1u32]);
test_ptx!(calls);
test_ptx_with_32!(wide, [f32::from_bits(0x3f800000), 2.5], [half::f16::from_f32(1.0), half::f16::NAN]);
test_ptx_warp!(lanes, [0u8, 1, 2, 3]);
`,
		"ptx/src/test/spirv_run/twice.ptx":   kernel("twice", "64", "add.u32 %r0, %r1, %r1;"),
		"ptx/src/test/spirv_run/wrong.ptx":   kernel("wrong", "64", "add.u32 %r0, %r1, 1;"),
		"ptx/src/test/spirv_run/refused.ptx": kernel("refused", "64", "mma.sync %r0, %r1;"),
		"ptx/src/test/spirv_run/calls.ptx":   kernel("calls", "64", "call (x), other; ld.param.b32 %r0, [x];"),
		"ptx/src/test/spirv_run/wide.ptx":    kernel("wide", "64", "mov.b32 %r0, 0x7e003c00;"),
		"ptx/src/test/spirv_run/32/wide.ptx": kernel("wide", "32", "mov.b32 %r0, 0x7e003c00;"),
		"ptx/src/test/spirv_run/lanes.ptx":   kernel("lanes", "64", "mov.b32 %r0, 0x03020100;"),
	})
	all, err := zluda(context.Background(), root)
	require.NoError(t, err)
	want := map[string]verdict{"twice": passed, "wrong": different, "refused": refused, "calls": passed, "wide": passed, "32/wide": passed, "lanes": passed}
	require.Len(t, all, len(want))
	for _, o := range all {
		require.Equal(t, want[o.name], o.verdict, "%s: %s", o.name, o.reason)
	}
	require.Equal(t, "the machine gives 0xfffffffe, expected 0x7; the reference gives 0xfffffffe, expected 0x7", all[1].reason)

	var out bytes.Buffer
	require.ErrorIs(t, run(context.Background(), []string{"-zluda", root}, &out), errWrong)
	require.Contains(t, out.String(), "| ZLUDA | 7 | 5 | 1 | 1 |\n")
	require.Contains(t, out.String(), "| ZLUDA | `refused` | 9:1: mma is not supported: the devices have no matrix units | as the message says |\n")
}

func TestArrays(t *testing.T) {
	for text, want := range map[string]values{
		"[1u64]":                           {"u64", []uint64{1}},
		"[0x1_0, -1,]":                     {"i32", []uint64{16, 1<<64 - 1}},
		"[0.5, 1.0f32]":                    {"f32", []uint64{0x3f000000, 0x3f800000}},
		"[1.5]":                            {"f64", []uint64{0x3ff8000000000000}},
		"[i32::MIN, u32::MAX]":             {"i32", []uint64{0xffffffff80000000, 0xffffffff}},
		"[u64::max_value()]":               {"u64", []uint64{1<<64 - 1}},
		"[f32::NEG_INFINITY]":              {"f32", []uint64{0xff800000}},
		"[std::f32::consts::PI / 2f32]":    {"f32", []uint64{0x3fc90fdb}},
		"[0u16, half::f16::NAN.to_bits()]": {"u16", []uint64{0, 0x7e00}},
		"[half::f16::from_f64(123.0), half::f16::from_bits(0x35aa)]": {"f16", []uint64{0x57b0, 0x35aa}},
	} {
		got, err := arrayOf(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	_, err := arrayOf("[f32::EPSILON]")
	require.Error(t, err)
	f := values{"f32", []uint64{0x80000000}}
	require.True(t, f.equal([]byte{0, 0, 0, 0}), "zeros are equal")
	require.False(t, values{"u32", []uint64{1 << 31}}.equal([]byte{0, 0, 0, 0}))
	require.False(t, values{"f32", []uint64{0x7fc00000}}.equal([]byte{0, 0, 0xc0, 0x7f}), "a NaN equals nothing")
}

func TestOptions(t *testing.T) {
	for source, want := range map[string][]string{
		"; RUN: llc < %s -march=nvptx64 -mcpu=sm_20 | FileCheck %s":             {"-march=nvptx64", "-mcpu=sm_20", "-o", "-"},
		"; RUN: opt < %s\n; RUN: llc -mattr=+ptx62 \\\n; RUN:   -O0 %s -o %t\n": {"-mattr=+ptx62", "-O0", "-o", "-"},
		"; RUN: not llc < %s 2>&1 | FileCheck %s":                               nil,
	} {
		got, ok := options(source)
		require.Equal(t, want != nil, ok, source)
		require.Equal(t, want, got, source)
	}
}

// gpuocelot's files are compiled, and a page takes only the tables of all projects.
func TestOcelot(t *testing.T) {
	root := tree(t, map[string]string{"a/b.ptx": kernel("k", "64", "mov.u32 %r0, 1;"), "c.ptx": ".version 3.0\n.target sm_20\nnonsense"})
	all, err := ocelot(context.Background(), root)
	require.NoError(t, err)
	require.Equal(t, []outcome{{name: "a/b.ptx"}, {"c.ptx", refused, `3:1: found "nonsense"; expected a directive such as .entry, .func or .global`}}, all)
	require.Error(t, run(context.Background(), []string{"-ocelot", root, "-page", filepath.Join(root, "page.md")}, new(bytes.Buffer)))
	require.Error(t, run(context.Background(), nil, new(bytes.Buffer)))
}

func TestInsert(t *testing.T) {
	path := filepath.Join(tree(t, map[string]string{"page.md": "a\n" + firstMark + "\nold\n" + lastMark + "\nb\n"}), "page.md")
	require.NoError(t, insert(path, []result{{"X", []outcome{{name: "one"}, {"two", refused, "1:1: a|b"}}}}))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "| X | 2 | 1 | 1 | 0 |\n")
	require.Contains(t, string(text), "| X | `two` | 1:1: a\\|b | not done yet |\n"+lastMark+"\nb\n")
	require.NotContains(t, string(text), "old")
}
