package ir_test

import (
	"fmt"

	"jacquard/ptx/compile/ir"
)

// A function that ends after a sum.
func ExampleFunc() {
	f := ir.NewFunc("k")
	entry := f.Blocks[0]
	tid := entry.Add(f.New(ir.Tid, ir.Word))
	sum := entry.Add(f.New(ir.Add, ir.Word, tid, f.Word(7)))
	entry.End = ir.Exit
	fmt.Print(f)
	fmt.Println(sum, "has", len(sum.Args), "operands;", tid, "is used", tid.Uses, "times")
	// Output:
	// k
	// b0:
	// 	w0 = tid
	// 	w2 = add w0 0x7
	// 	exit
	// w2 has 2 operands; w0 is used 1 times
}
