// Command oracle compares every divergence policy with each lane run alone, on random
// kernels without races (package internal/test/maze).
//
//	go run ./cmd/prove/oracle                       10,000 kernels under every policy and option
//	go run ./cmd/prove/oracle -n 100 -first 5000    the kernels of seeds 5000 to 5099
//	go run ./cmd/prove/oracle -policies dwf,tbc     some policies only
//	go run ./cmd/prove/oracle -policies all:warp=8  every policy and option with warps of 8 lanes
//	go run ./cmd/prove/oracle -show 17              the listing of a kernel, without running it
//
// A policy must leave the same memory, lead every lane along the same path, and keep every lane in
// one place at a time, or refuse the kernel with a reason. The issues of bfs, dfs, implicit,
// stackless and takahashi must follow from the paths by their written rules. The report counts
// refusals by reason. For a failure it prints seed, policy and error, and the listing of the
// kernel, reduced while it still fails. The command uses all processors and shows progress on a
// terminal. Exit status 0 means that every policy passed, 1 that a policy failed, 2 wrong usage.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"jacquard/internal/test/maze"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("oracle", flag.ContinueOnError)
	flags.SetOutput(errs)
	count := flags.Uint64("n", 10000, "kernels to run")
	first := flags.Uint64("first", 0, "seed of the first kernel")
	names := flags.String("policies", "all", "policies to run, as in nvidia,stackless:key=pc; a policy without options stands for all of its options, all for all policies, as in all:warp=8")
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
	policies, err := maze.ParsePolicies(*names)
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

// work runs the kernels of count seeds from first on and adds the reports to the tally.
func work(t *tally, first, count uint64, workers int, progress io.Writer) {
	const eraseLine = "\r\x1b[K"
	var (
		mu   sync.Mutex
		next atomic.Uint64
		done uint64
		wait sync.WaitGroup
	)
	start := time.Now()
	finish := func(m *maze.Maze, r maze.Report) {
		mu.Lock()
		defer mu.Unlock()
		t.add(m, r)
		done++
		left := time.Duration(float64(time.Since(start)) / float64(done) * float64(count-done))
		fmt.Fprintf(progress, "%s%d of %d kernels, %d failures, %s left",
			eraseLine, done, count, len(t.failed), left.Round(time.Second))
	}
	for range workers {
		wait.Go(func() {
			for n := next.Add(1); n <= count; n = next.Add(1) {
				m := maze.New(first + n - 1)
				finish(m, maze.Check(m, t.policies))
			}
		})
	}
	wait.Wait()
	fmt.Fprint(progress, eraseLine)
}

// terminal returns w if it is a terminal, else a writer that drops all data.
func terminal(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return w
		}
	}
	return io.Discard
}
