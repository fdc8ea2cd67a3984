package ptxrandom

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// structures are functions with a structure of 16 bytes as their parameter, as clang writes them.
// Random kernels have none.
var structures = map[string]string{
	"parts of other sizes": `
	ld.param.u8 %a, [s+1];
	ld.param.u16 %b, [s+6];
	ld.param.s8 %c, [s+11];`,
	"its address": `
	mov.b64 %at, s;
	ld.local.u8 %a, [%at+1];
	st.local.u16 [%at+6], %a;
	ld.param.u32 %b, [s+4];
	ld.param.u32 %c, [%at+8];`,
	"its generic address": `
	mov.b64 %at, s;
	cvta.local.u64 %at, %at;
	ld.u32 %a, [%at];
	st.u8 [%at+13], %a;
	ld.u32 %b, [%at+12];
	ld.u32 %c, [%at+8];`,
	"an address that is left": `
	mov.b64 %at, s;
	ld.param.u32 %a, [s];
	ld.param.u32 %b, [s+4];
	ld.param.u32 %c, [s+12];`,
}

// module has a function with a body, and a kernel that calls it.
const module = `.version 8.0
.target sm_70
.address_size 64
.func (.param .b32 r) f(.param .align 8 .b8 s[16])
{
	.reg .b32 %%a, %%b, %%c;
	.reg .b64 %%at;
%s
	mad.lo.u32 %%a, %%b, 3, %%a;
	mad.lo.u32 %%a, %%c, 5, %%a;
	st.param.b32 [r], %%a;
	ret;
}
.entry k(.param .u64 in, .param .u64 out)
{
	.reg .b32 %%r<4>;
	.reg .b64 %%rd<6>;
	mov.b64 %%rd4, in;
	%s
	mov.u32 %%r0, %%tid.x;
	mul.wide.u32 %%rd2, %%r0, 4;
	add.u64 %%rd0, %%rd0, %%rd2;
	add.u64 %%rd1, %%rd1, %%rd2;
	ld.global.u32 %%r1, [%%rd0];
	not.b32 %%r2, %%r1;
	mul.wide.u32 %%rd3, %%r1, 77;
	{
	.param .align 8 .b8 p[16];
	.param .b32 q;
	st.param.b64 [p], %%rd3;
	st.param.b16 [p+8], %%r2;
	st.param.b8 [p+11], %%r1;
	st.param.b8 [p+10], %%r2;
	st.param.b32 [p+12], %%r1;
	call (q), f, (p);
	ld.param.b32 %%r3, [q];
	}
	st.global.u32 [%%rd1], %%r3;
	ret;
}
`

// loads read the parameters of a kernel by the address of the first.
var loads = []string{
	"ld.param.u64 %rd0, [%rd4]; ld.param.u64 %rd1, [%rd4+8];",
	"cvta.param.u64 %rd4, %rd4; ld.u64 %rd0, [%rd4]; ld.u64 %rd1, [%rd4+8];",
}

// A function finds a structure as its caller stored it, whatever the sizes of parts that both use.
// The kernel reads its own parameters by an address in a register.
func TestStructures(t *testing.T) {
	for name, body := range structures {
		for _, load := range loads {
			checkStructure(t, name, fmt.Sprintf(module, body, load))
		}
	}
}

func checkStructure(t *testing.T, name, text string) {
	t.Run(name, func(t *testing.T) {
		k := &Kernel{Text: text, Grid: [2]int{1, 1}, Block: [2]int{32, 1}, Out: 128}
		for i := range 128 {
			k.In = append(k.In, byte(i*i*37+i))
		}
		for _, arch := range tesla.Archs {
			require.NoError(t, try(k, arch, "nvidia"), arch.String())
		}
	})
}
