package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/cmd/internal/page"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/stats"
	"jacquard/observe/stats/rollup"
	"jacquard/study/kerneltest"
	"jacquard/study/launch"
)

type statsFlags struct {
	by      string
	sort    string
	top     int
	csv     bool
	json    bool
	against string

	table3, branches bool

	test   bool
	output string
}

func newStats() *cobra.Command {
	var f statsFlags
	c := &cobra.Command{
		Use:   "stats FILE | stats --table3|--branches [--test] FILE...",
		Short: "Sum up the statistics of a run",
		Long: `Sum up the file of --stats FILE.json of exec and run, or of JACQUARD_STATS=FILE.json:

  static    instructions in the code      off           lanes kept from executing by a guard
  issues    warp-instructions             divergent     branches that lanes part at
  threads   lanes that executed           transactions  of device memory, by the rule of the
  lanes     mean of active lanes          and bytes     kernel's architecture
                                          conflicts     extra steps of shared memory
  uniform, affine   share of the registers read, if --stats FILE:tags counted them
  replays   accesses issued again, if --stats FILE:costs counted them

docs/statistics.md defines them; --csv and --json print all counters.

--table3 prints static and dynamic instructions of every kernel in Markdown, as table 3 of
"Stack-less SIMT reconvergence at low cost" counts them: issues without joinat and without joins
issued twice; all issues are beside them. The paper ran the policy stackless. With --test, FILEs
are test.json files or folders of them; all builds are run, under nvidia and stackless.
--branches prints where lanes that part at a branch meet again; its tests run under stackless.

Exit status 1 if --against finds a difference.`,
		Example: `  jacquard exec --stats s.json -- ./reduction && jacquard stats s.json
  jacquard stats s.json --by op --sort threads --top 10
  jacquard stats s.json --by instruction --csv > s.csv
  jacquard stats s.json --against other.json
  jacquard stats --table3 --test testdata/mesa-kernels`,
		Args: func(c *cobra.Command, args []string) error {
			if f.kernels() {
				return arguments(1, -1, "at least one file")(c, args)
			}
			return arguments(1, 1, "a statistics file")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if f.kernels() {
				err := without(c, "a table in Markdown", "against", "by", "csv", "json", "sort", "top")
				if err != nil {
					return err
				}
			}
			switch {
			case f.kernels():
				return f.printKernels(c, args)
			case f.against != "":
				return f.compare(c, args[0])
			}
			return f.print(c, args[0])
		},
	}
	fl := c.Flags()
	fl.StringVar(&f.by, "by", "kernel", "`WHAT` a row is: "+list(rollup.Dimensions()))
	fl.StringVar(&f.sort, "sort", "", "put the most first of `COLUMN`: "+list(rollup.Columns())+" (default: issues; launches and instructions in their order)")
	fl.IntVar(&f.top, "top", 0, "print `N` rows only")
	fl.BoolVar(&f.csv, "csv", false, "print the rows as CSV with all counters")
	fl.BoolVar(&f.json, "json", false, "print the rows as one JSON object each with all counters")
	fl.StringVar(&f.against, "against", "", "print the figures of this statistics `FILE` beside those of FILE")
	fl.BoolVar(&f.table3, "table3", false, "print static and dynamic instructions by kernel, in Markdown")
	fl.BoolVar(&f.branches, "branches", false, "print where branches meet by kernel, in Markdown")
	fl.BoolVar(&f.test, "test", false, "with --table3, --branches: FILEs are test.json files or folders of them")
	fl.StringVarP(&f.output, "output", "o", "", "with --table3, --branches: replace the table in this `PAGE`")
	return c
}

// kernels reports whether a table of kernels in Markdown is wanted.
func (f *statsFlags) kernels() bool { return f.table3 || f.branches }

// check reports flags that make no sense, and sets the default order.
func (f *statsFlags) check() error {
	table := rollup.New(f.by)
	switch {
	case table == nil:
		return oneOf("by", f.by, rollup.Dimensions()...)
	case f.sort != "" && !table.Sort(f.sort):
		return oneOf("sort", f.sort, rollup.Columns()...)
	case f.csv && f.json:
		return usagef("--csv and --json: choose one")
	case f.top < 0:
		return usagef("--top %d: want 0 or more", f.top)
	case f.against != "" && (f.csv || f.json):
		return usagef("--against goes with the table, not with --csv or --json")
	case f.against != "" && f.top > 0:
		return usagef("--against compares all rows: leave --top out")
	case f.table3 && f.branches:
		return usagef("--table3 and --branches: choose one")
	case f.test && !f.kernels(), f.output != "" && !f.kernels():
		return usagef("--test and -o go with --table3 or --branches")
	}
	if f.sort == "" && f.by != "launch" && f.by != "instruction" {
		f.sort = "issues"
	}
	return nil
}

// load sums up the file at path, and says on standard error if the file's end is missing.
func (f *statsFlags) load(c *cobra.Command, path string) (*rollup.Table, error) {
	t := rollup.New(f.by)
	r, err := stats.LoadEach(path, func(l *stats.Launch) error {
		t.Add(l)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r.Damage != nil {
		reportDamage(c, path, r.Damage)
	}
	t.Sort(f.sort)
	if f.top > 0 {
		t.Top(f.top)
	}
	return t, nil
}

func (f *statsFlags) print(c *cobra.Command, path string) error {
	t, err := f.load(c, path)
	if err != nil {
		return err
	}
	write := t.WriteTable
	switch {
	case f.csv:
		write = t.WriteCSV
	case f.json:
		write = t.WriteJSON
	}
	return write(c.OutOrStdout())
}

func (f *statsFlags) compare(c *cobra.Command, path string) error {
	a, err := f.load(c, path)
	if err != nil {
		return err
	}
	b, err := f.load(c, f.against)
	if err != nil {
		return err
	}
	same, err := a.WriteAgainst(c.OutOrStdout(), b)
	if err == nil && !same {
		return errSaid
	}
	return err
}

// printKernels prints the table of kernels, or puts it into a page.
func (f *statsFlags) printKernels(c *cobra.Command, paths []string) error {
	if err := apart(paths, output{"-o", f.output}); err != nil {
		return err
	}
	var t rollup.KernelTable
	if f.test {
		if err := addTests(c, &t, paths, f.policies()); err != nil {
			return err
		}
		paths = nil
	}
	for _, path := range paths {
		if err := t.AddFile(path); err != nil {
			return err
		}
	}
	progress(c, "")
	write, start := t.WriteMarkdown, tableStart
	if f.branches {
		write, start = t.WriteBranches, branchesStart
	}
	if f.output == "" || f.output == standardOutput {
		return write(c.OutOrStdout())
	}
	if isDevice(f.output) {
		return usagef("-o %s: want a page that holds a table", f.output)
	}
	old, err := os.ReadFile(f.output)
	if err != nil {
		return err
	}
	var b strings.Builder
	if err := write(&b); err != nil {
		return err
	}
	text, err := page.Replace(string(old), start, tableEnd, func(string) string { return "\n" + b.String() + "\n" })
	if err != nil {
		return fmt.Errorf("%s: %w", f.output, err)
	}
	return writeFile(c.OutOrStdout(), f.output, content([]byte(text)))
}

// policies returns the policies that addTests runs: the paper's, and for table 3 the default before
// it.
func (f *statsFlags) policies() []string {
	if f.branches {
		return []string{"stackless"}
	}
	return []string{"nvidia", "stackless"}
}

// addTests runs every build of the tests at paths, each on a device of its architecture and under
// some policies, and adds the counts to t.
func addTests(c *cobra.Command, t *rollup.KernelTable, paths, policies []string) error {
	paths, err := kerneltest.Find(paths)
	if err != nil {
		return err
	}
	ctx, stop := until(os.Interrupt)
	defer stop()
	for _, path := range paths {
		test, err := kerneltest.Load(path)
		if err != nil {
			return err
		}
		progress(c, test.Name)
		for _, policy := range policies {
			for i := range test.Builds {
				run, err := countBuild(ctx, policy, test, &test.Builds[i])
				if err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
				t.Add(test.Name, run)
			}
		}
	}
	return nil
}

// countBuild runs a build of a test under a policy, with the defaults of other knobs, and returns its
// statistics.
func countBuild(ctx context.Context, policy string, test *kerneltest.Test, b *kerneltest.Build) (*stats.Run, error) {
	j, err := launch.OfBuild(test, b)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "jacquard-stats-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "s.json")
	if _, err := launch.Run(ctx, knobs.Settings{Stats: path, Policy: policy}, j, io.Discard); err != nil {
		return nil, err
	}
	return stats.Load(path)
}

// The lines that enclose a table in a page.
const (
	tableStart    = "<!-- Code generated by jacquard stats --table3; DO NOT EDIT. -->"
	branchesStart = "<!-- Code generated by jacquard stats --branches; DO NOT EDIT. -->"
	tableEnd      = "<!-- end of generated part -->"
)
