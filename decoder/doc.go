// Package decoder turns the words of Tesla machine code into tesla.Instruction and
// back. It knows no semantics.
//
// Decoding has two steps. A decision tree finds the instruction's form, a row of the instruction
// description. The form then names a step for each of six sub-decoders, which read all 64 bits and
// set their own part of the instruction: opcode (with all modifiers), source 1, 2 and 3,
// destination, and control. Encoding runs the same steps in reverse, and proves its result by
// decoding it.
//
// All code that contains bit positions is generated from tesla/isa/opcode. The frame is written by
// hand: decode.go, encode.go, and helpers of the generated code in operand.go and encoding.go.
package decoder
