package ptx_test

import (
	"fmt"

	"jacquard/ptx"
)

const text = `
.version 1.4
.target sm_10
.entry scale (.param .u32 out, .param .f32 by)
{
	.reg .u32 %r<2>;
	.reg .f32 %f<3>;
	ld.param.u32 %r1, [out];
	ld.global.f32 %f1, [%r1];
	ld.param.f32 %f2, [by];
	mul.f32 %f1, %f1, %f2;
	st.global.f32 [%r1+0], %f1;
	exit;
}
`

func ExampleParse() {
	m, err := ptx.Parse("scale.ptx", []byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	kernel := m.Func("scale")
	fmt.Println(len(kernel.Params), "parameters,", len(kernel.Regs), "registers")
	for _, s := range kernel.Body {
		if ins, ok := s.(*ptx.Instr); ok && ins.Space == ptx.Global {
			fmt.Println(ins)
		}
	}
	// Output:
	// 2 parameters, 5 registers
	// ld.global.f32 %f1, [%r1];
	// st.global.f32 [%r1], %f1;
}

func ExampleErrors() {
	_, err := ptx.Parse("wrong.ptx", []byte(`.version 3.0
.entry wrong()
{
	.reg .u32 %r<2>;
	ad.s32 %r1, %r0, 1;
	mov.u32 %r2, %tid;
}
`))
	fmt.Println(err)
	// Output:
	// wrong.ptx:5:2: unknown instruction "ad"; near is "add"
	// wrong.ptx:6:10: unknown name "%r2"; %r<2> declares %r0 to %r1
	// wrong.ptx:6:19: found ";"; expected one of .x, .y, .z, .w
}
