package ssabuild_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile/ssabuild"
)

// TestLayout checks where parameters lie, and the numbers for addresses of functions: of those
// whose address the module takes, in its order.
func TestLayout(t *testing.T) {
	m, err := ptx.Parse("k", []byte(`.version 3.0
.target sm_20
.func first () { ret; }
.func called () { ret; }
.func second (.reg .u32 a) { ret; }
.func third (.reg .u32 a) { ret; }
.func fourth () { ret; }
.global .u32 table[2] = {fourth, 0};
.entry k (.param .u8 a, .param .align 16 .b8 b[2][5], .param .u64 c, .param .v2 .f32 d)
{
	.reg .u32 %r;
	mov.u32 %r, first;
	call called, ();
	call second, (third);
}
`))
	require.NoError(t, err)
	offsets, bytes := ssabuild.Layout(m.Func("k"))
	require.Equal(t, []int{0, 16, 32, 40}, offsets)
	require.Equal(t, 48, bytes)
	require.Equal(t, map[*ptx.Func]uint32{m.Func("first"): 8, m.Func("third"): 16, m.Func("fourth"): 24}, ssabuild.Addresses(m))
}
