package otherdriver_test

import (
	"fmt"

	"jacquard/board/otherdriver"
)

func ExampleOpen() {
	_, err := otherdriver.Open("/nowhere/libcuda.so.1")
	fmt.Println(err)
	// Output: /nowhere/libcuda.so.1: there is no such file
}
