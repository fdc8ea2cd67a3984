package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/internal/plain"
	"jacquard/libcuda/driver/events"
	"jacquard/study/kerneltest"
	"jacquard/study/launch"
)

// testHelp is of the flag --test.
const testHelp = "each FILE is a test.json, a folder with one, or a folder of such folders"

// test is a build of a test.
type test struct {
	*kerneltest.Test
	build *kerneltest.Build
}

// tests returns the builds of the tests at paths: all, or the builds for the architecture of the
// flag. It notes the files that it reads.
func (f *runFlags) tests(paths []string) ([]test, error) {
	paths, err := kerneltest.Find(paths)
	if err != nil {
		return nil, err
	}
	f.read = paths
	var tests []test
	for _, path := range paths {
		t, err := kerneltest.Load(path)
		if err != nil {
			return nil, err
		}
		if f.arch != "" {
			b, err := t.Build(f.arch)
			if err != nil {
				return nil, err
			}
			tests = append(tests, test{t, b})
			continue
		}
		for i := range t.Builds {
			tests = append(tests, test{t, &t.Builds[i]})
		}
	}
	for _, t := range tests {
		f.read = append(f.read, filepath.Join(t.Dir, t.build.File))
	}
	return tests, nil
}

// testJobs makes the launches of the tests at paths, each of its newest build or that for arch. read
// are their files.
func testJobs(paths []string, arch string) (jobs []*launch.Job, read []string, err error) {
	if read, err = kerneltest.Find(paths); err != nil {
		return nil, nil, err
	}
	for _, path := range read {
		t, err := kerneltest.Load(path)
		if err != nil {
			return nil, nil, err
		}
		b := &t.Builds[len(t.Builds)-1]
		if arch != "" {
			if b, err = t.Build(arch); err != nil {
				return nil, nil, err
			}
		}
		j, err := launch.OfBuild(t, b)
		if err != nil {
			return nil, nil, err
		}
		jobs, read = append(jobs, j), append(read, j.Program)
	}
	return jobs, read, nil
}

// runTests runs builds of tests; a failure does not end it.
func (f *runFlags) runTests(ctx context.Context, c *cobra.Command, paths []string) error {
	var tests []test
	if err := f.withJSON(c, "", f.arch, func() (err error) { tests, err = f.tests(paths); return err }); err != nil {
		return err
	}
	if err := f.gatherTests(len(tests)); err != nil {
		return err
	}
	return cmp.Or(f.runAll(ctx, c, tests), f.gathered.end(c))
}

// runAll runs builds of tests, and prints how many passed.
func (f *runFlags) runAll(ctx context.Context, c *cobra.Command, tests []test) error {
	out := f.text(c)
	passed, failed := 0, 0
	for i, t := range tests {
		f.gauge.say(fmt.Sprintf("%s %s (%d of %d)", t.Name, t.build.Arch, i+1, len(tests)))
		err := f.withJSON(c, t.Name, t.build.Arch.String(), func() error { return f.runBuild(ctx, c, t.Test, t.build) })
		switch {
		case ctx.Err() != nil:
			plain.Fprintf(out, "%d passed, %d failed, %d not run\n", passed, failed, len(tests)-i)
			return err
		case err == nil:
			passed++
		case err == errSaid:
			failed++
		default:
			failed++
			plain.Fprintf(out, "FAIL %s %s: %s\n", t.Name, t.build.Arch, oneLine(err.Error()))
		}
	}
	plain.Fprintf(out, "%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		return errSaid
	}
	return nil
}

// gatherTests begins the file of statistics of several runs, and refuses other files for several.
func (f *runFlags) gatherTests(runs int) error {
	settings := f.knobs.settings()
	o, err := settings.Outputs()
	if err != nil || runs == 1 {
		return err
	}
	for _, file := range []struct {
		wanted bool
		flag   string
	}{{o.Trace.Path != "", "--trace"}, {o.Record.Path != "", "--record"}} {
		if file.wanted {
			return usagef("%s is of one run, and these are %d: choose one test, and a build by --arch", file.flag, runs)
		}
	}
	if !o.Stats.Write {
		return nil
	}
	if _, err := checkOutputs(settings, f.read); err != nil {
		return err
	}
	f.gathered, err = gather(o.OfProcess().Stats.To, "")
	return err
}

// runBuild runs one build on a device of its architecture, or on the device of flag or environment,
// and compares the buffers.
func (f *runFlags) runBuild(ctx context.Context, c *cobra.Command, t *kerneltest.Test, b *kerneltest.Build) error {
	j, err := launch.OfBuild(t, b)
	if err != nil {
		return err
	}
	result, finish, err := f.launch(ctx, c, j)
	if err == nil {
		err = compareBuffers(t, result)
		if err == nil && !f.json {
			printPassed(c.OutOrStdout(), t, b, cmp.Or(f.knobs.settings().Device, j.Device), &result.Launch)
		}
	}
	return cmp.Or(err, finish())
}

// compareBuffers compares the buffers after a launch. The error says which are not as they should be.
func compareBuffers(t *kerneltest.Test, result *launch.Result) error {
	var wrong []string
	for i := range t.Params {
		if p := &t.Params[i]; p.Buffer {
			if err := kerneltest.Compare(p, result.Buffers[p.Name]); err != nil {
				wrong = append(wrong, err.Error())
			}
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	if in := result.Launch.InStep; in != "" {
		wrong = append(wrong, in)
	}
	return errors.New(strings.Join(wrong, "; "))
}

// printPassed tells of the launch of a build that passed.
func printPassed(out io.Writer, t *kerneltest.Test, b *kerneltest.Build, device string, l *events.Launch) {
	counts := ""
	if l.WarpInstructions > 0 {
		counts = fmt.Sprintf(": %d warp instructions, %.2f active lanes", l.WarpInstructions, l.AverageActiveLanes)
	}
	plain.Fprintf(out, "ok %s %s on %s%s\n", t.Name, b.Arch, device, counts)
	for _, note := range l.Notes() {
		plain.Fprintf(out, "note: %s\n", note)
	}
}
