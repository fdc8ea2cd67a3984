package ssabuild_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/cases"
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
	"jacquard/ptx/compile/ssabuild"
	"jacquard/tesla"
)

var update = flag.Bool("update", false, "rewrite what is built in testdata")

// registers are the registers of the statements in testdata: %r1 has 32 bits, %l1 64, %h1 16.
const registers = `.reg .b32 %r<20>; .reg .b64 %l<20>; .reg .b16 %h<20>; .reg .f32 %f<20>;
.reg .f64 %d<20>; .reg .pred %p<20>; .shared .u32 array[64]; .local .u32 own[4];
`

// TestBuild builds the statements in testdata for sm_13. A title may begin with settings in brackets:
//
//	sm_N            PTX for another target
//	on sm_N         another architecture
//	map_f64_to_f32  PTX 1.4 with f32 for f64
//	const           the kernel's parameters lie in constant memory
//	silent          without a buffer for what kernels print
//	lines           the source's lines of values and of ends of blocks instead of the values
//
// What stands before a line "kernel:" belongs to the module.
func TestBuild(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		cases.Run(t, file, *update, func(t *testing.T, title, body string) string {
			f, err := build(t, title, body)
			if err != nil {
				return "error: " + err.Error()
			}
			f.Order()
			require.NoError(t, ir.Verify(f))
			if strings.Contains(setting(title), "lines") {
				return lines(f)
			}
			return strings.TrimPrefix(f.String(), "k\n")
		})
	}
}

// setting returns the settings of a title.
func setting(title string) string {
	inside, _, found := strings.Cut(strings.TrimPrefix(title, "["), "]")
	if !found {
		return ""
	}
	return inside
}

// build builds the kernel of a case.
func build(t *testing.T, title, body string) (*ir.Func, error) {
	set := setting(title)
	target := ".version 2.3\n.target sm_13\n"
	var later int
	if _, err := fmt.Sscanf(set, "sm_%d", &later); err == nil {
		target = fmt.Sprintf(".version 8.6\n.target sm_%d\n.address_size 32\n", later)
	}
	if strings.Contains(set, "map_f64_to_f32") {
		target = ".version 1.4\n.target sm_10, map_f64_to_f32\n"
	}
	module, statements, found := strings.Cut(body, "kernel:\n")
	if !found {
		module, statements = "", body
	}
	m, err := ptx.Parse("k", []byte(target+".tex .u32 image;\n.global .align 8 .b8 printed[1024];\n"+module+
		".entry k (.param .u32 p, .param .u64 q, .param .u8 c, .param .s16 s) {\n"+registers+statements+"\n}"))
	require.NoError(t, err)
	to := ssabuild.Target{Arch: tesla.SM13, Output: m.Var("printed")}
	for _, a := range []tesla.Arch{tesla.SM10, tesla.SM11, tesla.SM12} {
		if strings.Contains(set, "on "+a.String()) {
			to.Arch = a
		}
	}
	if strings.Contains(set, "const") {
		to.Params = &ptx.Var{Name: "parameters", Space: ptx.Const}
	}
	if strings.Contains(set, "silent") {
		to.Output = nil
	}
	return ssabuild.Build(m, m.Func("k"), to)
}

// lines returns the lines of a kernel's values and of the ends of its blocks.
func lines(f *ir.Func) string {
	var s strings.Builder
	for _, b := range f.Blocks {
		fmt.Fprintf(&s, "b%d:\n", b.ID)
		for _, v := range b.Values {
			fmt.Fprintf(&s, "\t%s %d:%d\n", v.Op, v.Line.File, v.Line.Line)
		}
		fmt.Fprintf(&s, "\tend %d:%d\n", b.Line.File, b.Line.Line)
	}
	return s.String()
}
