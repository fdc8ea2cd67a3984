package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"jacquard/internal/plain"
	"jacquard/libcuda/driver/events"
	"jacquard/study/bind"
)

type execFlags struct {
	lib   string
	quiet bool
	knobs *knobFlags
}

// libHelp explains --lib.
const libHelp = "`FOLDER` of the simulator's libcuda.so.1 (default: beside the tool)"

func newExec() *cobra.Command {
	var f execFlags
	c := &cobra.Command{
		Use:   "exec [flags] -- PROGRAM [ARGS]",
		Short: "Run a CUDA program on the simulator",
		Long: `Run an unmodified CUDA program with the simulator in the place of libcuda.so.1, check that
the program really used it, and print on standard error what each kernel executed. A program
that needs a libcudart and finds none gets the simulator's own (make runtime).

Exit status: the program's own, 128 and the signal's number if a signal ended it, or 125
if it could not be started. jacquard doctor tells beforehand what would happen.`,
		Example: `  jacquard exec -- ./vectoradd
  jacquard exec --device c1060 -- python3 script.py
  jacquard exec --trace t.jqt:values=all,kernel=reduce -- ./reduction
  jacquard exec --stats s.json -- ./reduction
  jacquard exec --summary launches.jsonl -- ./vectoradd 1000`,
		Args: arguments(1, -1, "a program to run"),
		RunE: func(c *cobra.Command, args []string) error { return runExec(c, args, &f) },
	}
	f.add(c)
	return c
}

func (f *execFlags) add(c *cobra.Command) {
	c.Flags().SetInterspersed(false) // flags after the program are the program's
	c.Flags().StringVar(&f.lib, "lib", "", libHelp)
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print no summary")
	f.knobs = addKnobs(c)
	// The program's library names misspelled variables.
	c.PreRunE = func(*cobra.Command, []string) error { return f.knobs.check() }
}

func runExec(c *cobra.Command, args []string, f *execFlags) error {
	cmd, lost, err := f.exec(c, args)
	if err != nil {
		return &statusError{statusNotBegun, err}
	}
	if status := exitStatus(cmd.ProcessState); status != 0 {
		return &statusError{status, lost}
	}
	return lost
}

// exec runs a program to its end. err is why it did not start, lost why its
// summary is missing, or the list of its files. env has more environment variables.
func (f *execFlags) exec(c *cobra.Command, args []string, env ...string) (cmd *exec.Cmd, lost, err error) {
	p, err := findProgram(args, f.lib)
	if err != nil {
		return nil, nil, err
	}
	settings := f.knobs.settings()
	if _, err := checkOutputs(settings, []string{p.path, p.lib.Path}); err != nil {
		return nil, nil, err
	}
	rec, err := newRecording(settings.Summary)
	if err != nil {
		return nil, nil, err
	}
	defer rec.close()
	settings, files, err := absoluteOutputs(settings)
	if err != nil {
		return nil, nil, err
	}
	list, err := newRunList()
	if err != nil {
		return nil, nil, err
	}
	defer list.close()
	g := newGauge(c, settings, true)
	defer g.end()
	env = slices.Concat(list.variables(settings), []string{"JACQUARD_SUMMARY=" + rec.path, "JACQUARD_PROGRESS=" + g.knob(settings.Progress)}, env)
	cmd = p.command(context.Background(), f.knobs, env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.InOrStdin(), direct(c.OutOrStdout()), direct(c.ErrOrStderr())
	err = runProgram(cmd)
	g.end()
	if err != nil {
		return nil, nil, err
	}
	lost = rec.report(c, p, f.quiet)
	return cmd, errors.Join(lost, list.report(c.ErrOrStderr(), files, exitStatus(cmd.ProcessState), f.quiet)), nil
}

// program is a CUDA program and the simulator's library that it is to load.
type program struct {
	args []string // as the user gave them
	path string
	lib  *bind.Library
	// libraryPath is the LD_LIBRARY_PATH that binds the program to the simulator.
	libraryPath string
}

// findProgram returns the program that a shell would start for args, with the library in folder; ""
// is beside the tool. The program must be able to use the library.
func findProgram(args []string, folder string) (*program, error) {
	path, err := lookPath(args[0])
	if err != nil {
		return nil, err
	}
	lib, err := bind.FindLibrary(folder, path)
	if err != nil {
		return nil, err
	}
	report, err := bind.Examine(path, lib, bind.CurrentEnvironment())
	switch {
	case err != nil:
		return nil, err
	case report.Shared:
		return nil, fmt.Errorf("%s is a shared object: give the program that loads it", path)
	case report.Verdict == bind.Cannot:
		return nil, fmt.Errorf("%s %s: %s", path, report.Conclusion(), strings.Join(report.Problems, "; "))
	}
	return &program{args, path, lib, report.LibraryPath}, nil
}

// lookPath returns the path of the program that a shell would start for name.
func lookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("cannot run %q: %w: give the path of a program that may be executed", name, errors.Unwrap(err))
	}
	return path, nil
}

// command returns the command that runs the program on the simulator, with knobs and more
// environment variables.
func (p *program) command(ctx context.Context, knobs *knobFlags, env ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, p.args[1:]...)
	cmd.Args[0] = p.args[0]
	cmd.Env = slices.Concat(os.Environ(), knobs.environment(), []string{"LD_LIBRARY_PATH=" + p.libraryPath}, env)
	return cmd
}

// runProgram starts cmd and waits for its end, however it ends. The tool passes its signals on,
// except for the terminal's keys while the tool is in the foreground: these reach the program by
// themselves. Signals that another process then sends to the tool look the same.
func runProgram(cmd *exec.Cmd) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case s := <-signals:
				key := s == syscall.SIGINT || s == syscall.SIGQUIT
				if !key || !inForeground() {
					cmd.Process.Signal(s)
				}
			case <-ended:
				return
			}
		}
	}()
	err := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil
	}
	return err
}

// exitStatus returns the status that a shell would show for a process.
func exitStatus(p *os.ProcessState) int {
	if w, ok := p.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return p.ExitCode()
}

// recording is the file in which the library notes starts and launches.
type recording struct {
	path   string
	offset int64 // where this run begins in it
	own    bool  // a temporary file
}

// newRecording opens the file that the summary knob names, or a temporary one for "".
func newRecording(summary string) (*recording, error) {
	if summary == "" {
		f, err := os.CreateTemp("", "jacquard-exec-*.jsonl")
		if err != nil {
			return nil, err
		}
		return &recording{path: f.Name(), own: true}, f.Close()
	}
	path, err := filepath.Abs(summary) // the program may change its folder
	if err != nil {
		return nil, err
	}
	if isDevice(path) {
		return nil, fmt.Errorf("--summary %s: this is no plain file, and exec reads it too", summary)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	end, err := f.Seek(0, io.SeekEnd)
	return &recording{path: path, offset: end}, err
}

func (r *recording) close() {
	if r.own {
		os.Remove(r.path)
	}
}

// report says on standard error whether and for what p used the simulator.
func (r *recording) report(c *cobra.Command, p *program, quiet bool) error {
	w := c.ErrOrStderr()
	rec, err := events.ReadFrom(r.path, r.offset)
	if err != nil {
		return err
	}
	if len(rec.Inits) == 0 {
		plain.Fprintf(w, "jacquard: %s never started the simulator: if nothing above says why, see jacquard doctor %[1]s\n", p.path)
		return nil
	}
	if quiet {
		return nil
	}
	first := rec.Inits[0]
	plain.Fprintf(w, "jacquard: %s ran on %s, device %s, policy %s, %s\n",
		p.path, p.lib.Path, strings.Join(first.Devices, ","), first.Policy, counted(len(rec.Launches), "launch", "launches"))
	if len(rec.Launches) == 0 {
		return nil
	}
	return printKernels(w, rec)
}
