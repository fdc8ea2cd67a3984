package tesla_test

import (
	"fmt"

	"jacquard/tesla"
)

func ExampleOperand_String() {
	fmt.Println(tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: 1, Value: 0x20})
	fmt.Println(tesla.Operand{Kind: tesla.Half, Index: 7})
	fmt.Println(tesla.Guard{Reg: 2, Cond: tesla.CondLG})
	// Output:
	// b32 s[$a1+0x20]
	// $r3h
	// (lg $c2)
}

// A block of 256 threads with 20 registers each: how many run at once on a multiprocessor?
func ExampleArch_Limits() {
	for _, a := range []tesla.Arch{tesla.SM10, tesla.SM13} {
		fmt.Println(a, a.Limits().BlocksPerWave(256, 20, 2048))
	}
	// Output:
	// sm_10 1
	// sm_13 3
}
