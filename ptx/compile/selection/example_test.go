package selection_test

import (
	"fmt"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
	"jacquard/ptx/compile/selection"
	"jacquard/tesla"
)

// A store of a sum, as instructions with virtual registers.
func ExampleSelect() {
	f := ir.NewFunc("k")
	b := f.Blocks[0]
	x := b.Add(f.New(ir.Tid, ir.Word))
	sum := b.Add(f.New(ir.Add, ir.Word, x, f.Word(7)))
	st := b.Add(f.New(ir.Store, ir.None, x, sum))
	st.Space, st.Sub, st.Count = ptx.Global, ptx.U32, 1
	b.End = ir.Exit
	f.Order()
	out, err := selection.Select(f, tesla.SM10, selection.Layout{})
	fmt.Print(out)
	fmt.Println(err)
	// Output:
	// func k sm_10 registers=124 local=0 literals=0
	// b0:
	// 	add b32 v1 v2 0x7
	// 	st b32 g14[v2] v1
	// 	exit
	// <nil>
}
