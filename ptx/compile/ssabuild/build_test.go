package ssabuild_test

import (
	"flag"
	"fmt"
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

// TestBuild builds the statements in testdata for sm_13, as PTX for another target where a
// title begins with "[sm_N]", for sm_10 where that is "[sm_N on sm_10]". What stands before a line
// "kernel:" belongs to the module.
func TestBuild(t *testing.T) {
	cases.Run(t, "testdata/build.txt", *update, func(t *testing.T, title, body string) string {
		target := ".version 2.3\n.target sm_13\n"
		var later int
		if _, err := fmt.Sscanf(title, "[sm_%d]", &later); err == nil {
			target = fmt.Sprintf(".version 7.5\n.target sm_%d\n.address_size 32\n", later)
		}
		arch := tesla.SM13
		if strings.Contains(title, " on sm_10]") {
			arch = tesla.SM10
		}
		module, statements, found := strings.Cut(body, "kernel:\n")
		if !found {
			module, statements = "", body
		}
		m, err := ptx.Parse("k", []byte(target+".tex .u32 image;\n.global .align 8 .b8 printed[1024];\n"+module+
			".entry k (.param .u32 p, .param .u64 q, .param .u8 c, .param .s16 s) {\n"+registers+statements+"\n}"))
		require.NoError(t, err)
		f, err := ssabuild.Build(m, m.Func("k"), ssabuild.Target{Arch: arch, Output: m.Var("printed")})
		if err != nil {
			return "error: " + err.Error()
		}
		f.Order()
		require.NoError(t, ir.Verify(f))
		return strings.TrimPrefix(f.String(), "k\n")
	})
}
