package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/cubin/job"
	"jacquard/cubin/plain"
	"jacquard/libcuda/launch"
)

// runTests runs every build of every test; a failure does not end it.
func runTests(ctx context.Context, c *cobra.Command, paths []string, f *runFlags) error {
	passed, failed := 0, 0
	for _, path := range paths {
		t, err := job.Load(path)
		if err != nil {
			return err
		}
		builds, err := buildsOf(path, t, f.arch)
		if err != nil {
			return err
		}
		for i := range builds {
			b := &builds[i]
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

// buildsOf returns the builds of a test, or the one for arch unless that is "".
func buildsOf(path string, t *job.Test, arch string) ([]job.Build, error) {
	if arch == "" {
		return t.Builds, nil
	}
	var archs []string
	for i := range t.Builds {
		archs = append(archs, t.Builds[i].Arch.String())
		if archs[i] == arch {
			return t.Builds[i : i+1], nil
		}
	}
	return nil, fmt.Errorf("%s has no build for %s: it has %s", path, arch, list(archs))
}

// runBuild runs one build on a device of its architecture, or on the device of flag or environment,
// and compares the buffers.
func (f *runFlags) runBuild(ctx context.Context, c *cobra.Command, t *job.Test, b *job.Build) error {
	j, err := launch.OfBuild(t, b)
	if err != nil {
		return err
	}
	j.Stdout, j.Stderr = c.OutOrStdout(), c.ErrOrStderr()
	settings := f.knobs.settings()
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
	l := &result.Launch
	if len(wrong) > 0 && l.InStep != "" {
		wrong = append(wrong, l.InStep)
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}
	if f.json {
		return f.printLaunch(c.OutOrStdout(), l)
	}
	plain.Fprintf(c.OutOrStdout(), "ok %s %s on %s: %d warp instructions, %.2f active lanes\n",
		t.Name, b.Arch, cmp.Or(settings.Device, j.Device), l.WarpInstructions, l.AverageActiveLanes)
	for _, note := range []string{l.InStep, l.Overrun} {
		if note != "" {
			plain.Fprintf(c.OutOrStdout(), "note: %s\n", note)
		}
	}
	return nil
}
