package nvcc_test

import (
	"fmt"
	"os"

	"jacquard/toolkit/nvcc"
)

// With echo in the place of clang, nvcc prints how it links.
func ExampleRun() {
	t := nvcc.Toolkit{Root: "/toolkit", Clang: "echo"}
	err := nvcc.Run(t, []string{"-o", "program", "k.o", "-lm"}, os.Stdout, os.Stdout)
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// -o program -Wl,--start-group k.o -lm -L/toolkit/lib64 -lcudart_static -lrt -lpthread -ldl -Wl,--end-group
}
