package ssabuild_test

import (
	"fmt"

	"jacquard/ptx"
	"jacquard/ptx/compile/ssabuild"
	"jacquard/tesla"
)

// parse returns the kernel of a module with some statements.
func parse(body string) (*ptx.Module, *ptx.Func) {
	m, err := ptx.Parse("k", []byte(".version 1.4\n.target sm_13\n.entry k (.param .u32 p) {\n"+
		".reg .u32 %a, %b;\n.reg .f64 %d;\n"+body+"\nexit;\n}"))
	if err != nil {
		panic(err)
	}
	return m, m.Func("k")
}

func ExampleBuild() {
	m, k := parse("ld.param.u32 %a, [p];\nadd.u32 %b, %a, 7;\nst.global.u32 [%a], %b;")
	f, err := ssabuild.Build(m, k, ssabuild.Target{Arch: tesla.SM10})
	fmt.Print(f)
	fmt.Println(err)
	// Output:
	// k
	// b0:
	// 	jump b1
	// b1: <- b0
	// 	w0 = param.u32
	// 	w3 = add w0 0x7
	// 	store.global.u32 w0 w3
	// 	exit
	// <nil>
}

// An instruction that the device lacks is refused with its line.
func ExampleError() {
	m, k := parse("add.f64 %d, %d, %d;")
	_, err := ssabuild.Build(m, k, ssabuild.Target{Arch: tesla.SM10})
	fmt.Println(err)
	// Output:
	// 6:1: sm_10 has no double precision; write .target sm_13, or map_f64_to_f32
}
