package isa_test

import (
	"fmt"

	"jacquard/tesla/isa"
)

func ExampleParse() {
	_, err := isa.Parse("example.isa", `
field len w0.1-0
field pri w0.31-28
format short 4 len=2
form X90 short pri=9
	op     Trap
	text   trap
	ignore w0.27-3
`)
	fmt.Println(err)
	// Output:
	// example.isa:5: form X90: nothing owns w0.2
}
