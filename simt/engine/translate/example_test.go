package translate_test

import (
	"fmt"

	"jacquard/decoder"
	"jacquard/simt/engine/translate"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Compile makes an engine's code of a program. It computes with the vector instructions asked for.
func ExampleCompile() {
	words := []uint32{0x2005820d, 0x00000003} // add b32 $r3 $r1 0x5
	p, err := program.Lower(program.Kernel{
		Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words), Registers: 4, Host: program.Host{SIMD: "off"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	code, err := translate.Compile(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(code.SIMD(), code.New(2).Machine().Warps)
	// Output: off 2
}
