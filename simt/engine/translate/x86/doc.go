// Package x86 encodes x86-64 instructions into a slice of bytes, for code that is made at run time:
// general instructions, AVX2 with VEX encodings, and AVX-512 with EVEX encodings. It is portable
// and runs nothing; hostcode runs what it makes.
//
// General instructions are methods of [Assembler], which take the operand size in bits. A vector or
// mask instruction is an [Ins], a plain struct, for [Assembler.V]. Its operation is a [VOp]; the
// encodings of an operation are one row of a table. Names follow Go's assembler. Operands have
// Intel's order: the destination first. An operation that only VEX encodes, such as VMOVMSKPS, is
// VEX-encoded in any assembler. Operations that AVX2 has under a name without the size of an
// element, such as VPXOR for VPXORD, have one name for both encodings.
//
// What the processor cannot do panics: a register above 15 in VEX, a width that the operation
// lacks, memory where a register is needed. Which instructions a processor has is not checked.
//
// Reading order: operand.go, assembler.go, general.go, moves.go, bits.go, label.go, pool.go; then
// vector.go, row.go, and the tables, op_*.go.
//
// Every operation is compared, in all its forms, with LLVM's assembler: see golden_test.go.
package x86
