package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// fuzzTime is how long each target runs: long enough to catch a careless change.
const fuzzTime = "10s"

// minimizeTime bounds the search for a shorter input that reaches the same code. Go's own bound of a
// minute would take up the run if the code that an input reaches depends on the state of a cache.
const minimizeTime = "100x"

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// checkFuzz runs every fuzz target of the module for fuzzTime, one after the other.
func checkFuzz(root string, w io.Writer) error {
	return walk(root, func(path string) error {
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range fuzzTarget.FindAllSubmatch(src, -1) {
			dir, name := filepath.Dir(path), string(m[1])
			cmd := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+name+"$", "-fuzztime", fuzzTime, "-fuzzminimizetime", minimizeTime, ".")
			cmd.Dir, cmd.Stdout, cmd.Stderr = dir, w, w
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("%s of %s: %w", name, dir, err)
			}
		}
		return nil
	})
}
