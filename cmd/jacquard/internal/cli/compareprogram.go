package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"jacquard/libcuda/bind"
	"jacquard/libcuda/compare"
	"jacquard/libcuda/events"
)

// compareProgram runs a program once a policy and compares launch by launch.
func (f *compareFlags) compareProgram(ctx context.Context, c *cobra.Command, policies, args []string) error {
	if f.steps > 0 {
		return usagef("--steps needs a kernel or a test.json: the steps of a program are beyond its library's record")
	}
	program, lib, err := findBoth(args[0], f.lib)
	if err != nil {
		return err
	}
	var runs []compare.Run
	for _, policy := range policies {
		progress(c, fmt.Sprintf("%s under %s", args[0], policy))
		cmd := exec.CommandContext(ctx, program, args[1:]...)
		cmd.Args[0] = args[0]
		cmd.Env = append(os.Environ(), f.knobs.environment()...)
		cmd.Env = append(cmd.Env, "JACQUARD_POLICY="+policy, "JACQUARD_STATS=on", "JACQUARD_DIGEST=on", "JACQUARD_TRACE=", "JACQUARD_RECORD=", "JACQUARD_CROSSCHECK=")
		run, err := recordRun(cmd, lib)
		if ctx.Err() != nil {
			return errInterrupted
		}
		if err != nil {
			return err
		}
		run.Policy = policy
		runs = append(runs, *run)
	}
	rows := compare.Program(runs)
	if len(rows) == 0 {
		return fmt.Errorf("%s launched no kernel", program)
	}
	return f.finish(c, rows)
}

// recordRun runs a program on the library and reads what the library noted.
func recordRun(cmd *exec.Cmd, lib *bind.Library) (*compare.Run, error) {
	record, err := os.CreateTemp("", "jacquard-compare-*.jsonl")
	if err != nil {
		return nil, err
	}
	record.Close()
	defer os.Remove(record.Name())
	cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+libraryPath(lib), "JACQUARD_SUMMARY="+record.Name())
	var said bytes.Buffer
	cmd.Stderr = &said
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	var run compare.Run
	if run.Record, err = events.Read(record.Name()); err != nil {
		return nil, err
	}
	if len(run.Record.Inits) == 0 {
		return nil, fmt.Errorf("%s never started the simulator: see jacquard doctor %[1]s", cmd.Path)
	}
	if exit != nil {
		run.Failure = fmt.Sprintf("the program ended with status %d", exitStatus(exit.ProcessState))
		if line := lastLine(said.Bytes()); line != "" {
			run.Failure += ": " + line
		}
	}
	return &run, nil
}

// lastLine returns the last line of text that is not empty.
func lastLine(text []byte) string {
	text = bytes.TrimRight(text, "\n")
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}
