package compile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// A product becomes part of a sum unless a division stands between them in the text: so does
// NVIDIA's compiler in recursiveGaussian, simpleTexture and bicubicTexture of its SDK.
func TestContraction(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want int // multiply-adds
	}{
		"one":                  {"mul.f32 %x, %a, %b; add.f32 %x, %x, %c;", 1},
		"both":                 {"mul.f32 %x, %a, %b; mul.f32 %y, %b, %c; add.f32 %x, %x, %y;", 1},
		"difference":           {"mul.f32 %x, %a, %b; sub.f32 %x, %c, %x;", 1},
		"rounded":              {"mul.rn.f32 %x, %a, %b; add.f32 %x, %x, %c;", 0},
		"two users":            {"mul.f32 %y, %a, %b; add.f32 %x, %y, %c; add.f32 %x, %x, %y;", 0},
		"division between":     {"mul.f32 %x, %a, %b; div.full.f32 %y, %b, %c; add.f32 %x, %x, %y; add.f32 %x, %x, %y;", 0},
		"division before":      {"div.full.f32 %y, %b, %c; mul.f32 %x, %a, %b; add.f32 %x, %x, %y; add.f32 %x, %x, %y;", 1},
		"another block":        {"mul.f32 %y, %a, %b; L: add.f32 %x, %x, %y; setp.lt.f32 %q, %x, %c; @%q bra L;", 0},
		"quotient":             {"div.full.f32 %x, %a, %b; add.f32 %x, %x, %c;", 1},
		"sum of quotients":     {"div.full.f32 %x, %a, %b; div.full.f32 %y, %b, %c; add.f32 %x, %x, %y;", 1},
		"approximate":          {"mul.f32 %x, %a, %b; div.approx.f32 %y, %b, %c; add.f32 %x, %x, %y;", 1},
		"earlier of quotients": {"div.full.f32 %x, %a, %b; div.full.f32 %y, %b, %c; add.f32 %x, %x, %c; add.f32 %x, %x, %y; add.f32 %x, %x, %y;", 0},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := ptx.Parse("contract", []byte(`.version 1.4
.target sm_13
.entry k (.param .u32 out) {
	.reg .u32 %p;
	.reg .f32 %a, %b, %c, %x, %y;
	.reg .pred %q;
	ld.param.u32 %p, [out];
	ld.global.f32 %a, [%p];
	ld.global.f32 %b, [%p+4];
	ld.global.f32 %c, [%p+8];
	mov.f32 %x, 0f00000000;
	`+c.body+`
	st.global.f32 [%p], %x;
	exit;
}`))
			require.NoError(t, err)
			image, err := compile.Compile(m, compile.Options{Arch: tesla.SM13, Verify: true})
			require.NoError(t, err)
			found := 0
			for _, in := range decoder.Kernel(tesla.SM13, image.Kernels[0].Code) {
				if in.Op == tesla.OpFMad || strings.Contains(in.String(), "f32") && strings.Contains(in.String(), "(mul") {
					found++
				}
			}
			require.Equal(t, c.want, found)
		})
	}
}
