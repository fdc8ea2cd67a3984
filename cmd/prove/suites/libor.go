package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// valuesAsHost checks LIB: its three values equal the results of its own device functions, compiled
// for the host. All paths are equal, so one path is enough.
func valuesAsHost(near tolerance) proof {
	want := func(t *trial) (string, error) {
		source, err := os.ReadFile(filepath.Join(t.suite.folder, t.dir, "libor.cu"))
		if err != nil {
			return "", err
		}
		functions, _, ok := strings.Cut(string(source), "__global__")
		if !ok {
			return "", fmt.Errorf("libor.cu has no kernel")
		}
		functions = strings.Replace(functions, "#include <cutil.h>", "", 1)
		folder := filepath.Dir(t.path)
		if err := write(folder, "functions.h", functions); err != nil {
			return "", err
		}
		args := []string{"-w", "-O1", "-I.", "-o", "values", t.setup.own("libor.cpp"), "-lm"}
		if err := compile(t.ctx, folder, hostCompiler("CXX", "c++"), args); err != nil {
			return "", err
		}
		output, err := ranIn(t.ctx, folder, filepath.Join(folder, "values"), nil)
		if err != nil {
			return "", err
		}
		return ofOther(values(output))
	}
	return proof{"`v` and `Lb` as of the same functions on the host", near.like(printed(values), want)}
}

// values picks the lines of values, without the lines of times.
func values(output string) (string, error) {
	var lines []string
	for line := range strings.Lines(output) {
		if strings.HasPrefix(line, "v ") || strings.HasPrefix(line, "Lb ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, ""), nil
}
