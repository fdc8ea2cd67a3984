// Package decoder turns the words of Tesla machine code into tesla.Instruction
// and back.
package decoder
