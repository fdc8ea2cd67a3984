package programs

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"jacquard/libcuda/driver/events"
)

// Result is the outcome of one run of a program.
type Result struct {
	Process
	Verdict  Verdict
	Reason   string // unless it passed
	Launches []events.Launch
	Output   string // the program's output
}

// WarpInstructions returns the sum over all launches.
func (r *Result) WarpInstructions() (n uint64) {
	for i := range r.Launches {
		n += r.Launches[i].WarpInstructions
	}
	return n
}

// Command makes the command that runs a program on the simulator, or says why there is none.
type Command func(context.Context) (*exec.Cmd, error)

// Process is a process that ended, or never started.
type Process struct {
	Ended     error // nil if it passed
	Status    int   // as a shell shows it: 128 and the number of a signal
	Late      bool  // the limit ended it
	Elapsed   time.Duration
	Processor time.Duration // of all threads: more reliable than Elapsed on a busy host
}

// Run runs the command until it ends, the limit is reached (0 is none) or ctx is done. The processes
// of its group, its own children, end with it. The error is that of making the command.
func (c Command) Run(ctx context.Context, limit time.Duration, output io.Writer, env ...string) (*Process, error) {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if limit > 0 {
		limited, cancel = context.WithTimeout(ctx, limit)
	}
	defer cancel()
	cmd, err := c(limited)
	if err != nil {
		return nil, err
	}
	cmd.Env = append(cmd.Environ(), env...)
	cmd.Stdout, cmd.Stderr = output, output
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	began := time.Now()
	p := &Process{Ended: cmd.Run()}
	p.Elapsed, p.Late = time.Since(began), limited.Err() != nil && ctx.Err() == nil
	if p.Late {
		p.Ended = fmt.Errorf("takes longer than %v", limit)
	}
	if state := cmd.ProcessState; state != nil {
		p.Processor, p.Status = state.UserTime()+state.SystemTime(), state.ExitCode()
		if w, ok := state.Sys().(syscall.WaitStatus); ok && w.Signaled() {
			p.Status = 128 + int(w.Signal())
		}
	}
	return p, nil
}

// Run runs a program until it ends, the limit is reached or ctx is done. Its own child processes
// end with it. The simulator summarises its launches.
func Run(ctx context.Context, limit time.Duration, command Command) *Result {
	summary, err := os.CreateTemp("", "jacquard-programs-*.jsonl")
	if err != nil {
		return &Result{Verdict: Failed, Reason: err.Error()}
	}
	summary.Close()
	defer os.Remove(summary.Name())
	var output bytes.Buffer
	p, err := command.Run(ctx, limit, &output, "JACQUARD_SUMMARY="+summary.Name())
	if err != nil {
		return &Result{Verdict: Absent, Reason: err.Error()}
	}
	r := &Result{Process: *p, Output: output.String()}
	r.Verdict, r.Reason = Judge(r.Output, r.Ended)
	record, err := events.Read(summary.Name())
	if err != nil {
		r.Verdict, r.Reason = Failed, fmt.Sprintf("summary: %v", err)
		return r
	}
	r.Launches = record.Launches
	return r
}
