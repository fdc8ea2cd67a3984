package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"jacquard/observe/player"
	"jacquard/observe/trace"
	"jacquard/study/launch"
)

// mostPlayed is the number of steps that a page plays per policy.
const mostPlayed = 1_000_000

// checkPlayed returns an error if --html cannot show the choice of the other flags.
func (f *compareFlags) checkPlayed(policies []string) error {
	if f.html == "" {
		return nil
	}
	if len(policies) > player.MostRuns {
		return usagef("--html plays up to %d policies, and these are %d: choose by --policies", player.MostRuns, len(policies))
	}
	return writable("the page", f.html)
}

// play runs a kernel again under each policy, with a trace of one warp of the first block, and writes
// the page that plays the traces. Policies that refuse the kernel are left out.
func (f *compareFlags) play(ctx context.Context, c *cobra.Command, j *launch.Job, policies []string) error {
	folder, err := os.MkdirTemp("", "jacquard")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var runs []player.Run
	for i, policy := range policies {
		f.gauge.say(under(j.Kernel, policy, policies) + ", traced")
		path := filepath.Join(folder, fmt.Sprintf("%d.jqt", i))
		settings := f.knobs.settings()
		settings.Progress = f.gauge.knob(settings.Progress)
		settings.Policy, settings.Record, settings.Stats = policy, "", "off"
		settings.Trace = fmt.Sprintf("%s:values=all+state,block=0,warp=%d,first=%d", path, f.warp, mostPlayed)
		if _, err := launch.Run(ctx, settings, j, io.Discard); err != nil && ctx.Err() != nil {
			return errInterrupted
		}
		file, err := trace.Open(path)
		if err != nil {
			continue // it was refused, as the table says
		}
		defer file.Close()
		if len(file.Launches) > 0 && file.Launches[0].Count > 0 {
			runs = append(runs, player.Run{File: file, Filter: &trace.Filter{}})
		}
	}
	if len(runs) == 0 {
		return fmt.Errorf("--html: warp %d issued nothing under any policy", f.warp)
	}
	return writeFile(c.OutOrStdout(), f.html, func(w io.Writer) error { return player.Write(w, j.Kernel, mostPlayed, runs) })
}
