// Package sass prints instructions in the style of NVIDIA's own disassembler for sm_1x, "cuobjdump
// -sass" of CUDA 4:
//
//	IADD32 R3, g [0x4], R2
//	ISET.S32.C0 o [0x7f], R4, R124, LE
//	GLD.U32 R1 (C0.EQU), global14 [R0]
//
// Offsets of shared and constant memory are in units of the access, as in the code: g [0x4] is the
// word at byte 16. The exit marker does not show; the join marker shows as ".S". [Text] prints one
// instruction by the table in rules_gen.go, which is generated from the description of the
// instruction set.
//
// Unverified: there is no copy of that disassembler to compare with. Published listings with their
// machine words, of compilers of CUDA 4 to 6, show the form of moves, integer and single precision
// arithmetic, comparisons, logic, conversions between integers and to and from floats, special
// functions, global memory, branches and barriers, with guards, flags, 16-bit operands and operands
// in memory. A public parser of such listings names the other operations, without operands. The
// following forms are by analogy: texture instructions, votes, atomics, quad operations, locks,
// double precision modifiers, lane masks, the conditions of carry, overflow and sign, and the
// special registers' names.
package sass
