package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"jacquard/cubin/job"
	"jacquard/cubin/plain"
	"jacquard/libcuda/compare"
	"jacquard/libcuda/launch"
	"jacquard/simt"
)

type compareFlags struct {
	jobFlags
	policies string
	test     bool
	lib      string
	csv      bool
	json     bool
	svg      string
	steps    int
	warp     int
	knobs    *knobFlags
}

func newCompare() *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare FILE [KERNEL] | compare --test FILE... | compare [flags] -- PROGRAM [ARGS]",
		Short: "Run a kernel or a program under several divergence policies",
		Long: `Run one kernel of a cubin, the kernels of test.json files, or a whole program under several
divergence policies, check that all leave the same memory, and print how each uses the
lanes. jacquard policies lists the policies; docs/statistics.md defines the figures:

  issues   warp instructions                paths    most places of a warp's lanes
  lanes    mean of active lanes             stack    most entries of the control stack
  bare     the same without joinat          multi    meetings of three paths or more
  rejoins  joins vetoed, issued again       bcc scc  steps of 8 lanes an issue takes if idle
  notes    joinat, breakaddr, ... issued             ones are skipped (bcc) or lanes
  empty    issues without a lane                     packed (scc), on average
  merges   meetings of lanes run apart      pc arb   issues that choose a pc, those that
  swaps    changes to other lanes           mem arb  access memory lane by lane, and those
                                            no arb   that need no arbiter between lanes

A policy that cannot run a kernel is shown with its reason, and a kernel that faults with
its fault. Where memory differs from that of the first policy, the first word is shown.

A program is run once for each policy, without input; its output is discarded. Launches are
compared one by one, and summed up by kernel. Of a test.json the newest build is run, or the
one for --arch.

` + argumentsHelp + `

Exit status 1 if memory differs, a kernel faults, or no policy can run it.`,
		Example: `  jacquard compare --test testdata/mesa-kernels/*/test.json --svg lanes.svg
  jacquard compare --test testdata/mesa-kernels/nested/test.json --policies nvidia,stackless --steps 40
  jacquard compare --policies nvidia,simty:hot=3 testdata/mesa-kernels/saxpy/sm_13.cubin \
      --block 64 --arg buf:256:seed=1 --arg buf:256:seed=2 --arg f32:2 --arg u32:64
  jacquard compare --csv -- ./program 1000 > program.csv`,
		Args: f.checkArguments,
		RunE: func(c *cobra.Command, args []string) error {
			policies, err := f.check()
			if err != nil {
				return err
			}
			ctx, stop := until(os.Interrupt, syscall.SIGTERM)
			defer stop()
			defer progress(c, "")
			if f.program(c) {
				return f.compareProgram(ctx, c, policies, args)
			}
			return f.compareKernels(ctx, c, policies, args)
		},
	}
	fl := c.Flags()
	fl.StringVar(&f.policies, "policies", compare.All, "`POLICIES` with commas between, options after a colon; all is every policy with its defaults, all:warp=8 with narrow warps")
	fl.BoolVar(&f.test, "test", false, "FILE is a test.json")
	fl.StringVar(&f.arch, "arch", "", "with --test: run the build for this `ARCH`, as sm_10; compile PTX for it")
	fl.StringVar(&f.lib, "lib", "", "with a program: "+libHelp)
	fl.BoolVar(&f.csv, "csv", false, "print the rows as CSV with all counters")
	fl.BoolVar(&f.json, "json", false, "print the rows as one JSON object each with all counters")
	fl.StringVar(&f.svg, "svg", "", "draw average active lanes by kernel and policy into this `FILE`")
	fl.IntVar(&f.steps, "steps", 0, "print the first `N` steps of a warp under each policy, and what the policy keeps")
	fl.IntVar(&f.warp, "warp", 0, "with --steps: of warp `N` of the first block")
	f.add(c)
	f.knobs = addKnobs(c, "policy", "stats", "summary", "digest", "record", "trace", "crosscheck")
	return c
}

// program reports whether the arguments are a program: programs follow "--".
func (f *compareFlags) program(c *cobra.Command) bool { return c.ArgsLenAtDash() == 0 }

func (f *compareFlags) checkArguments(c *cobra.Command, args []string) error {
	switch {
	case f.program(c) && f.test:
		return usagef("--test takes test.json files, not a program after --")
	case f.program(c):
		return arguments(1, -1, "a program to run")(c, args)
	case f.test:
		return arguments(1, -1, "at least one test.json")(c, args)
	}
	return arguments(1, 2, "a cubin and a kernel, or -- and a program")(c, args)
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
	case f.svg != "":
		return policies, writable("the drawing", f.svg)
	}
	return policies, nil
}

// compareKernels compares one kernel of a cubin, or the kernels of tests.
func (f *compareFlags) compareKernels(ctx context.Context, c *cobra.Command, policies, args []string) error {
	jobs, err := f.jobs(args)
	if err != nil {
		return err
	}
	var rows []compare.Row
	for _, j := range jobs {
		settings := f.knobs.settings()
		settings.Stats, settings.Trace, settings.Record = "on", "", "" // runs would overwrite each other's
		var watched []*compare.Steps                                   // by policy
		begin := func(policy string) simt.Recorder {
			progress(c, fmt.Sprintf("%s under %s", j.Kernel, policy))
			if f.steps == 0 {
				return nil
			}
			s := &compare.Steps{Warp: f.warp, Limit: f.steps}
			watched = append(watched, s)
			return s
		}
		more, err := compare.Kernel(ctx, settings, j, policies, begin)
		if ctx.Err() != nil {
			return errInterrupted
		}
		if params := new(launch.ParamsError); errors.As(err, &params) { // names the kernel
			return err
		}
		if err != nil {
			return fmt.Errorf("kernel %s: %w", j.Kernel, err)
		}
		rows = append(rows, more...)
		progress(c, "")
		for i, s := range watched {
			if err := printSteps(c.OutOrStdout(), j.Kernel, policies[i], s); err != nil {
				return err
			}
		}
		if watched != nil {
			fmt.Fprintf(c.OutOrStdout(), "%s\n\n", compare.StepsKey)
		}
	}
	return f.finish(c, rows)
}

// errInterrupted ends a comparison that the user interrupted.
var errInterrupted = errors.New("interrupted: not every policy has run")

// jobs makes the launches that the command line describes.
func (f *compareFlags) jobs(args []string) ([]*launch.Job, error) {
	if !f.test {
		j, err := f.job(args)
		return []*launch.Job{j}, err
	}
	var jobs []*launch.Job
	for _, path := range args {
		t, err := job.Load(path)
		if err != nil {
			return nil, err
		}
		builds, err := buildsOf(path, t, f.arch)
		if err != nil {
			return nil, err
		}
		b := &builds[len(builds)-1]
		j, err := launch.OfBuild(t, b)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
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

// finish prints and draws the rows, and fails if they show a failure.
func (f *compareFlags) finish(c *cobra.Command, rows []compare.Row) error {
	progress(c, "")
	write := compare.WriteTable
	switch {
	case f.csv:
		write = compare.WriteCSV
	case f.json:
		write = compare.WriteJSON
	}
	if err := write(c.OutOrStdout(), rows); err != nil {
		return err
	}
	if f.svg != "" {
		if err := writeFile(f.svg, "", func(w io.Writer) error { return compare.WriteSVG(w, rows) }); err != nil {
			return err
		}
	}
	if !compare.Agree(rows) {
		return errSaid
	}
	return nil
}
