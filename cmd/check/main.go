// Command check proves what the compiler does not: that files are formatted, that
// imports follow the layers, that generated files are what their generators write,
// and that the fuzz targets survive a short run.
//
//	go run ./cmd/check format imports generated fuzz
//
// It runs in the module's root. Exit status 0 means that everything asked for holds.
package main

import (
	"fmt"
	"io"
	"os"
)

// checks lists what can be asked for. Each check prints what it finds to w and
// answers an error if something does not hold.
var checks = []struct {
	name string
	run  func(root string, w io.Writer) error
}{
	{"format", checkFormat},
	{"imports", checkImports},
	{"generated", checkGenerated},
	{"fuzz", checkFuzz},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
}

func run(names []string) error {
	for _, name := range names {
		check := find(name)
		if check == nil {
			return fmt.Errorf("no check called %q: want format, imports, generated or fuzz", name)
		}
		if err := check(".", os.Stderr); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func find(name string) func(string, io.Writer) error {
	for _, c := range checks {
		if c.name == name {
			return c.run
		}
	}
	return nil
}
