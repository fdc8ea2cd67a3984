package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/internal/plain"
	"jacquard/observe/report"
	"jacquard/simt"
)

// reportFlags are the flags of report.
type reportFlags struct {
	output, trace string
	kernels       []string
	policy        string
	test          bool
	arch          string
}

func newReport() *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:   "report RUN | report --test FILE",
		Short: "Make a page of a run's statistics: code with heat, flow graphs, lanes",
		Long: `Make an HTML page from the statistics of a run, for a browser: kernels ranked; for each its
disassembly with heat, its control flow coloured by issues, active lanes or memory, lane
occupancy, instruction mix, branches, memory and exactness. With a trace of the run, also
a timeline of its warps, and a player of their steps. The page is one file and needs nothing
else: no network, no server. It prints, and the ? key lists its keys.

RUN is a statistics file of --stats x.json of run and exec, or of JACQUARD_STATS=x.json; or
a folder that holds one, and perhaps a trace. Of the file of jacquard compare --stats, --policy
chooses one policy.

With --test, FILE is a test.json or a folder with one: its newest build, or that for --arch, is
run with statistics and a trace, under --policy or the default.`,
		Example: `  jacquard exec --stats run.json -- ./program && jacquard report run.json -o run.html
  jacquard report run.json --trace run.jqt -o run.html
  jacquard report --test testdata/mesa-kernels/nested --policy stackless -o nested.html`,
		Args: arguments(1, 1, "a statistics file, or a test"),
		RunE: func(c *cobra.Command, args []string) error {
			if want := simt.WantPolicy(f.policy); f.policy != "" && want != "" {
				return usagef("--policy %q: want %s", f.policy, want)
			}
			if f.test {
				return f.ofTest(c, args[0])
			}
			if f.arch != "" {
				return usagef("--arch goes with --test")
			}
			path, found, err := runFiles(args[0])
			if err != nil {
				return err
			}
			return f.page(c, path, cmp.Or(f.trace, found))
		},
	}
	c.Flags().StringArrayVar(&f.kernels, "kernel", nil, "only this `KERNEL`; may be given several times")
	c.Flags().StringVar(&f.trace, "trace", "", "a `TRACE` of the run, for a timeline and a player")
	c.Flags().StringVar(&f.policy, "policy", "", "of a file with several policies, the launches under `POLICY`; with --test, run under it")
	c.Flags().BoolVar(&f.test, "test", false, "FILE is a test.json or a folder with one, and is run")
	c.Flags().StringVar(&f.arch, "arch", "", "with --test: run the build for this `ARCH`, as sm_10")
	c.Flags().StringVarP(&f.output, "output", "o", "", "the `FILE` to write; - is standard output (default: RUN's name, or the kernel's, with .html)")
	return c
}

// page writes the page of a statistics file and of a trace; "" means no trace.
func (f *reportFlags) page(c *cobra.Command, path, trace string) error {
	r, err := f.load(path)
	if err != nil {
		return err
	}
	if r.Run.Damage != nil {
		reportDamage(c, path, r.Run.Damage)
	}
	if trace != "" {
		t, err := openTrace(c, trace)
		if err != nil {
			return err
		}
		defer t.Close() // the page reads steps as it is written
		if err := r.AddTrace(t); err != nil {
			return fmt.Errorf("%s: %w", trace, err)
		}
	}
	r.Text = sources{}.text
	if f.output == "" {
		f.output = strings.TrimSuffix(path, filepath.Ext(path)) + ".html"
	}
	if err := apart([]string{path, trace}, output{"-o", f.output}); err != nil {
		return err
	}
	if err := writeText(c.OutOrStdout(), f.output, r.Write); err != nil {
		return err
	}
	plain.Fprintf(beside(c, f.output), "%s: %s\n", f.output, r.Sentence())
	return nil
}

// load sums up the statistics file at path, of all kernels or of the named ones.
func (f *reportFlags) load(path string) (*report.Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := report.Read(file, f.policy, f.kernels...)
	if several := new(report.PoliciesError); errors.As(err, &several) {
		return nil, usagef("%s: %w: choose by --policy", path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// runFiles returns path if that is a file, and else the statistics file and the trace in the folder
// path; a trace may be missing.
func runFiles(path string) (statistics, trace string, err error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, "", err
	}
	if statistics, err = only(path, ".json"); err != nil {
		return "", "", err
	}
	if statistics == "" {
		return "", "", fmt.Errorf("%s: the folder holds no statistics file: want one with the suffix .json", path)
	}
	trace, err = only(path, ".jqt")
	return statistics, trace, err
}

// only returns the one file with a suffix in a folder, "" if there is none. Several are an error.
func only(folder, suffix string) (string, error) {
	found, err := fs.Glob(os.DirFS(folder), "*"+suffix)
	switch {
	case len(found) == 0:
		return "", err
	case len(found) > 1:
		return "", usagef("%s holds %d files with the suffix %s: say which one", folder, len(found), suffix)
	}
	return filepath.Join(folder, found[0]), nil
}
