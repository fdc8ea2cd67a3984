package code_test

import (
	"fmt"

	"jacquard/decoder"
	"jacquard/ptx/compile/code"
	"jacquard/tesla"
)

// A kernel that stores the number of each thread.
func ExampleCompile() {
	w := newBuilder(16)
	thread, slot := w.entry()
	w.store(slot, thread)
	fmt.Print(w.f)
	r, err := code.Compile(w.f)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Registers, "registers")
	for _, in := range decoder.Kernel(tesla.SM13, r.Words) {
		fmt.Println(in)
	}
	// Output:
	// func k sm_13 registers=16 local=0 literals=0
	// b0:
	// 	shl b32 v3 v1 0x9
	// 	add b32 v2 b32 s[0x10] v3
	// 	st b32 g14[v2] v1
	// 	exit
	// 2 registers
	// shl b32 $r1 $r0 0x9
	// add b32 $r1 b32 s[0x10] $r1
	// exit st b32 g14[$r1] $r0
}
