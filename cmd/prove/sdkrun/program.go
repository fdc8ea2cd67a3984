package main

import (
	"context"
	"os"
	"os/exec"

	"jacquard/study/programs"
)

// run runs a program in its own folder, where the program looks for its data, with env added to the
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
		command.Env = programs.Environment(s.libraries, env...)
		return command, nil
	})
}
