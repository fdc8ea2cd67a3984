package main

import (
	"context"
	"os"
	"os/exec"

	"jacquard/libcuda/programs"
)

// run runs a program in its own folder, where it looks for its data, with env besides its
// environment.
func (s *setup) run(name string, env ...string) *programs.Result {
	scratch, err := os.MkdirTemp("", "sdkrun")
	if err != nil {
		return &programs.Result{Verdict: programs.Failed, Reason: err.Error()}
	}
	defer os.RemoveAll(scratch)
	return programs.Run(context.Background(), s.limit, func(ctx context.Context) (*exec.Cmd, error) {
		command := exec.CommandContext(ctx, "./"+name, s.args...)
		command.Dir = s.release
		if s.target != 0 {
			if command.Path, err = s.hidden(name, scratch); err != nil {
				return nil, err
			}
		}
		command.Env = append(os.Environ(), "LD_LIBRARY_PATH="+s.libraryPath)
		command.Env = append(command.Env, env...)
		return command, nil
	})
}

// instructions returns the warp-instructions of all launches.
func instructions(r *programs.Result) (n uint64) {
	for i := range r.Launches {
		n += r.Launches[i].WarpInstructions
	}
	return n
}
