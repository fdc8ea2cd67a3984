package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/cobra"

	"jacquard/cubin/job"
	"jacquard/libcuda/driver/knobs"
	"jacquard/libcuda/launch"
	"jacquard/simt/stats"
	"jacquard/simt/stats/rollup"
)

// addTests runs every build of the tests at path, a test.json or a folder in whose folders they are, each on a
// device of its architecture, and adds what they counted to t.
func addTests(c *cobra.Command, t *rollup.KernelTable, path string) error {
	paths := []string{path}
	if info, err := os.Stat(path); err != nil {
		return err
	} else if info.IsDir() {
		if paths, err = filepath.Glob(filepath.Join(path, "*", "test.json")); err != nil {
			return err
		}
		if len(paths) == 0 {
			return fmt.Errorf("%s: no folder in it has a test.json", path)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for _, path := range paths {
		test, err := job.Load(path)
		if err != nil {
			return err
		}
		progress(c, test.Name)
		for i := range test.Builds {
			run, err := countBuild(ctx, test, &test.Builds[i])
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			t.Add(test.Name, run)
		}
	}
	return nil
}

// countBuild runs a build of a test with the knobs' defaults, and returns what it counted.
func countBuild(ctx context.Context, test *job.Test, b *job.Build) (*stats.Run, error) {
	j, err := testJob(test, b)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "jacquard-stats-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "s.json")
	settings := knobs.Settings{Device: boards[b.Arch], Stats: path}
	if _, err := launch.Run(ctx, settings, j, io.Discard); err != nil {
		return nil, err
	}
	return stats.Load(path)
}
