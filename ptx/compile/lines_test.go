package compile_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/ptxrandom"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

const lined = `.version 2.3
.target sm_10
.file 3 "a.cu"
.file 7 "b.h"
.entry first(.param .u32 out) {
	.reg .u32 %r1;
	.loc 3 10 0
	ld.param.u32 %r1, [out];
	st.global.u32 [%r1], 7;
	.loc 7 20 0
	st.global.u32 [%r1+4], 8;
	.loc 3 11 0
	exit;
}
.entry second(.param .u32 out) {
	.reg .u32 %r1;
	ld.param.u32 %r1, [out];
	st.global.u32 [%r1], 7;
	exit;
}
`

// Line tables name the files and lines of .loc, and survive in a file.
func TestLines(t *testing.T) {
	m, err := ptx.Parse("k.ptx", []byte(lined))
	require.NoError(t, err)
	reported := 0
	img, err := compile.Compile(m, compile.Options{Report: func(*cubin.Kernel, compile.Usage) { reported++ }})
	require.NoError(t, err)
	require.Equal(t, 2, reported)
	var named []string
	for _, l := range img.Kernels[0].Lines {
		named = append(named, l.String())
	}
	require.Subset(t, []string{"a.cu:10", "b.h:20", "a.cu:11"}, named)
	require.Contains(t, named, "b.h:20")
	require.Nil(t, img.Kernels[1].Lines)

	data, err := cubin.FormatELF(img)
	require.NoError(t, err)
	again, err := cubin.Parse(data)
	require.NoError(t, err)
	require.Equal(t, img.Kernels, again.Kernels)
}

// A kernel without .loc lines gets the lines of the text if these are wanted, and stays the same
// otherwise.
func TestTextLines(t *testing.T) {
	m, err := ptx.Parse("k.ptx", []byte(lined))
	require.NoError(t, err)
	without, err := compile.Compile(m, compile.Options{})
	require.NoError(t, err)
	with, err := compile.Compile(m, compile.Options{TextLines: true})
	require.NoError(t, err)
	require.Equal(t, without.Kernels[0], with.Kernels[0])
	var named []string
	for _, l := range with.Kernels[1].Lines {
		named = append(named, l.String())
	}
	require.Contains(t, named, "k.ptx:18")
	with.Kernels[1].Lines = nil
	require.Equal(t, without.Kernels[1], with.Kernels[1])
}

// Passes names the passes that Observe is told of, in their order, and each has a sentence.
func TestPasses(t *testing.T) {
	m, err := ptx.Parse("k.ptx", []byte(lined))
	require.NoError(t, err)
	var told []string
	_, err = compile.Compile(m, compile.Options{Observe: func(kernel, pass string, form fmt.Stringer) {
		if kernel == "second" {
			told = append(told, pass)
		}
		require.NotEmpty(t, form.String())
	}})
	require.NoError(t, err)
	var names []string
	for _, p := range compile.Passes() {
		names = append(names, p.Name)
		require.NotEmpty(t, p.What, p.Name)
	}
	require.Equal(t, names, told)
}

// TestText reads the text of each kernel back, after each pass that has single assignment.
func TestText(t *testing.T) {
	for seed := range uint64(20) {
		m, err := ptx.Parse("k.ptx", []byte(ptxrandom.New(seed, ptxrandom.Options{}).Text))
		require.NoError(t, err)
		_, err = compile.Compile(m, compile.Options{Arch: tesla.SM13, Observe: func(_, pass string, form fmt.Stringer) {
			if _, ok := form.(*ir.Func); ok {
				f, err := ir.Parse(form.String())
				require.NoError(t, err, pass)
				require.Equal(t, form.String(), f.String(), pass)
			}
		}})
		require.NoError(t, err)
	}
}
