package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
	"jacquard/study/compare"
)

// compareProgram runs a program once per policy and compares launch by launch.
func (f *compareFlags) compareProgram(ctx context.Context, c *cobra.Command, policies, args []string) error {
	if f.steps > 0 {
		return usagef("--steps needs a kernel or a test.json: the steps of a program are beyond its library's record")
	}
	if f.html != "" {
		return usagef("--html needs a kernel or a test.json: of a program, jacquard exec --trace makes what jacquard trace play plays")
	}
	p, err := findProgram(args, f.lib)
	if err != nil {
		return err
	}
	if err := f.begin(args, []string{p.path, p.lib.Path}); err != nil {
		return err
	}
	list, err := newRunList()
	if err != nil {
		return err
	}
	defer list.close()
	var runs []compare.Run
	for _, policy := range policies {
		f.gauge.say(under(args[0], policy, policies))
		run, err := f.recordRun(ctx, p, policy, list)
		if ctx.Err() != nil {
			return cmp.Or(f.finish(c, compare.Program(runs), nil), errInterrupted)
		}
		if err := cmp.Or(err, f.gathered.addProgram(list)); err != nil {
			return err
		}
		runs = append(runs, *run)
	}
	rows := compare.Program(runs)
	failed := compare.FailedAlike(runs)
	switch {
	case len(rows) == 0 && failed:
		return fmt.Errorf("%s launched no kernel: %s", p.path, runs[0].Failure)
	case len(rows) == 0:
		return fmt.Errorf("%s launched no kernel", p.path)
	}
	if err := f.finish(c, rows, nil); err != nil || !failed {
		return err
	}
	return fmt.Errorf("under every policy, %s", runs[0].Failure)
}

// recordRun runs a program under a policy and reads the library's record. The list gets the
// files of statistics.
func (f *compareFlags) recordRun(ctx context.Context, p *program, policy string, list runList) (*compare.Run, error) {
	record, err := os.CreateTemp("", "jacquard-compare-*.jsonl")
	if err != nil {
		return nil, err
	}
	record.Close()
	defer os.Remove(record.Name())
	cmd := p.command(ctx, f.knobs, append(list.variables(knobs.Settings{Stats: f.gathered.knob("on")}),
		"JACQUARD_POLICY="+policy, "JACQUARD_PROGRESS="+f.gauge.knob(f.knobs.settings().Progress),
		"JACQUARD_DIGEST=on", "JACQUARD_CROSSCHECK=", "JACQUARD_SUMMARY="+record.Name())...)
	var said bytes.Buffer
	cmd.Stderr = &said
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	run := compare.Run{Policy: policy}
	if run.Record, err = events.Read(record.Name()); err != nil {
		return nil, err
	}
	if len(run.Record.Inits) == 0 {
		return nil, fmt.Errorf("%s never started the simulator: see jacquard doctor %[1]s", p.path)
	}
	if exit != nil {
		run.Status = exitStatus(exit.ProcessState)
		run.Failure = fmt.Sprintf("the program ended with status %d", run.Status)
		text := bytes.TrimRight(said.Bytes(), "\n")
		if line := text[bytes.LastIndexByte(text, '\n')+1:]; len(line) > 0 {
			run.Failure += ": " + string(line)
		}
	}
	return &run, nil
}
