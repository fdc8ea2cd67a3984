package asm_test

import (
	"fmt"
	"os"

	"jacquard/asm"
	"jacquard/cubin"
	"jacquard/tesla"
)

func ExampleBuilder() {
	b := asm.Builder{Arch: tesla.SM10}
	b.Add(asm.Mov(1, asm.Param(0)))
	loop := b.PlaceHere()
	b.Add(asm.With(tesla.OpIAdd, 1, 1, 16))
	b.Jump(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}}, loop)
	b.Exit()
	code, err := b.Code()
	if err != nil {
		fmt.Println(err)
	}
	w := asm.Writer{Syntax: asm.Envy, Labels: true}
	if err := w.Kernel(os.Stdout, b.Arch, &cubin.Kernel{Name: "count", Code: code, Registers: 2, Shared: 20}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// .kernel count registers=2 shared=20 local=0 barriers=0
	// 	mov b32 $r1 b32 s[0x10]
	// L0008:
	// 	add b32 $r1 $r1 0x10
	// 	(lg $c0) bra L0008
	// 	exit nop
}

func ExampleRead() {
	img, err := asm.Read(`.module sm_10
.kernel k registers=2 shared=20
	mov b32 $r1 b32 s[0x10]
	st b32 g14[$r1] $r0
	exit nop`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%08x\n", img.Kernels[0].Code)
	_, err = asm.Read(".module sm_10\n.kernel k\n\tadd b32 $r1 %r1 $r2")
	fmt.Println(err)
	// Output:
	// [1000c805 0423c780 d00e0201 a0c00780 f0000001 e0000781]
	// line 3, column 14: expected a register $r0 or s[...]; found "%r1"
}
