package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"jacquard/libcuda/driver/knobs"
	"jacquard/study/launch"
)

// countedRun is the statistics and the trace of a test's run, in a temporary folder.
type countedRun struct{ kernel, folder, stats, trace string }

// countTest runs a test under a policy, "" for the default, with statistics and a trace. If the
// kernel faults, the run has files all the same, and the fault is the error.
func countTest(ctx context.Context, path, arch, policy string) (*countedRun, error) {
	jobs, _, err := testJobs([]string{path}, arch)
	if err != nil {
		return nil, err
	}
	if len(jobs) != 1 {
		return nil, usagef("a page of --test is of one kernel, and these are %d: choose one test", len(jobs))
	}
	folder, err := os.MkdirTemp("", "jacquard-report-*")
	if err != nil {
		return nil, err
	}
	r := &countedRun{jobs[0].Kernel, folder, filepath.Join(folder, "run.json"), filepath.Join(folder, "run.jqt")}
	_, err = launch.Run(ctx, knobs.Settings{Stats: r.stats, Trace: r.trace, Policy: policy}, jobs[0], io.Discard)
	if begun := new(launch.NotBegunError); errors.As(err, &begun) {
		return nil, errors.Join(err, r.remove())
	}
	return r, err
}

// remove removes the files.
func (r *countedRun) remove() error { return os.RemoveAll(r.folder) }

// ofTest makes the page of a test's run.
func (f *reportFlags) ofTest(c *cobra.Command, path string) error {
	ctx, stop := until(os.Interrupt)
	defer stop()
	if f.trace != "" {
		return usagef("--trace goes with a statistics file: --test records a trace of its own")
	}
	run, fault := countTest(ctx, path, f.arch, f.policy)
	if run == nil {
		return fault
	}
	defer run.remove()
	if f.output == "" {
		f.output = run.kernel + ".html"
	}
	if err := f.page(c, run.stats, run.trace); err != nil {
		return err
	}
	return fault
}
