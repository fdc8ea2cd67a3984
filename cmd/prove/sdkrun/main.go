// Command sdkrun runs the prebuilt programs of NVIDIA's GPU Computing SDK, unmodified, on the
// simulator. It prints a table of the programs that print PASSED, their times and their launches.
//
//	go run ./cmd/prove/sdkrun -sdk DIR                 all programs
//	go run ./cmd/prove/sdkrun -sdk DIR scan reduction  these; exit status 1 unless all pass
//	go run ./cmd/prove/sdkrun -ptx -sdk DIR            the code of our compiler beside NVIDIA's
//	go run ./cmd/prove/sdkrun -target 20 -sdk DIR      with the PTX for compute_20 alone
//	go run ./cmd/prove/sdkrun -cudart DIR -sdk DIR     on another runtime library
//	go run ./cmd/prove/sdkrun -papers PAGE -sdk DIR    put figures of papers beside ours into the page
//
// The folder of -sdk holds C/bin/linux/release and C/src; it is no part of this project. make sdk
// builds the libraries first. A program
// that needs an absent library (OpenGL's GLUT, cuFFT) cannot start, and the table names the
// library.
//
// Reading order: program.go (runs one program), table.go, ptx.go (compares kernels compiled from
// PTX with NVIDIA's code), registers.go (their registers), hide.go (hides all code but the PTX for
// one target), papers.go (the tables of docs/papers.md).
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"jacquard/study/programs"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sdkrun:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("sdkrun", flag.ExitOnError)
	sdk := flags.String("sdk", "", "folder of the SDK: has C/bin/linux/release")
	cudart := flags.String("cudart", "build/runtime/lib64", "folder of the runtime library libcudart.so.4")
	lib := flags.String("lib", "build/lib", "folder of the simulator's libcuda.so.1")
	ptx := flags.Bool("ptx", false, "run each program again with its PTX compiled, and compare the kernels")
	target := flags.Int("target", 0, "hide all code but the PTX for this target, such as 20 or 30")
	papers := flags.String("papers", "", "run the programs of papers, and put the tables into this page")
	arguments := flags.String("args", "--noprompt", "arguments of the programs; -qatest for those that draw")
	limit := flags.Duration("limit", 10*time.Minute, "end a program that takes longer")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s, err := newSetup(*sdk, *cudart, *lib, *limit)
	if err != nil {
		return err
	}
	s.target, s.args = *target, strings.Fields(*arguments)
	if *papers != "" {
		return s.papers(*papers, os.Stderr)
	}
	names, wanted := flags.Args(), flags.NArg() > 0
	if !wanted {
		if names, err = s.programs(); err != nil {
			return err
		}
	}
	if *ptx {
		return s.compare(os.Stdout, names)
	}
	t := newTable(os.Stdout)
	var missed []string
	for _, name := range names {
		r := s.run(name)
		t.add(name, r)
		if r.Verdict != programs.Passed {
			missed = append(missed, name)
		}
	}
	t.end()
	if wanted && len(missed) > 0 {
		return fmt.Errorf("not passed: %s", strings.Join(missed, " "))
	}
	return nil
}

// setup holds the folders of all files; paths are absolute.
type setup struct {
	release   string   // folder of the programs
	libraries []string // folders of the simulator and of the runtime library
	limit     time.Duration
	target    int // of the PTX that programs keep; 0 for all code
	args      []string
}

func newSetup(sdk, cudart, lib string, limit time.Duration) (*setup, error) {
	if sdk == "" {
		return nil, errors.New("say where the SDK is: -sdk DIR")
	}
	folders, err := programs.Folders(
		programs.Place{Dir: filepath.Join(sdk, "C/bin/linux/release")},
		programs.Place{Dir: lib, Has: "libcuda.so.1"}, programs.Place{Dir: cudart, Has: "libcudart.so.4"})
	if err != nil {
		return nil, err
	}
	return &setup{release: folders[0], libraries: folders[1:], limit: limit}, nil
}

// programs lists the executables of the SDK.
func (s *setup) programs() ([]string, error) {
	entries, err := os.ReadDir(s.release)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
