package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"jacquard/simt"
	"jacquard/study/bench"
)

func newBench() *cobra.Command {
	var asJSON, markdown, long bool
	var knobs *knobFlags
	var f programsFlags
	c := &cobra.Command{
		Use:   "bench [KERNEL|classes|costs]... | bench --programs FOLDER [NAME]...",
		Short: "Measure how fast the simulator runs kernels and programs",
		Long: `Launch kernels of about 256 blocks again and again, statistics on, and print the figures of
the fastest launch: in the interpreter ("off") and translated, for each kind of vector
instructions that the host has, with one worker and with all. "classes" are loops of one kind
of instruction. "costs" are the costs of statistics, observers, traces and other divergence
policies, on the kernels named or else on two. Without arguments everything is measured, in
less than a minute on an idle host.

If there is a C compiler, figures are set against the host without a simulator. "host adds"
is the time of a warp-instruction in 32-lane integer adds compiled with all vector
instructions, "times C" the slowdown against the same algorithm in plain C on one core.
"statistics" says how much longer counting makes a launch. It and the costs are medians over
launches right before or after plain ones; a trace counts until its last byte is written.
Every line of --json is one measurement.

With --programs the programs of a folder run, or those named, and the bundles of jacquard record
are replayed: with all workers and with one, statistics on. A figure is the warp-instructions of
all launches by the time inside launches. With --against every program also runs on another
build, in turn with this one, so that other work on the machine falls on both; its jacquard, in
../bin, replays bundles. Launches that not every run ended, because of --limit, do not count. The
runtime library of a program is found by LD_LIBRARY_PATH.`,
		Example: `  jacquard bench
  jacquard bench --json matmul collatz
  jacquard bench --simd off --workers 1 mandelbrot classes
  jacquard bench --programs sdk/C/bin/linux/release scan transpose
  jacquard bench --programs bundles --rounds 3 --against ../old/build/lib
  jacquard bench --long --markdown`,
		Args: arguments(0, -1, "kernels or programs"),
		RunE: func(c *cobra.Command, names []string) error {
			if asJSON && markdown {
				return usagef("--json does not go with --markdown")
			}
			if err := f.check(c); err != nil {
				return err
			}
			if f.folder != "" {
				return f.run(c, names)
			}
			for _, name := range names {
				if known := bench.Names(); !slices.Contains(known, name) {
					return usagef("no benchmark is called %q: want %s", name, list(known))
				}
			}
			b := bench.Suite{SIMDs: simt.SIMDs(), Workers: []int{1, 0}, Time: 120 * time.Millisecond, Rounds: 5}
			if long {
				b.Time, b.Rounds = 2*time.Second, 25
			}
			s := knobs.settings()
			b.Engine = s.Engine
			switch {
			case s.Simd != "":
				b.SIMDs = []string{s.Simd}
			case s.Engine == simt.EngineTranslate && len(b.SIMDs) > 1:
				b.SIMDs = b.SIMDs[1:]
			case s.Engine != "":
				b.SIMDs = b.SIMDs[:1]
			}
			if n, _ := strconv.Atoi(s.Workers); n != 0 { // a number: the knob has been checked
				b.Workers = []int{n}
			}
			b.Choose(names...)
			b.Progress = func(what string) { progress(c, what) }
			defer progress(c, "")
			out := c.OutOrStdout()
			if asJSON {
				enc := json.NewEncoder(out)
				return b.Run(func(r *bench.Result) error { return enc.Encode(r) })
			}
			var all []*bench.Result
			if err := b.Run(func(r *bench.Result) error { all = append(all, r); return nil }); err != nil {
				return err
			}
			progress(c, "")
			if markdown {
				fmt.Fprintf(out, "%s\n\n", bench.Machine())
			}
			if err := (bench.Report{Markdown: markdown}).Write(out, all); err != nil {
				return err
			}
			if b.Alone != nil {
				fmt.Fprintln(out, b.Alone)
			}
			return nil
		},
	}
	knobs = onlyKnobs(c, "engine", "simd", "workers")
	f.asJSON, f.markdown, f.knobs = &asJSON, &markdown, knobs
	f.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per measurement")
	c.Flags().BoolVar(&markdown, "markdown", false, "print tables for a document")
	c.Flags().BoolVar(&long, "long", false, "take ten times as long")
	return c
}
