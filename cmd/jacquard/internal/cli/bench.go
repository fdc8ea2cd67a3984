package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"jacquard/simt/bench"
)

// How long each kernel runs in each setting, and how often in each way whose cost is measured.
const (
	benchTime       = 120 * time.Millisecond
	benchTimeLong   = 2 * time.Second
	benchRounds     = 5
	benchRoundsLong = 25
)

// What can be measured besides kernels.
const (
	benchClasses = "classes"
	benchCosts   = "costs"
)

func newBench() *cobra.Command {
	var b benchmark
	var asJSON, markdown, long, goals bool
	var knobs *knobFlags
	c := &cobra.Command{
		Use:   "bench [KERNEL|classes|costs]...",
		Short: "Measure how fast the simulator runs kernels",
		Long: `Launch kernels of about 256 blocks again and again, statistics on, and print what the
fastest launch achieves: for each kind of vector instructions that the host has, with one
worker and with all. "classes" are loops of one kind of instruction. "costs" are what
statistics, observers, traces and other divergence policies take, on the kernels named or
else on two. Without arguments everything is measured, in less than a minute on an idle host.

If there is a C compiler, figures are set against the host without a simulator. "host adds"
is the time of a warp-instruction in 32-lane integer adds compiled with all vector
instructions, "times C" the slowdown against the same algorithm in plain C on one core.
"statistics" says how much longer counting makes a launch. It and the costs are medians over
launches right before or after plain ones; a trace counts until its last byte is written.
Every line of --json is one measurement. --goals shows what the project sets out to reach.`,
		Example: `  jacquard bench
  jacquard bench --json matmul collatz
  jacquard bench --simd off --workers 1 mandelbrot classes
  jacquard bench --goals crc32 costs
  jacquard bench --long --markdown`,
		Args: arguments(0, -1, "kernels"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := b.choose(args); err != nil {
				return err
			}
			if err := knobs.check(os.LookupEnv); err != nil {
				return err
			}
			s := knobs.settings(os.LookupEnv)
			b.simds, b.workers = bench.SIMDs(), []int{1, 0}
			if s.Simd != "" {
				b.simds = []string{s.Simd}
			}
			if n, _ := strconv.Atoi(s.Workers); n != 0 { // the table has checked it
				b.workers = []int{n}
			}
			b.time, b.rounds = benchTime, benchRounds
			if long {
				b.time, b.rounds = benchTimeLong, benchRoundsLong
			}
			out := c.OutOrStdout()
			if asJSON {
				enc := json.NewEncoder(out)
				return b.run(c, func(r *bench.Result) error { return enc.Encode(r) })
			}
			var all []*bench.Result
			if err := b.run(c, func(r *bench.Result) error { all = append(all, r); return nil }); err != nil {
				return err
			}
			if markdown {
				fmt.Fprintf(out, "%s\n\n", bench.Machine())
			}
			if err := (bench.Report{Markdown: markdown, Goals: goals}).Write(out, all); err != nil {
				return err
			}
			if b.why != nil {
				fmt.Fprintln(out, b.why)
			}
			return nil
		},
	}
	knobs = onlyKnobs(c, "simd", "workers")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per measurement")
	c.Flags().BoolVar(&markdown, "markdown", false, "print tables for a document")
	c.Flags().BoolVar(&goals, "goals", false, "print each figure that there is a goal for beside it")
	c.Flags().BoolVar(&long, "long", false, "take ten times as long")
	c.MarkFlagsMutuallyExclusive("json", "markdown")
	c.MarkFlagsMutuallyExclusive("json", "goals")
	return c
}

// benchmark is what is to be measured, and how.
type benchmark struct {
	kernels []bench.Workload
	classes []bench.Class
	costs   []bench.Workload

	simds   []string
	workers []int
	time    time.Duration
	rounds  int

	why error // nothing is compared with the host: the reason
}

// choose takes what is called names, or all if there are no names.
func (b *benchmark) choose(names []string) error {
	all := bench.Workloads()
	known := []string{benchClasses, benchCosts}
	for _, w := range all {
		known = append(known, w.Name)
	}
	if len(names) == 0 {
		names = known
	}
	for _, name := range names {
		switch i := slices.Index(known, name); {
		case i < 0:
			return usagef("no benchmark is called %q: want %s", name, list(append(known[2:], known[:2]...)))
		case name == benchClasses:
			b.classes = bench.Classes()
		case name != benchCosts:
			b.kernels = append(b.kernels, all[i-2])
		}
	}
	if slices.Contains(names, benchCosts) {
		b.costs = b.kernels
		if len(b.costs) == 0 || len(b.costs) == len(all) {
			b.costs = slices.DeleteFunc(all, func(w bench.Workload) bool { return w.Name != bench.Undivided && w.Name != bench.Divided })
		}
	}
	return nil
}

// run measures everything and hands over each result. What the host itself takes is measured all the time, and what it took at its
// best put into all results at the end.
func (b *benchmark) run(c *cobra.Command, out func(*bench.Result) error) error {
	defer progress(c, "")
	progress(c, "the host itself")
	rival, err := bench.NewRival()
	if err != nil {
		return err
	}
	defer rival.Close()
	b.why = rival.Why
	for i := range b.kernels {
		progress(c, fmt.Sprintf("%s (%d of %d)", b.kernels[i].Name, i+1, len(b.kernels)))
		if err := rival.Again(); err != nil {
			return err
		}
		if err := b.kernel(&b.kernels[i], rival, out); err != nil {
			return err
		}
	}
	for i := range b.classes {
		progress(c, b.classes[i].Name)
		if err := rival.Again(); err != nil {
			return err
		}
		if err := b.class(&b.classes[i], rival, out); err != nil {
			return err
		}
	}
	for i := range b.costs {
		progress(c, "costs on "+b.costs[i].Name)
		if err := b.cost(&b.costs[i], rival, out); err != nil {
			return err
		}
	}
	rival.Settle()
	return nil
}

func (b *benchmark) kernel(w *bench.Workload, rival *bench.Rival, out func(*bench.Result) error) error {
	for _, simd := range b.simds {
		ready, err := w.Prepare(simd)
		if err != nil {
			return err
		}
		for _, workers := range b.workers {
			r, err := ready.Run(workers, b.time)
			if err != nil {
				return err
			}
			if err := rival.Compare(w, r); err != nil {
				return err
			}
			if err := out(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// class measures a class with one worker: how workers share blocks is a matter of kernels.
func (b *benchmark) class(k *bench.Class, rival *bench.Rival, out func(*bench.Result) error) error {
	w := k.Workload()
	for _, simd := range b.simds {
		ready, err := w.Prepare(simd)
		if err != nil {
			return err
		}
		r, err := ready.Run(1, b.time)
		if err != nil {
			return err
		}
		r.Class = true
		rival.CompareClass(k, r)
		if err := out(r); err != nil {
			return err
		}
	}
	return nil
}

// cost measures what things cost with the best vector instructions.
func (b *benchmark) cost(w *bench.Workload, rival *bench.Rival, out func(*bench.Result) error) error {
	ready, err := w.Prepare(b.simds[len(b.simds)-1])
	if err != nil {
		return err
	}
	results, err := ready.Costs(b.rounds)
	if err != nil {
		return err
	}
	for _, r := range results {
		if err := rival.Compare(w, r); err != nil {
			return err
		}
		if err := out(r); err != nil {
			return err
		}
	}
	return nil
}
