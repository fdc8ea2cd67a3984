package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/cubin/job"
	"jacquard/cubin/plain"
	"jacquard/libcuda/launch"
	"jacquard/tesla"
)

// boards are the devices on which builds for each target run.
var boards = [...]string{
	tesla.SM10: "8800gtx",
	tesla.SM11: "9800gx2",
	tesla.SM12: "gt240",
	tesla.SM13: "gtx280",
}

// runTests runs every build of every test, and goes on after a failure.
func runTests(ctx context.Context, c *cobra.Command, paths []string, f *runFlags) error {
	passed, failed := 0, 0
	for _, path := range paths {
		t, err := job.Load(path)
		if err != nil {
			return err
		}
		for i := range t.Builds {
			b := &t.Builds[i]
			err := f.runBuild(ctx, c, t, b)
			if ctx.Err() != nil {
				return err
			}
			if err != nil {
				failed++
				plain.Fprintf(c.OutOrStdout(), "FAIL %s %s: %s\n", t.Name, b.Arch, oneLine(err.Error()))
				continue
			}
			passed++
		}
	}
	if !f.json {
		plain.Fprintf(c.OutOrStdout(), "%d passed, %d failed\n", passed, failed)
	}
	if failed > 0 {
		return errSaid
	}
	return nil
}

// runBuild runs one build on a device of its target, or on the one that a flag or the
// environment names, and compares the buffers.
func (f *runFlags) runBuild(ctx context.Context, c *cobra.Command, t *job.Test, b *job.Build) error {
	j, err := testJob(t, b)
	if err != nil {
		return err
	}
	settings := f.knobs.settings(os.LookupEnv)
	if settings.Device == "" {
		settings.Device = boards[b.Arch]
	}
	result, err := launch.Run(ctx, settings, j, newRunLog(c, settings))
	if err != nil {
		return err
	}
	var wrong []string
	for i := range t.Params {
		if p := &t.Params[i]; p.Buffer {
			if err := job.Compare(p, result.Buffers[p.Name]); err != nil {
				wrong = append(wrong, err.Error())
			}
		}
	}
	note := result.Launch.InStep
	if len(wrong) > 0 && note != "" {
		wrong = append(wrong, note)
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}
	if f.json {
		return f.printLaunch(c.OutOrStdout(), &result.Launch)
	}
	plain.Fprintf(c.OutOrStdout(), "ok %s %s on %s: %d warp instructions, %.2f active lanes\n",
		t.Name, b.Arch, settings.Device, result.Launch.WarpInstructions, result.Launch.AverageActiveLanes)
	for _, note := range []string{note, result.Launch.Overrun} {
		if note != "" {
			plain.Fprintf(c.OutOrStdout(), "note: %s\n", note)
		}
	}
	return nil
}

// testJob makes the launch of a build.
func testJob(t *job.Test, b *job.Build) (*launch.Job, error) {
	if _, err := t.Image(b); err != nil {
		return nil, err
	}
	image, err := os.ReadFile(filepath.Join(t.Dir, b.File))
	if err != nil {
		return nil, err
	}
	j := &launch.Job{Image: image, Kernel: t.Name, Grid: t.Grid, Block: t.Block, Placed: true}
	for i := range t.Params {
		p := &t.Params[i]
		param := launch.Param{Name: p.Name, Offset: p.Offset, Value: p.Value}
		if p.Buffer {
			param.Buffer = p.Init
		}
		j.Params = append(j.Params, param)
	}
	return j, nil
}
