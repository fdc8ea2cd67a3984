// Package tesla is the vocabulary of the machine: architectures, operations,
// types, conditions, operands, and Instruction, which is one decoded instruction
// and prints in the syntax of the reference disassembler. It knows nothing about
// how instructions are encoded or run.
//
// Reading order: arch.go, enums.go, instruction.go, op.go, then print.go. The
// operations, the rows of the description and the printer's table are generated
// from the description in isa/opcode.
package tesla
