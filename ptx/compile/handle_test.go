package compile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// fetching is a kernel that reads a texture whose name a register holds, as clang writes it.
func fetching(code string) string {
	return `.version 4.2
.target sm_20
.address_size 64
.global .texref first;
.global .texref second;
.visible .entry fetching(.param .u64 out)
{
	.reg .pred %p<3>;
	.reg .b32 %r<9>;
	.reg .f32 %f<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	setp.gt.u32 %p1, %r1, 7;
	mov.u64 %rd2, first;
` + code + `
	st.global.f32 [%rd1], %f1;
	ret;
}
`
}

const fetch = "\ttex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd3, {%r1}];\n"

func TestTextureInARegister(t *testing.T) {
	for name, test := range map[string]struct {
		code  string
		known bool
	}{
		"copied": {"mov.b64 %rd3, %rd2;\n" + fetch, true},
		"looped": {"mov.b64 %rd3, %rd2;\nagain:\n" + fetch +
			"add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, 9;\n@%p2 bra again;\n", true},
		"one on both ways": {"mov.u64 %rd3, first;\n@%p1 bra on;\nmov.b64 %rd3, %rd2;\non:\n" + fetch, true},
		"one of two":       {"mov.u64 %rd3, second;\n@%p1 bra on;\nmov.b64 %rd3, %rd2;\non:\n" + fetch, false},
		"computed":         {"add.u64 %rd3, %rd2, 8;\n" + fetch, false},
		"loaded":           {"ld.global.u64 %rd3, [%rd1];\n" + fetch, false},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := ptx.Parse("handle.ptx", []byte(fetching(test.code)))
			require.NoError(t, err)
			im, err := compile.Compile(m, compile.Options{Arch: tesla.SM13, Verify: true})
			if !test.known {
				require.ErrorContains(t, err, "known at compile time")
				return
			}
			require.NoError(t, err)
			require.Equal(t, "first", im.Samplers[0].Name)
		})
	}
}
