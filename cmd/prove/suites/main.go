// Command suites builds public CUDA programs from their unmodified sources with the toolkit, runs
// them on the simulator and judges their results.
//
//	go run ./cmd/prove/suites -sdk DIR -rodinia DIR -ispass DIR        all programs of three suites
//	go run ./cmd/prove/suites -rodinia DIR lud nw                      two programs of one suite
//	go run ./cmd/prove/suites -control -rodinia DIR                    and with kernels that do nothing
//
// The folders are checkouts of the suites; docs/suites.md names the repositories. "make toolkit
// lib" builds this project's parts that the command needs. The command prints a table in Markdown.
// Its exit status is 1 if a required or named program fails. Programs, outputs and inputs stay in
// the folder of -work.
//
// With -control every program runs once more with a library between itself and the runtime, which
// answers launches with success and launches nothing (host/empty.c). A proof that accepts that run
// proves nothing, so the program fails.
//
// Reading order: program.go (a program and its suite), sdk.go, rodinia.go and ispass.go (the
// programs), makefile.go and build.go (from sources to programs), trial.go (a run), proof.go and
// compare.go (judgements), libor.go, heat.go, search.go and solve.go (judgements of one program
// each), numbers.go, input.go (input files), table.go and page.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "suites:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("suites", flag.ExitOnError)
	all := suites()
	for _, s := range all {
		flags.StringVar(&s.folder, s.name, "", "folder of the sources of "+s.title)
	}
	helpers := flags.String("cutil", "", "folder of the SDK for programs that include its cutil, unless -sdk names it")
	toolkit := flags.String("toolkit", "build/toolkit", "folder of the toolkit")
	lib := flags.String("lib", "build/lib", "folder of the simulator's libcuda.so.1")
	work := flags.String("work", "build/suites", "folder for programs and their files")
	control := flags.Bool("control", false, "run each program again with kernels that do nothing")
	page := flags.String("page", "", "put the tables into this page")
	limit := flags.Duration("limit", 10*time.Minute, "end a run that takes longer")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s, err := newSetup(*toolkit, *lib, *work, *limit)
	if err != nil {
		return err
	}
	s.control, s.page = *control, *page
	if err := locate(all, *helpers); err != nil {
		return err
	}
	chosen, err := choose(all, flags.Args())
	if err != nil {
		return err
	}
	return s.judge(ctx, os.Stdout, chosen, flags.Args())
}

// locate makes the folders absolute.
func locate(all []*suite, helpers string) (err error) {
	for _, s := range all {
		if s.folder == "" {
			continue
		}
		if s.folder, err = filepath.Abs(s.folder); err != nil {
			return err
		}
		if s.name == "sdk" && helpers == "" {
			helpers = s.folder
		}
	}
	helpers, err = filepath.Abs(helpers)
	for _, s := range all {
		s.cutil = helpers
	}
	return err
}

// choose returns the suites with a folder. All names must be programs of these suites.
func choose(all []*suite, names []string) (chosen []*suite, err error) {
	known := map[string]bool{}
	for _, s := range all {
		if s.folder == "" {
			continue
		}
		for _, p := range s.programs {
			known[p.name] = true
		}
		chosen = append(chosen, s)
	}
	if len(chosen) == 0 {
		return nil, errors.New("say where a suite is: -sdk DIR, -rodinia DIR or -ispass DIR")
	}
	for _, name := range names {
		if !known[name] {
			return nil, fmt.Errorf("no program %s in these suites", name)
		}
	}
	return chosen, nil
}
