package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"jacquard/cmd/jacquard/internal/bench"
)

// How long each kernel runs.
const (
	benchTime     = 2 * time.Second
	benchTimeLong = 20 * time.Second
)

func newBench() *cobra.Command {
	var asJSON, long bool
	c := &cobra.Command{
		Use:   "bench [KERNEL...]",
		Short: "Measure how fast the simulator runs kernels",
		Long: `Launch kernels of about 256 blocks of 128 threads again and again, statistics on, one
worker, and print what the median launch achieves.`,
		Example: `  jacquard bench
  jacquard bench --json matmul collatz`,
		Args: arguments(0, -1, "kernels"),
		RunE: func(c *cobra.Command, args []string) error {
			todo, err := chosen(args)
			if err != nil {
				return err
			}
			d := benchTime
			if long {
				d = benchTimeLong
			}
			return runBench(c, todo, d, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a kernel")
	c.Flags().BoolVar(&long, "long", false, "take ten times as long")
	return c
}

// chosen returns the workloads called names, or all if there are no names.
func chosen(names []string) ([]bench.Workload, error) {
	all := bench.Workloads()
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, w := range all {
		known = append(known, w.Name)
	}
	var todo []bench.Workload
	for _, name := range names {
		i := slices.Index(known, name)
		if i < 0 {
			return nil, usagef("no benchmark is called %q: want %s", name, list(known))
		}
		todo = append(todo, all[i])
	}
	return todo, nil
}

func runBench(c *cobra.Command, todo []bench.Workload, d time.Duration, asJSON bool) error {
	out := c.OutOrStdout()
	enc := json.NewEncoder(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if !asJSON {
		fmt.Fprintln(w, "kernel\twarp instructions\tthread instructions\ttime\tM warp instr/s\tM thread instr/s\t")
	}
	for i, load := range todo {
		progress(c, fmt.Sprintf("%s (%d of %d)", load.Name, i+1, len(todo)))
		b, err := load.Prepare()
		if err != nil {
			return err
		}
		r, err := b.Run(d)
		if err != nil {
			return err
		}
		progress(c, "")
		if asJSON {
			if err := enc.Encode(r); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%.2f\t%.0f\t\n", r.Kernel, r.WarpInstructions, r.ThreadInstructions,
			seconds(r.Seconds), r.WarpInstructionsPerSecond/1e6, r.ThreadInstructionsPerSecond/1e6)
	}
	if !asJSON {
		fmt.Fprintln(out, "simd off, 1 worker, statistics on, median launch")
	}
	return w.Flush()
}
