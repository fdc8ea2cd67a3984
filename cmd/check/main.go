// Command check proves what the compiler does not: files are formatted, imports follow rules.txt,
// generated files are as their generators write them, and fuzz targets survive a short run.
//
//	go run ./cmd/check format imports generated fuzz
//
// It runs in the module's root. Exit status 0 means that all named checks hold.
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// checks are the checks by name. Each prints its findings to w and returns an error if there are any.
var checks = map[string]func(root string, w io.Writer) error{
	"format":    checkFormat,
	"imports":   checkImports,
	"generated": checkGenerated,
	"fuzz":      checkFuzz,
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
}

func run(names []string) error {
	for _, name := range names {
		check := checks[name]
		if check == nil {
			return fmt.Errorf("no check called %q: want one of %s", name, strings.Join(slices.Sorted(maps.Keys(checks)), ", "))
		}
		if err := check(".", os.Stderr); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
