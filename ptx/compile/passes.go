package compile

import (
	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/optimize"
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
		list = append(list, Pass{ofCode + p.Name, p.What})
	}
	return list
}

// ofCode begins the names of passes of package code.
const ofCode = "code-"
