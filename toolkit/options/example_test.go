package options_test

import (
	"fmt"

	"jacquard/toolkit/options"
)

func ExampleTable_Parse() {
	table := options.Table{
		{Long: "gpu-architecture", Short: "arch", Kind: options.Value},
		{Long: "optimize", Short: "O", Kind: options.Joined},
		{Long: "verbose", Short: "v"},
	}
	given, err := table.Parse([]string{"-arch=sm_13", "-O2", "--verbose", "k.cu"})
	fmt.Println(given, err)
	_, err = table.Parse([]string{"-vectorize"})
	fmt.Println(err)
	// Output:
	// [{gpu-architecture sm_13} {optimize 2} {verbose true} { k.cu}] <nil>
	// -vectorize: unknown option; --help lists the options
}
