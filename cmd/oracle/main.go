// Command oracle holds every divergence policy against each lane run alone, on random
// kernels that are free of races (package simt/maze).
//
//	go run ./cmd/oracle                       10,000 kernels under every policy with all its options
//	go run ./cmd/oracle -n 100 -first 5000    the kernels of seeds 5000 to 5099
//	go run ./cmd/oracle -policies dwf,tbc     some policies only
//	go run ./cmd/oracle -show 17              the listing of a kernel, without running it
//
// A policy must give the same memory and lead every lane along the same path, know at any
// time where each lane is, or refuse the kernel with a reason. The report counts refusals
// by reason. For a failure it prints seed, policy and what went wrong, and the listing of
// the kernel with as much cut out as can be while it fails. It uses all processors; progress shows on a
// terminal. Exit status 0 means that every policy passed, 1 that one failed, 2 wrong usage.
//
// Reading order: work.go (running the kernels), report.go (what came of it).
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"jacquard/simt"
	"jacquard/simt/maze"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("oracle", flag.ContinueOnError)
	flags.SetOutput(errs)
	count := flags.Uint64("n", 10000, "kernels to run")
	first := flags.Uint64("first", 0, "seed of the first kernel")
	names := flags.String("policies", "all", "policies to run, as in nvidia,stackless:key=pc; a policy without options stands for all of its options")
	workers := flags.Int("workers", runtime.NumCPU(), "processors to use")
	show := flags.Int64("show", -1, "print the kernel of this seed and stop")
	if flags.Parse(args) != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(errs, "oracle: unexpected argument %q: -h shows the flags\n", flags.Arg(0))
		return 2
	}
	if *show >= 0 {
		fmt.Fprint(out, maze.New(uint64(*show)))
		return 0
	}
	policies, err := parsePolicies(*names)
	if err != nil {
		fmt.Fprintln(errs, "oracle:", err)
		return 2
	}
	t := newTally(policies)
	work(t, *first, *count, max(*workers, 1), terminal(errs))
	t.print(out, *first, *count)
	if len(t.failed) > 0 {
		return 1
	}
	return 0
}

// parsePolicies reads a list of policies. Commas separate policies as well as options: what
// names no policy but a key and a value belongs to the policy before it.
func parsePolicies(text string) ([]string, error) {
	all := maze.Policies()
	if text == "all" {
		return all, nil
	}
	var given []string
	for _, part := range strings.Split(text, ",") {
		if n := len(given); n > 0 && strings.Contains(part, "=") && !strings.Contains(part, ":") {
			given[n-1] += "," + part
			continue
		}
		given = append(given, part)
	}
	var list []string
	for _, name := range given {
		if want := simt.WantPolicy(name); want != "" {
			return nil, fmt.Errorf("unknown policy %q: want %s", name, want)
		}
		if strings.Contains(name, ":") {
			list = append(list, name)
			continue
		}
		for _, p := range all {
			if base, _, _ := strings.Cut(p, ":"); base == name {
				list = append(list, p)
			}
		}
	}
	return list, nil
}
