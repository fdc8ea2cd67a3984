// Package decoder turns the words of Tesla machine code into tesla.Instruction and
// back. It knows no semantics.
//
// An instruction is decoded in two moves. A decision tree finds its form, the row
// of the instruction description that it matches. The form then names a step for
// each of six sub-decoders, which see all 64 bits and set their own part of the
// instruction: opcode (with all modifiers), source 1, 2 and 3, destination, and
// control. Encoding goes the other way with the same steps, and proves itself by
// decoding the result.
//
// All code that knows places of bits is generated from tesla/isa/opcode. The frame is written by
// hand: decode.go, encode.go, and helpers of the generated code in operand.go and encoding.go.
package decoder
