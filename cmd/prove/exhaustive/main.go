// Command exhaustive proves arithmetic by trying every input: the special functions against the
// digests of a hardware-verified model, and every fast form of one word, or two halves, against its
// scalar reference.
//
//	go run ./cmd/prove/exhaustive             everything
//	go run ./cmd/prove/exhaustive digest      only tasks whose names begin with "digest"
//	go run ./cmd/prove/exhaustive -list       the names of all tasks
//	go run ./cmd/prove/exhaustive -simd off   the portable forms; also by JACQUARD_SIMD
//
// It runs in the module's root and uses all processors. A state file lists the proved chunks, so
// that an interrupted run continues; another program starts again. A terminal shows progress. Exit
// status 0 means that every proof succeeded.
//
// Reading order: task.go (proofs in chunks), forms.go (vector code for a row), digest.go, fast.go
// and integer.go (the three sources of tasks), state.go, work.go. The tasks of integer.go prove the
// portable kernels, whatever -simd says.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "exhaustive:", err)
		os.Exit(1)
	}
}

func run() error {
	golden := flag.String("digests", "testdata/vectors/sfu-exhaustive.csv", "golden digests of the special functions")
	path := flag.String("state", "build/exhaustive.state", "file that remembers what is proved; the vector instructions are appended to its name")
	workers := flag.Int("workers", runtime.NumCPU(), "processors to use")
	simd := flag.String("simd", os.Getenv("JACQUARD_SIMD"), "vector instructions of the fast forms: off, avx2 or avx512; none is the best there is")
	list := flag.Bool("list", false, "print the tasks instead of running them")
	flag.Parse()

	forms, err := newForms(*simd)
	if err != nil {
		return err
	}
	tasks, err := allTasks(*golden, forms)
	if err != nil {
		return err
	}
	if tasks = selected(tasks, flag.Args()); len(tasks) == 0 {
		return fmt.Errorf("no task begins with %q: -list shows them", flag.Args())
	}
	if *list {
		for _, t := range tasks {
			fmt.Println(t.name)
		}
		return nil
	}
	program, err := programHash()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(*path), 0o777); err != nil {
		return err
	}
	s, err := openState(*path+"."+forms.simd, program)
	if err != nil {
		return err
	}
	results, err := work(tasks, s, *workers, terminal(os.Stderr))
	report(os.Stdout, results)
	return errors.Join(err, s.close())
}

// allTasks lists all tasks, the quickest proofs first.
func allTasks(golden string, f forms) ([]task, error) {
	tasks, err := digestTasks(golden, f)
	if err != nil {
		return nil, err
	}
	tasks = append(tasks, smallConversions(f)...)
	tasks = append(tasks, integerTasks()...)
	return append(tasks, unaryTasks(f)...), nil
}

// selected returns the tasks whose names begin with one of the prefixes, or all tasks without
// prefixes.
func selected(tasks []task, prefixes []string) []task {
	if len(prefixes) == 0 {
		return tasks
	}
	return slices.DeleteFunc(tasks, func(t task) bool {
		return !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(t.name, p) })
	})
}
