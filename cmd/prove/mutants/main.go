// Command mutants measures what the tests detect. It plants small faults, one at a time, at random
// places of the hand-written code, and counts the faults that make a test fail.
//
//	go run ./cmd/prove/mutants                               20 faults anywhere
//	go run ./cmd/prove/mutants -n 60 -seed 7                 another, larger sample
//	go run ./cmd/prove/mutants -packages ./simt/...,./cubin  some packages only
//	go run ./cmd/prove/mutants -at cubin/elf.go:202          every fault of one line
//	go run ./cmd/prove/mutants -at cubin/elf.go -list        the faults of a file, without running them
//	go run ./cmd/prove/mutants -own                          a first look: the packages' own tests only
//	go run ./cmd/prove/mutants -json                         the result as JSON
//
// A fault is a changed condition, bound, operator or constant, an error that is not returned or a
// removed statement. The package's own tests run first; if they pass, the tests of every package
// that depends on it follow. The tree is never changed: the go command reads the changed file by
// -overlay, and so does every go command that a test starts. Equal seeds draw equal faults from
// equal code.
//
// A fault that does not compile, or compiles to the same code, is replaced by the next fault. A
// survivor shows a missing test, unless no user could notice the fault: a person must judge. Exit
// status 0 means that the sample was run, 1 that it could not be run, 2 wrong usage.
//
// Assembly, generated code and files that import "C" are excluded, because the tests of package
// libcuda load a library that is built elsewhere.
//
// Reading order: module.go (the code to change), fault.go and edits.go (the changes), trial.go (the
// tests' verdict), report.go.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	flags.SetOutput(errs)
	count := flags.Int("n", 20, "faults to plant")
	seed := flags.Uint64("seed", 1, "seed of the sample")
	packages := flags.String("packages", "./...", "packages to change, as the go command names them, separated by commas")
	at := flags.String("at", "", "plant every fault of a FILE or FILE:LINE instead of a sample")
	ownOnly := flags.Bool("own", false, "run no tests but the package's own, which takes a tenth of the time")
	list := flags.Bool("list", false, "print the faults without running tests")
	asJSON := flags.Bool("json", false, "print the result as JSON")
	limit := flags.Duration("limit", defaultLimit, "end a test of a dependent package that takes longer: it counts as failed")
	if flags.Parse(args) != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(errs, "mutants: unexpected argument %q: -h shows the flags\n", flags.Arg(0))
		return 2
	}
	err := func() error {
		m, err := readModule(strings.Split(*packages, ","))
		if err != nil {
			return err
		}
		faults, err := m.faults()
		if err != nil {
			return err
		}
		if faults, err = choose(faults, *seed, *at); err != nil {
			return err
		}
		if *at != "" {
			*count = len(faults)
		}
		if *list {
			for _, f := range faults[:min(*count, len(faults))] {
				fmt.Fprintln(out, f)
			}
			return nil
		}
		results, err := m.plant(faults, *count, *limit, *ownOnly, errs)
		if err != nil {
			return err
		}
		r := report{Seed: *seed, Faults: results}
		if *asJSON {
			return r.json(out)
		}
		r.print(out)
		return nil
	}()
	if err != nil {
		fmt.Fprintln(errs, "mutants:", err)
		return 1
	}
	return 0
}

// choose returns the faults at a place in code order, or all in random order without a place.
func choose(faults []*fault, seed uint64, at string) ([]*fault, error) {
	slices.SortFunc(faults, func(a, b *fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.New, b.New))
	})
	if at == "" {
		r := rand.New(rand.NewPCG(seed, 0))
		r.Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
		return faults, nil
	}
	there := slices.DeleteFunc(faults, func(f *fault) bool { return at != f.File && at != f.place() })
	if len(there) == 0 {
		return nil, fmt.Errorf("no fault can be planted at %s", at)
	}
	return there, nil
}

// plant tries faults until count of them change the code, and reports each one on progress.
func (m *module) plant(faults []*fault, count int, limit time.Duration, ownOnly bool, progress io.Writer) ([]*fault, error) {
	t, err := newTester(m, limit)
	if err != nil {
		return nil, err
	}
	defer t.close()
	t.ownOnly = ownOnly
	var done []*fault
	for _, f := range faults {
		if len(done) == count {
			break
		}
		if err := t.try(f); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		if f.Outcome.changes() {
			done = append(done, f)
			fmt.Fprintf(progress, "%d of %d, %.0f s: %s\n", len(done), min(count, len(faults)), f.Seconds, f)
		}
	}
	return done, nil
}
