// Package tesla is the vocabulary of the machine: architectures, operations, types, conditions,
// operands, and Instruction, one decoded instruction, which prints in the syntax of the reference
// disassembler. The package knows nothing about the encoding or execution of instructions.
//
// Reading order: arch.go, enums.go, instruction.go, op.go, then print.go. The operations, the rows
// of the description and the printer's table are generated from the description in isa/opcode.
package tesla
