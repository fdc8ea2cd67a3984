package alu_test

import (
	"fmt"

	"jacquard/simt/engine/reference/alu"
	"jacquard/tesla"
)

// The sum of two halves overflows and is clamped.
func ExampleAdd() {
	r, flags := alu.Add(tesla.Add, 0x7fff, 1, 16, false, true)
	fmt.Printf("%#x, overflow %t", r, flags&alu.O != 0)
	// Output: 0x7fff, overflow true
}
