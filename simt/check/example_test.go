package check_test

import (
	"fmt"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// A kernel passes a word to another lane without a barrier. The hook of InStep finds the place.
func ExampleInStep() {
	reg := func(n uint8) tesla.Operand { return tesla.Operand{Kind: tesla.Reg, Index: n} }
	shared := tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x40}
	var words []uint32
	for _, in := range []tesla.Instruction{
		{Op: tesla.OpStShared, Type: tesla.B32, Src: [3]tesla.Operand{shared, reg(0)}}, // all lanes store to one word
		{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(1), Src: [3]tesla.Operand{shared}}, // and read what the last left
		{Op: tesla.OpNop, Marker: tesla.MarkerExit},
	} {
		w0, w1, err := decoder.Encode(tesla.SM13, in)
		if err != nil {
			fmt.Println(err)
			return
		}
		words = append(words, w0, w1)
	}
	p, err := simt.Lower(simt.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words), Registers: 4, Shared: 512})
	if err != nil {
		fmt.Println(err)
		return
	}
	stats, err := simt.Run(&simt.Launch{
		Program: p, Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}, Global: mem.NewSpace(0), InStep: simt.InStepOn,
	})
	fmt.Println(stats.InStep.Space, stats.InStep.Addr, err)
	fmt.Println(stats.InStep.Then)
	// Output:
	// s 64 <nil>
	// read by lanes 7fffffff at pc 0x8 (mov b32 $r1 b32 s[0x40])
}
