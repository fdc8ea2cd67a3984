package compile

import (
	"jacquard/cubin/ptx/compile/code"
	"jacquard/cubin/ptx/compile/optimize"
)

// Pass names a step of [Compile], as Options.Observe is told it.
type Pass struct {
	Name string
	What string // for people
}

// Passes returns the steps in their order.
func Passes() []Pass {
	list := []Pass{
		{"build", "the text becomes values in single assignment; calls are built in place or with a stack, missing operations come from the library"},
		{"resolve", "addresses of shared and constant variables become numbers"},
	}
	for _, p := range optimize.Passes {
		list = append(list, Pass{p.Name, p.What})
	}
	list = append(list, Pass{"select", "values become instructions with virtual registers"})
	for _, p := range code.Passes() {
		list = append(list, Pass{ofCode + p.Name, codePasses[p.Name]})
	}
	return list
}

// ofCode begins the names of passes of package code.
const ofCode = "code-"

// codePasses says what the passes of package code do.
var codePasses = map[string]string{
	"clean":     "moves of a register to itself and blocks that nothing reaches are removed",
	"flags":     "a comparison with zero folds into the instruction that makes the value",
	"literals":  "numbers that no instruction can hold move to constant bank 1",
	"first":     "instructions are marked before which all lanes of a warp are together",
	"isolate":   "registers that one instruction needs side by side get copies of their own",
	"allocate":  "virtual registers become registers; values without one move to local memory",
	"simplify":  "moves and blocks that allocation left without effect are removed",
	"convert":   "branches around a few instructions become guards of these instructions",
	"structure": "joinat and join are placed where branches meet",
	"layout":    "blocks are put in order, with as few branches as possible",
	"host":      "the last instruction of the kernel ends it",
}
