package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"jacquard/libcuda/events"
)

// result is the outcome of one program.
type result struct {
	verdict      verdict
	reason       string // unless it passed
	elapsed      time.Duration
	processor    time.Duration // of all threads: more reliable than elapsed on a busy host
	instructions uint64        // warp-instructions of all launches
	launched     []events.Launch
}

// run runs a program in its own folder, where it looks for its data, with env besides its
// environment.
func (s *setup) run(name string, env ...string) result {
	scratch, err := os.MkdirTemp("", "sdkrun")
	if err != nil {
		return result{verdict: failed, reason: err.Error()}
	}
	defer os.RemoveAll(scratch)
	summary := filepath.Join(scratch, "summary")

	ctx, cancel := context.WithTimeout(context.Background(), s.limit)
	defer cancel()
	command := exec.CommandContext(ctx, "./"+name, s.args...)
	command.Dir = s.release
	if s.target != 0 {
		if command.Path, err = s.hidden(name, scratch); err != nil {
			return result{verdict: failed, reason: err.Error()}
		}
	}
	command.Env = append(os.Environ(), "LD_LIBRARY_PATH="+s.libraryPath, "JACQUARD_SUMMARY="+summary)
	command.Env = append(command.Env, env...)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with its child processes
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }

	began := time.Now()
	err = command.Run()
	r := result{elapsed: time.Since(began)}
	if p := command.ProcessState; p != nil {
		r.processor = p.UserTime() + p.SystemTime()
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("takes longer than %v", s.limit)
	}
	r.verdict, r.reason = judge(output.String(), err)
	if err := r.count(summary); err != nil {
		r.verdict, r.reason = failed, err.Error()
	}
	return r
}

// count adds up the launches that the library recorded in summary. A program that never started the
// driver has no summary.
func (r *result) count(summary string) error {
	record, err := events.Read(summary)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	r.launched = record.Launches
	for i := range record.Launches {
		r.instructions += record.Launches[i].WarpInstructions
	}
	return nil
}
