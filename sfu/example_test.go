package sfu_test

import (
	"fmt"
	"math"

	"jacquard/sfu"
)

// The unit works on bit patterns and is accurate to about 22 bits.
func Example() {
	x := math.Float32bits(0.5)
	show := func(name string, word uint32) {
		fmt.Printf("%-6s %08x %v\n", name, word, math.Float32frombits(word))
	}
	show("rcp", sfu.Rcp(x))
	show("rsqrt", sfu.Rsqrt(x))
	show("lg2", sfu.Lg2(x))
	show("sin", sfu.Sin(sfu.PreSin(x)))
	show("ex2", sfu.Ex2(sfu.PreEx2(x)))
	// Output:
	// rcp    40000000 2
	// rsqrt  3fb504f2 1.4142134
	// lg2    bf7ffffe -0.9999999
	// sin    3ef57740 0.47942543
	// ex2    3fb504f3 1.4142135
}
