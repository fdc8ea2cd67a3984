// Package asm makes machine code: from a program, with a [Builder], and from text, with
// [Read]. It also prints the text: Read takes the output of a [Writer] and gives the same words.
//
//	b := asm.Builder{Arch: tesla.SM10}
//	loop := b.PlaceHere()
//	b.Add(asm.Do(tesla.OpIAdd, 1, 1, asm.Imm(4)))
//	b.Jump(tesla.Instruction{Op: tesla.OpBra}, loop)
//	words, err := b.Code()
//
// A text is a module: directives, and instructions in one of two syntaxes.
//
//	.module sm_10 abi=1 name=cubin               syntax=sass for the other syntax, virtual=20 for
//	                                             code that was made of PTX for sm_20
//	.sampler image unit=0                        a texture reference
//	.constant scale offset=0 bytes=4             a __constant__ variable
//	.global table bytes=64 slot=0+0              a __device__ variable; c14[0] holds its address
//	.words 0x3f800000                            its initial content; .bytes for the odd rest
//	.pointer table offset=0 in=list              the address of table, in list; without in, in bank 0
//	.kernel scale registers=4 shared=24 local=0 barriers=0
//	.param offset=0 bytes=4
//	.bank 1 offset=0 bytes=8                     a constant bank of the kernel's own
//	loop:
//		mov b32 $r1 b32 s[0x10]              // a comment
//		bra loop
//
// Most instructions need no more. Two consecutive instructions with short forms become short;
// "{short}" and "{long}" after an instruction override that, and sizes=long in .kernel does for
// all. Bits without effect, or that the syntax does not show, are zero; "{bits W0 W1}" inverts
// bits. "{exit}" ends the program if the syntax does not show it. "{words W0 W1}" stands for an
// encoding that is no instruction, with any text before it.
//
// The description defines the grammar of instructions: package tesla reads the pieces of every
// form that it prints, and the first encodable form is used.
//
// Reading order: builder.go, make.go; line.go, layout.go, lines.go, write.go, head.go; read.go,
// directive.go, kernel.go.
package asm
