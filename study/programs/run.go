package programs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"jacquard/libcuda/driver/events"
)

// Result is the outcome of one run of a program.
type Result struct {
	Verdict   Verdict
	Reason    string // unless it passed
	Late      bool   // the limit ended it
	Elapsed   time.Duration
	Processor time.Duration // of all threads: more reliable than Elapsed on a busy host
	Launches  []events.Launch
	Output    string // the program's output
	Ended     error  // what its process returned
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

// Run runs a program until it ends, the limit is reached or ctx is done. Its own child processes
// end with it. The simulator summarises its launches.
func Run(ctx context.Context, limit time.Duration, command Command) *Result {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd, err := command(limited)
	if err != nil {
		return &Result{Verdict: Absent, Reason: err.Error()}
	}
	summary, err := os.CreateTemp("", "jacquard-programs-*.jsonl")
	if err != nil {
		return &Result{Verdict: Failed, Reason: err.Error()}
	}
	summary.Close()
	defer os.Remove(summary.Name())
	cmd.Env = append(cmd.Environ(), "JACQUARD_SUMMARY="+summary.Name())
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with its child processes
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

	began := time.Now()
	err = cmd.Run()
	r := &Result{Elapsed: time.Since(began), Late: limited.Err() != nil && ctx.Err() == nil}
	if p := cmd.ProcessState; p != nil {
		r.Processor = p.UserTime() + p.SystemTime()
	}
	if r.Late {
		err = fmt.Errorf("takes longer than %v", limit)
	}
	r.Output, r.Ended = output.String(), err
	r.Verdict, r.Reason = Judge(r.Output, err)
	record, err := events.Read(summary.Name())
	if err != nil {
		r.Verdict, r.Reason = Failed, fmt.Sprintf("summary: %v", err)
		return r
	}
	r.Launches = record.Launches
	return r
}
