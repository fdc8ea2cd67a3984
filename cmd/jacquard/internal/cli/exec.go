package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"jacquard/cubin/plain"
	"jacquard/libcuda/bind"
	"jacquard/libcuda/events"
)

type execFlags struct {
	lib   string
	quiet bool
	knobs *knobFlags
}

func newExec() *cobra.Command {
	var f execFlags
	c := &cobra.Command{
		Use:   "exec [flags] -- PROGRAM [ARGS]",
		Short: "Run a CUDA program on the simulator",
		Long: `Run an unmodified CUDA program with the simulator in the place of libcuda.so.1, make sure
that it really used it, and print what each kernel executed (on standard error).

Exit status: the program's own, 128 and the signal's number if a signal ended it, or 125
if it could not be started. jacquard doctor tells beforehand what would happen.`,
		Example: `  jacquard exec -- ./vectoradd
  jacquard exec --device c1060 -- python3 script.py
  jacquard exec --trace t.jqt:values=all,kernel=reduce -- ./reduction
  jacquard exec --stats s.json -- ./reduction
  jacquard exec --summary launches.jsonl -- ./vectoradd 1000`,
		Args: arguments(1, -1, "a program to run"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.knobs.check(os.LookupEnv); err != nil {
				return err
			}
			return runExec(c, args, &f)
		},
	}
	c.Flags().SetInterspersed(false) // what follows the program is the program's
	c.Flags().StringVar(&f.lib, "lib", "", "`FOLDER` of the simulator's libcuda.so.1 (default: beside the tool)")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print no summary")
	f.knobs = addKnobs(c)
	return c
}

// notBegun is an error that kept the program from starting.
func notBegun(err error) error { return &statusError{statusNotBegun, err} }

func runExec(c *cobra.Command, args []string, f *execFlags) error {
	program, lib, err := findBoth(args[0], f.lib)
	if err != nil {
		return notBegun(err)
	}
	if err := checkOutputs(f.knobs.settings(os.LookupEnv)); err != nil {
		return notBegun(err)
	}
	rec, err := newRecording(f.knobs)
	if err != nil {
		return notBegun(err)
	}
	defer rec.close()
	cmd := exec.Command(program, args[1:]...)
	cmd.Args[0] = args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.InOrStdin(), direct(c.OutOrStdout()), direct(c.ErrOrStderr())
	cmd.Env = append(os.Environ(), f.knobs.environment()...)
	cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+libraryPath(lib), "JACQUARD_SUMMARY="+rec.path)
	traced, err := tracePath(f.knobs.settings(os.LookupEnv))
	if err != nil {
		return notBegun(err)
	}
	if traced != "" {
		cmd.Env = append(cmd.Env, "JACQUARD_TRACE="+traced)
	}
	counted, err := statsTarget(f.knobs.settings(os.LookupEnv))
	if err != nil {
		return notBegun(err)
	}
	if counted != "" {
		cmd.Env = append(cmd.Env, "JACQUARD_STATS="+counted)
	}
	recorded, err := recordTarget(f.knobs.settings(os.LookupEnv))
	if err != nil {
		return notBegun(err)
	}
	if recorded != "" {
		cmd.Env = append(cmd.Env, "JACQUARD_RECORD="+recorded)
	}
	settle, err := setBundleAside(recorded)
	if err != nil {
		return notBegun(err)
	}
	ran, err := runProgram(cmd)
	if err := errors.Join(err, settle(ran)); err != nil {
		return notBegun(err)
	}
	finishRecord(c.ErrOrStderr(), recorded, exitStatus(cmd.ProcessState), f.quiet)
	lost := rec.report(c, program, lib, f.quiet)
	if !f.quiet {
		reportTrace(c.ErrOrStderr(), traced)
		reportStats(c.ErrOrStderr(), counted)
	}
	if status := exitStatus(cmd.ProcessState); status != 0 {
		return &statusError{status, lost}
	}
	return lost
}

// findBoth returns the program that a shell would start for name, and the simulator's
// library in folder; "" is beside the tool. The program must be able to use the library.
func findBoth(name, folder string) (program string, lib *bind.Library, err error) {
	if program, err = findProgram(name); err != nil {
		return "", nil, err
	}
	if lib, err = bind.FindLibrary(folder, program); err != nil {
		return "", nil, err
	}
	report, err := bind.Examine(program, lib, bind.CurrentEnvironment())
	if err != nil {
		return "", nil, err
	}
	if report.Shared {
		return "", nil, fmt.Errorf("%s is a shared object: give the program that loads it", program)
	}
	if report.Verdict == bind.Cannot {
		return "", nil, fmt.Errorf("%s %s: %s", program, report.Conclusion(), strings.Join(report.Problems, "; "))
	}
	return program, lib, nil
}

// findProgram returns the path of the program that a shell would start for name.
func findProgram(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("cannot run %q: %w: give the path of a program that may be executed", name, errors.Unwrap(err))
	}
	return path, nil
}

// libraryPath returns LD_LIBRARY_PATH with the simulator's folder first.
func libraryPath(lib *bind.Library) string {
	if rest := os.Getenv("LD_LIBRARY_PATH"); rest != "" {
		return lib.Dir() + ":" + rest
	}
	return lib.Dir()
}

// runProgram starts cmd and waits for its end, however it ends, and reports whether it started. Signals
// from the terminal reach the program by themselves; those sent to the tool alone are passed on.
func runProgram(cmd *exec.Cmd) (started bool, err error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return false, err
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case s := <-signals:
				if s == syscall.SIGTERM || s == syscall.SIGHUP {
					cmd.Process.Signal(s)
				}
			case <-ended:
				return
			}
		}
	}()
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return true, nil
	}
	return true, err
}

// exitStatus returns what a shell would show for a process.
func exitStatus(p *os.ProcessState) int {
	if w, ok := p.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return p.ExitCode()
}

// recording is the file in which the library notes what happens.
type recording struct {
	path   string
	offset int64 // where this run begins in it
	own    bool  // a temporary file
}

// newRecording opens the file that the user asked for, or a temporary one.
func newRecording(knobs *knobFlags) (*recording, error) {
	s := knobs.settings(os.LookupEnv)
	if s.Summary == "" {
		f, err := os.CreateTemp("", "jacquard-exec-*.jsonl")
		if err != nil {
			return nil, err
		}
		return &recording{path: f.Name(), own: true}, f.Close()
	}
	path, err := filepath.Abs(s.Summary) // the program may change its folder
	if err != nil {
		return nil, err
	}
	if isDevice(path) {
		return nil, fmt.Errorf("--summary %s: this is no plain file, and exec reads it too", s.Summary)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return &recording{path: path, offset: info.Size()}, nil
}

func (r *recording) close() {
	if r.own {
		os.Remove(r.path)
	}
}

// report says on standard error whether the program used the simulator, and for what.
func (r *recording) report(c *cobra.Command, program string, lib *bind.Library, quiet bool) error {
	w := c.ErrOrStderr()
	rec, err := events.ReadFrom(r.path, r.offset)
	if err != nil {
		return err
	}
	switch {
	case len(rec.Inits) == 0:
		plain.Fprintf(w, "jacquard: %s never started the simulator: see jacquard doctor %[1]s\n", program)
	case quiet:
	default:
		first := rec.Inits[0]
		plain.Fprintf(w, "jacquard: %s ran on %s, device %s, policy %s, %s\n",
			program, lib.Path, strings.Join(first.Devices, ","), first.Policy, counted(len(rec.Launches), "launch", "launches"))
		if len(rec.Launches) > 0 {
			return printKernels(w, rec)
		}
	}
	return nil
}
