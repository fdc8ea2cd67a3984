package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"jacquard/internal/plain"
	"jacquard/simt"
	"jacquard/study/compare"
	"jacquard/study/launch"
)

type compareFlags struct {
	jobFlags
	policies string
	test     bool
	lib      string
	csv      bool
	json     bool
	charts   map[string]*string // files by format
	chart    compare.Chart
	steps    int
	html     string
	warp     int
	stats    string
	gathered *gathering // nil: --stats is not given
	gauge    *gauge
	knobs    *knobFlags
}

func newCompare() *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare FILE [KERNEL] | compare --test FILE... | compare [flags] -- PROGRAM [ARGS]",
		Short: "Run a kernel or a program under several divergence policies",
		Long: `Run one kernel of a cubin, the kernels of tests, or a whole program under several
divergence policies, check that all leave the same memory, and print how each uses the
lanes. jacquard policies lists the policies; docs/statistics.md defines the figures:

` + compare.Key() + `
A terminal gets this key, and as many of the columns as it has room for.

A policy that cannot run a kernel is shown with its reason, and a kernel that faults with
its fault. Where memory differs from that of the first policy, the first word is shown.

A program is run once for each policy, without input; its output is discarded. Launches are
compared one by one, by their numbers, which count from 0 as in the statistics, and summed up
by kernel. A program that ends with the same status under every policy is compared, too.
Of a test.json the newest build is run, or the one for --arch. Interrupted, the command
prints the policies that have run.

` + argumentsHelp + `

Exit status 1 if memory differs, a kernel faults, no policy can run it, or the program fails.`,
		Example: `  jacquard compare --test testdata/mesa-kernels --svg lanes.svg
  jacquard compare --test testdata/mesa-kernels/nested --policies nvidia,stackless --steps 40
  jacquard compare --test testdata/mesa-kernels/nested --policies nvidia,stackless --html nested.html
  jacquard compare --policies nvidia,simty:hot=3 testdata/mesa-kernels/saxpy/sm_13.cubin \
      --block 64 --arg buf:256:seed=1 --arg buf:256:seed=2 --arg f32:2 --arg u32:64
  jacquard compare --test testdata/mesa-kernels --stats all.parquet
  jacquard compare --csv -- ./program 1000 > program.csv`,
		Args: f.checkArguments,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.checkLaunch(c); err != nil {
				return err
			}
			policies, err := f.check()
			if err != nil {
				return err
			}
			ctx, stop := until(os.Interrupt, syscall.SIGTERM)
			defer stop()
			f.gauge = newGauge(c, f.knobs.settings(), false)
			defer f.gauge.end()
			if f.program(c) {
				err = f.compareProgram(ctx, c, policies, args)
			} else {
				err = f.compareKernels(ctx, c, policies, args)
			}
			return cmp.Or(err, f.gathered.end(c))
		},
	}
	fl := c.Flags()
	fl.StringVar(&f.policies, "policies", compare.All, "`POLICIES` with commas between, options after a colon; all is every policy with its defaults, all:warp=8 with narrow warps")
	fl.BoolVar(&f.test, "test", false, testHelp)
	fl.StringVar(&f.arch, "arch", "", "with --test: run the build for this `ARCH`, as sm_10; compile PTX for it (default: that of the device)")
	fl.StringVar(&f.lib, "lib", "", "with a program: "+libHelp)
	fl.BoolVar(&f.csv, "csv", false, "print the rows as CSV with all counters")
	fl.BoolVar(&f.json, "json", false, "print the rows as one JSON object each with all counters")
	f.charts = map[string]*string{}
	for _, format := range compare.Formats() {
		f.charts[format] = fl.String(format, "", "draw a figure of every kernel and policy, or the --steps, into this `FILE`")
	}
	fl.StringVar(&f.chart.Metric, "metric", compare.Metrics()[0], "the figure that is drawn: `WORD` is "+list(compare.Metrics()))
	fl.StringVar(&f.chart.Title, "title", "", "`TEXT` above the drawing")
	fl.IntVar(&f.steps, "steps", 0, "print the first `N` steps of a warp under each policy, and what the policy keeps")
	fl.StringVar(&f.stats, "stats", "", "write the statistics of all policies into this `FILE`: a .json, .csv or .parquet, with :tags or :costs behind it as in jacquard run")
	fl.StringVar(&f.html, "html", "", "write a `PAGE` that plays a warp of the kernel under up to four policies")
	fl.IntVar(&f.warp, "warp", 0, "with --steps, --html: of warp `N` of the first block")
	f.add(c)
	f.knobs = addKnobs(c, "policy", "stats", "summary", "digest", "record", "trace", "crosscheck")
	return c
}

// program reports whether the arguments are a program: programs follow "--".
func (f *compareFlags) program(c *cobra.Command) bool { return c.ArgsLenAtDash() == 0 }

func (f *compareFlags) checkArguments(c *cobra.Command, args []string) error {
	switch {
	case f.program(c) && f.test:
		return usagef("--test takes tests, not a program after --")
	case f.program(c):
		return arguments(1, -1, "a program to run")(c, args)
	case f.test:
		return arguments(1, -1, "at least one test.json or folder")(c, args)
	}
	return arguments(1, 2, "a cubin and a kernel, or -- and a program")(c, args)
}

// checkLaunch refuses flags that have no effect on the comparison.
func (f *compareFlags) checkLaunch(c *cobra.Command) error {
	if f.steps == 0 && f.html == "" && c.Flags().Changed("warp") {
		return usagef("--warp goes with --steps or --html")
	}
	drawn := slices.ContainsFunc(f.pictures()[1:], func(o output) bool { return o.path != "" })
	switch {
	case !drawn && c.Flags().Changed("title"):
		return usagef("--title goes with a drawing, as of --svg")
	case (!drawn || f.steps > 0) && c.Flags().Changed("metric"):
		return usagef("--metric goes with a drawing of figures, as of --svg without --steps")
	}
	switch {
	case f.test:
		return without(c, "--test", slices.Concat(launchFlags, []string{"lib"})...)
	case f.program(c):
		return without(c, "a program", slices.Concat(launchFlags, []string{"arch", "check", "check-report"})...)
	}
	return without(c, "a kernel", "lib")
}

// check returns the policies, and an error if the flags make no sense.
func (f *compareFlags) check() ([]string, error) {
	policies, err := compare.Policies(f.policies)
	switch {
	case err != nil:
		return nil, usagef("--policies: %w", err)
	case f.csv && f.json:
		return nil, usagef("--csv and --json: choose one")
	case f.steps < 0 || f.warp < 0:
		return nil, usagef("--steps and --warp: want 0 or more")
	case f.steps > 0 && (f.csv || f.json):
		return nil, usagef("--steps goes with the table, not with --csv or --json")
	case !slices.Contains(compare.Metrics(), f.chart.Metric):
		return nil, usagef("--metric %s: want %s", f.chart.Metric, list(compare.Metrics()))
	}
	if _, err := checkStats(f.stats); err != nil {
		return nil, err
	}
	for _, path := range f.charts {
		if *path == "" {
			continue
		}
		if err := writable("the drawing", *path); err != nil {
			return nil, err
		}
	}
	return policies, f.checkPlayed(policies)
}

// compareKernels compares one kernel of a cubin, or the kernels of tests.
func (f *compareFlags) compareKernels(ctx context.Context, c *cobra.Command, policies, args []string) error {
	jobs, read, err := f.jobs(args)
	if err != nil {
		return err
	}
	if f.html != "" && len(jobs) != 1 {
		return usagef("--html plays one kernel, and these are %d", len(jobs))
	}
	if err := f.begin(args, read); err != nil {
		return err
	}
	var rows []compare.Row
	var panels []compare.Panel
	for _, j := range jobs {
		settings := f.knobs.settings()
		settings.Progress = f.gauge.knob(settings.Progress)
		settings.Stats, settings.Trace, settings.Record = f.gathered.knob("on"), "", "" // runs would overwrite each other's
		var watched []*compare.Steps                                                    // by policy
		begin := func(policy string) simt.Recorder {
			f.gauge.say(under(j.Kernel, policy, policies))
			if settings.Check != "" {
				plain.Fprintf(c.ErrOrStderr(), "jacquard: %s\n", under(j.Kernel, policy, policies))
			}
			if f.steps == 0 {
				return nil
			}
			s := &compare.Steps{Warp: f.warp, Limit: f.steps}
			watched = append(watched, s)
			return s
		}
		more, err := compare.Kernel(ctx, settings, j, policies, compare.Watch{Begin: begin, End: f.gathered.add, Found: c.ErrOrStderr()})
		if ctx.Err() != nil {
			return cmp.Or(f.finish(c, append(rows, more...), nil), errInterrupted)
		}
		if params := new(launch.ParamsError); errors.As(err, &params) { // names the kernel
			return err
		}
		if err != nil {
			return fmt.Errorf("kernel %s: %w", j.Kernel, err)
		}
		rows = append(rows, more...)
		for i, s := range watched {
			panels = append(panels, compare.Panel{Kernel: j.Kernel, Policy: policies[i], Steps: s})
			if err := printSteps(f.text(c), j.Kernel, policies[i], s); err != nil {
				return err
			}
		}
		if watched != nil {
			fmt.Fprintf(f.text(c), "%s\n\n", compare.StepsKey)
		}
	}
	if f.html != "" {
		if err := f.play(ctx, c, jobs[0], policies); err != nil {
			return err
		}
	}
	return f.finish(c, rows, panels)
}

// begin prepares the file of --stats, and makes sure that no output is a file that is read.
func (f *compareFlags) begin(args, read []string) error {
	target, err := checkStats(f.stats)
	if err != nil {
		return err
	}
	shown := slices.DeleteFunc(f.pictures(), func(o output) bool { return o.path != standardOutput })
	if len(shown) > 1 {
		return usagef("%s and %s both go to standard output: name a file", shown[0].what, shown[1].what)
	}
	if err := apart(read, append(f.pictures(), output{"--stats", target.Path})...); err != nil {
		return err
	}
	program := ""
	if len(args) == 1 || !f.test {
		program = args[0]
	}
	f.gathered, err = gather(target, program)
	return err
}

// errInterrupted ends a comparison that the user interrupted.
var errInterrupted = errors.New("interrupted: not every policy has run")

// jobs makes the launches that the command line describes, and returns their input files.
func (f *compareFlags) jobs(args []string) (jobs []*launch.Job, read []string, err error) {
	if f.test {
		return testJobs(args, f.arch)
	}
	j, err := f.job(args, f.knobs.arch())
	if err != nil {
		return nil, nil, err
	}
	return []*launch.Job{j}, append(f.fills(), j.Program), nil
}

// text returns the stream for tables: not standard output if a drawing or a page goes there.
func (f *compareFlags) text(c *cobra.Command) io.Writer {
	if slices.ContainsFunc(f.pictures(), func(o output) bool { return o.path == standardOutput }) {
		return c.ErrOrStderr()
	}
	return c.OutOrStdout()
}

// pictures returns the page and the drawings.
func (f *compareFlags) pictures() []output {
	list := []output{{"--html", f.html}}
	for _, format := range slices.Sorted(maps.Keys(f.charts)) {
		list = append(list, output{"--" + format, *f.charts[format]})
	}
	return list
}

// under names the run and its policy.
func under(what, policy string, policies []string) string {
	return fmt.Sprintf("%s under %s (%d of %d)", what, policy, slices.Index(policies, policy)+1, len(policies))
}

// printSteps prints the steps of a kernel under a policy.
func printSteps(out io.Writer, kernel, policy string, s *compare.Steps) error {
	plain.Fprintf(out, "%s under %s: warp %d of block (0,0)", kernel, policy, s.Warp)
	if s.List == nil { // refused, or no such warp
		_, err := fmt.Fprint(out, " issued nothing\n\n")
		return err
	}
	fmt.Fprintln(out)
	err := s.Write(out)
	fmt.Fprintln(out)
	return err
}

// writeTable prints the rows as a table that fits the terminal, if out is one.
func writeTable(out io.Writer, rows []compare.Row) error {
	return compare.WriteTable(out, rows, widthOf(out))
}

// finish prints and draws the rows, or draws the steps if there are any, and fails if the rows show a
// failure.
func (f *compareFlags) finish(c *cobra.Command, rows []compare.Row, panels []compare.Panel) error {
	f.gauge.end()
	if len(rows) == 0 {
		return nil
	}
	write := writeTable
	switch {
	case f.csv:
		write = compare.WriteCSV
	case f.json:
		write = compare.WriteJSON
	}
	if err := write(f.text(c), rows); err != nil {
		return err
	}
	for _, format := range compare.Formats() {
		path := *f.charts[format]
		if path == "" {
			continue
		}
		err := writeFile(c.OutOrStdout(), path, func(w io.Writer) error {
			if f.steps > 0 {
				return compare.WriteDiagram(w, format, f.chart.Title, panels)
			}
			return f.chart.Write(w, format, rows)
		})
		if err != nil {
			return err
		}
	}
	if !compare.Agree(rows) {
		return errSaid
	}
	return nil
}
