// Command divergence fills in the measured parts of docs/divergence.md: it runs small kernels under
// every divergence policy and writes the results between marked lines of the page.
//
//	go run ./cmd/gen/divergence docs/divergence.md
//
// Reading order: page.go (the lines), group.go (policies with equal results), traits.go (what
// policies can do, as in table 1 of "Stack-less SIMT reconvergence at low cost"), examples.go (step
// by step), widths.go (warps of other widths), claims.go (figures for published claims).
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "divergence:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want one argument, the page: divergence docs/divergence.md")
	}
	old, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	page, err := fill(string(old), part{"traits", traitsTable}, part{"examples", examples}, part{"widths", widths}, part{"claims", claims})
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return os.WriteFile(args[0], []byte(page), 0o666)
}
