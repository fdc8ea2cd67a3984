package foreign_test

import (
	"fmt"

	"jacquard/libcuda/foreign"
)

func ExampleOpen() {
	_, err := foreign.Open("/nowhere/libcuda.so.1")
	fmt.Println(err)
	// Output: /nowhere/libcuda.so.1: there is no such file
}
