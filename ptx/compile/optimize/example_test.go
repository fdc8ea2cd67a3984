package optimize_test

import (
	"fmt"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
	"jacquard/ptx/compile/optimize"
)

// function returns a function that stores x + 3 + 4, and has a sum that nothing uses.
func function() *ir.Func {
	f := ir.NewFunc("k")
	b := f.Blocks[0]
	x := b.Add(f.New(ir.Tid, ir.Word))
	sum := b.Add(f.New(ir.Add, ir.Word, x, f.Word(3)))
	sum = b.Add(f.New(ir.Add, ir.Word, sum, f.Word(4)))
	b.Add(f.New(ir.Add, ir.Word, x, x))
	st := b.Add(f.New(ir.Store, ir.None, x, sum))
	st.Space, st.Sub, st.Count = ptx.Global, ptx.U32, 1
	b.End = ir.Exit
	f.Order()
	return f
}

func ExampleSimplify() {
	f := function()
	optimize.Simplify(f)
	optimize.Clean(f)
	fmt.Print(f)
	// Output:
	// k
	// b0:
	// 	w0 = tid
	// 	w4 = add w0 0x7
	// 	store.global.u32 w0 w4
	// 	exit
}
