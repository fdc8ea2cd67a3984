package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"jacquard/cmd/jacquard/internal/bench"
	"jacquard/cmd/jacquard/internal/host"
)

// How long each kernel runs.
const (
	benchTime     = 2 * time.Second
	benchTimeLong = 20 * time.Second
)

func newBench() *cobra.Command {
	var asJSON, long bool
	var knobs *knobFlags
	c := &cobra.Command{
		Use:   "bench [KERNEL...]",
		Short: "Measure how fast the simulator runs kernels",
		Long: `Launch kernels of about 256 blocks of 128 threads again and again, statistics on, one
worker, and print what the median launch achieves. If there is a C compiler, each is set
against the host without a simulator: "host adds" is the time of a warp-instruction in
32-lane integer adds compiled with all vector instructions, "times C" the slowdown against
the same algorithm in plain C on one core. The last line says what matmul, whose lanes stay
together, takes under other divergence policies.`,
		Example: `  jacquard bench
  jacquard bench --json matmul collatz
  jacquard bench --simd off mandelbrot`,
		Args: arguments(0, -1, "kernels"),
		RunE: func(c *cobra.Command, args []string) error {
			todo, err := chosen(args)
			if err != nil {
				return err
			}
			if err := knobs.check(os.LookupEnv); err != nil {
				return err
			}
			d := benchTime
			if long {
				d = benchTimeLong
			}
			return runBench(c, todo, knobs.settings(os.LookupEnv).Simd, d, asJSON)
		},
	}
	knobs = onlyKnobs(c, "simd")
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

func runBench(c *cobra.Command, todo []bench.Workload, simd string, d time.Duration, asJSON bool) error {
	report := benchTable
	if asJSON {
		report = benchJSON
	}
	out, done := report(c.OutOrStdout())
	progress(c, "the host itself")
	rival, err := newRival()
	if err != nil {
		return err
	}
	defer rival.close()
	for i, load := range todo {
		progress(c, fmt.Sprintf("%s (%d of %d)", load.Name, i+1, len(todo)))
		b, err := load.PrepareWith(simd)
		if err != nil {
			return err
		}
		r, err := b.Run(d)
		if err != nil {
			return err
		}
		if err := rival.compare(&load, r); err != nil {
			return err
		}
		progress(c, "")
		if err := out(r); err != nil {
			return err
		}
	}
	if err := done(rival.why); err != nil {
		return err
	}
	if i := slices.IndexFunc(todo, func(w bench.Workload) bool { return w.Name == bench.Undivided }); i >= 0 {
		return benchPolicies(c, &todo[i], asJSON)
	}
	return nil
}

// policyRounds is how often a kernel runs under each policy that is compared.
const policyRounds = 10

// benchPolicies prints what divergence policies cost where lanes do not part.
func benchPolicies(c *cobra.Command, w *bench.Workload, asJSON bool) error {
	progress(c, "policies on "+w.Name)
	costs, err := w.ComparePolicies(policyRounds)
	progress(c, "")
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	if asJSON {
		return json.NewEncoder(out).Encode(struct {
			Kernel   string             `json:"kernel"`
			Policies []bench.PolicyCost `json:"policies"`
		}{w.Name, costs})
	}
	fmt.Fprintf(out, "policies on %s, where no lanes part, median of %d launches each:", w.Name, policyRounds)
	for i, p := range costs {
		if i > 0 {
			fmt.Fprintf(out, ", %s %.2f times that", p.Policy, p.Relative)
		} else {
			fmt.Fprintf(out, " %s %s", p.Policy, seconds(p.Seconds))
		}
	}
	fmt.Fprintln(out)
	return nil
}

// rival is what results are set against, if there is a C compiler.
type rival struct {
	host *host.Host
	add  float64
	why  error // it is not there
}

func newRival() (*rival, error) {
	h, err := host.Build()
	if e := (*host.CompilerError)(nil); errors.As(err, &e) {
		return &rival{why: e}, nil
	}
	if err != nil {
		return nil, err
	}
	ops, err := h.Operations()
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return &rival{host: h, add: ops[0].Fastest}, nil
}

func (v *rival) close() {
	if v.host != nil {
		v.host.Close()
	}
}

func (v *rival) compare(w *bench.Workload, r *bench.Result) (err error) {
	if v.host != nil {
		r.Comparison, err = w.Compare(v.host, v.add, r)
	}
	return err
}

// benchJSON prints an object a line.
func benchJSON(out io.Writer) (each func(*bench.Result) error, done func(why error) error) {
	enc := json.NewEncoder(out)
	return func(r *bench.Result) error { return enc.Encode(r) }, func(error) error { return nil }
}

// benchTable prints a table for people.
func benchTable(out io.Writer) (each func(*bench.Result) error, done func(why error) error) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kernel\twarp instructions\tthread instructions\ttime\tM warp instr/s\tM thread instr/s\tns/warp instr\thost adds\ttimes C\t")
	add, simd := 0.0, ""
	each = func(r *bench.Result) error {
		simd = r.SIMD
		adds, times := "-", "-"
		if r.Comparison != nil {
			add = r.HostAddNS
			adds, times = fmt.Sprintf("%.1f", r.HostAdds), fmt.Sprintf("%.0f", r.Slowdown)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%.2f\t%.0f\t%.1f\t%s\t%s\t\n", r.Kernel, r.WarpInstructions, r.ThreadInstructions,
			seconds(r.Seconds), r.WarpInstructionsPerSecond/1e6, r.ThreadInstructionsPerSecond/1e6,
			r.Seconds*1e9/float64(r.WarpInstructions), adds, times)
		return nil
	}
	done = func(why error) error {
		if err := w.Flush(); err != nil {
			return err
		}
		fmt.Fprintf(out, "simd %s, 1 worker, statistics on, median launch\n", simd)
		if why != nil {
			fmt.Fprintln(out, why)
		} else {
			fmt.Fprintf(out, "host add: %.2f ns for 32 lanes\n", add)
		}
		return nil
	}
	return each, done
}
