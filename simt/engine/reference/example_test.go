package reference_test

import (
	"fmt"

	"jacquard/simt/engine/reference"
	"jacquard/simt/engine/reference/alu"
	"jacquard/tesla"
)

// One and the greatest signed number overflow.
func ExampleOperation_Compute() {
	in := tesla.Instruction{Op: tesla.OpIAdd, Type: tesla.B32}
	o := reference.Operation{In: &in, A: 1, B: 0x7fffffff}
	r := o.Compute()
	fmt.Printf("%#x, overflow %t, below zero %t", r.Value, r.Flags&alu.O != 0, reference.Holds(tesla.CondL, r.Flags))
	// Output: 0x80000000, overflow true, below zero false
}
