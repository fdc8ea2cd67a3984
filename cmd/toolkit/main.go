// Command toolkit is nvcc, ptxas, fatbinary, cuobjdump, compute-sanitizer or cuda-memcheck, as the
// name says by which it is called. "make toolkit" puts it under all names into build/toolkit/bin.
// "toolkit NAME ..." does the same.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"jacquard/toolkit/cuobjdump"
	"jacquard/toolkit/fatbinary"
	"jacquard/toolkit/nvcc"
	"jacquard/toolkit/ptxas"
	"jacquard/toolkit/sanitizer"
)

func main() {
	name, args := filepath.Base(os.Args[0]), os.Args[1:]
	if tools[name] == nil && len(args) > 0 {
		name, args = args[0], args[1:]
	}
	os.Exit(status(name, run(name, args)))
}

// tools are the programs by their names.
var tools = map[string]func(args []string) error{
	"nvcc":      runNvcc,
	"ptxas":     func(args []string) error { return ptxas.Run(args, os.Stdout, os.Stderr) },
	"cuobjdump": func(args []string) error { return cuobjdump.Run(args, os.Stdout) },

	sanitizer.Sanitizer: func(args []string) error { return runSanitizer(sanitizer.Sanitizer, args) },
	sanitizer.Memcheck:  func(args []string) error { return runSanitizer(sanitizer.Memcheck, args) },
	"fatbinary":         func(args []string) error { return fatbinary.Run(args, os.Stdout) },
}

func run(name string, args []string) error {
	tool := tools[name]
	switch {
	case tool != nil:
		return tool(args)
	case name == "locks" || name == "relax" || name == "respell":
		return nvcc.Step(append([]string{name}, args...))
	}
	return fmt.Errorf("no such tool: want nvcc, ptxas, fatbinary, cuobjdump, compute-sanitizer or cuda-memcheck")
}

func runSanitizer(name string, args []string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	return sanitizer.Run(name, program, args, os.Stdout)
}

func runNvcc(args []string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	t, err := nvcc.Find(program)
	if err != nil {
		return err
	}
	return nvcc.Run(t, args, os.Stdout, os.Stderr)
}

// status prints an error, unless it was a program's that has spoken, and returns the exit status.
func status(name string, err error) int {
	var failed *exec.ExitError
	var mistakes *ptxas.Error
	switch {
	case err == nil:
		return 0
	case errors.As(err, &failed):
		return max(failed.ExitCode(), 1)
	case errors.As(err, &mistakes):
		fmt.Fprintln(os.Stderr, mistakes)
	default:
		fmt.Fprintf(os.Stderr, "%s fatal   : %v\n", name, err)
	}
	return 1
}
