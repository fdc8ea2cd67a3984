package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"jacquard/board/mirror"
	"jacquard/libcuda/driver/knobs"
	"jacquard/study/bind"
)

type crosscheckFlags struct {
	lib, against string
	every, ptx   string
	json         bool
	knobs        *knobFlags
}

func newCrosscheck() *cobra.Command {
	var f crosscheckFlags
	c := &cobra.Command{
		Use:   "crosscheck [flags] -- PROGRAM [ARGS]",
		Short: "Run a CUDA program here and on another driver, and find the first difference",
		Long: `Run an unmodified CUDA program on the simulator, do all of its work on a second libcuda as
well (the system's own, or any other), and compare all device memory after every launch. The
first difference is reported on standard error: the launch, the buffer and the offset, both
values, and the thread and the instruction that wrote the word here. The program gets the
simulator's results. docs/crosscheck.md says what can be compared.

Exit status: 0 if there was no difference; 1 if there was one, nothing could be compared, or
the program failed.`,
		Example: `  jacquard crosscheck -- ./vectoradd
  jacquard crosscheck --against /opt/old-driver/libcuda.so.1 -- ./reduction
  jacquard crosscheck --ptx kernels/ -- ./program     stand-ins for a driver that refuses sm_1x code`,
		Args: arguments(1, -1, "a program to run"),
		RunE: func(c *cobra.Command, args []string) error { return runCrosscheck(c, args, &f) },
	}
	fl := c.Flags()
	fl.SetInterspersed(false) // flags after the program are the program's
	fl.StringVar(&f.against, "against", "", "the other `LIBRARY`, a libcuda.so.1 (default: the system's)")
	fl.StringVar(&f.every, "every", "1", "compare after `N` launches; end: only when memory is freed, and at the end")
	fl.StringVar(&f.ptx, "ptx", "", "a `FILE` or folder of PTX: kernels for a driver that cannot take the program's code")
	fl.BoolVar(&f.json, "json", false, "print the outcome as JSON, one line per process; the program's own output goes to standard error")
	fl.StringVar(&f.lib, "lib", "", libHelp)
	f.knobs = addKnobs(c, "crosscheck", "ptx") // its own --ptx means something else
	return c
}

func runCrosscheck(c *cobra.Command, args []string, f *crosscheckFlags) error {
	p, err := findProgram(args, f.lib)
	if err != nil {
		return err
	}
	knob, err := f.knob(p.lib)
	if err != nil {
		return err
	}
	if _, err := checkOutputs(f.knobs.settings(), []string{p.path, p.lib.Path, knob.Library, knob.PTX}); err != nil {
		return err
	}
	report, err := os.CreateTemp("", "jacquard-crosscheck-*.jsonl")
	if err != nil {
		return err
	}
	defer os.Remove(report.Name())
	defer report.Close()
	knob.Report = report.Name()

	settings, _, err := absoluteOutputs(f.knobs.settings())
	if err != nil {
		return err
	}
	list, err := newRunList()
	if err != nil {
		return err
	}
	defer list.close()
	g := newGauge(c, settings, true)
	defer g.end()
	cmd := p.command(context.Background(), f.knobs, append(list.variables(settings),
		"JACQUARD_CROSSCHECK="+knob.String(), "JACQUARD_PROGRESS="+g.knob(settings.Progress))...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.InOrStdin(), direct(c.OutOrStdout()), direct(c.ErrOrStderr())
	if f.json {
		cmd.Stdout = cmd.Stderr
	}
	err = runProgram(cmd)
	g.end()
	if err != nil {
		return err
	}
	reports, err := readCrosschecks(report)
	if err != nil {
		return err
	}
	if f.json {
		for _, r := range reports {
			if err := json.NewEncoder(c.OutOrStdout()).Encode(r); err != nil {
				return err
			}
		}
	}
	return judge(reports, p.path, exitStatus(cmd.ProcessState))
}

// knob returns the library's knob as the flags set it.
func (f *crosscheckFlags) knob(lib *bind.Library) (k knobs.Crosscheck, err error) {
	k.Library = f.against
	if k.Library == "" {
		if k.Library = bind.SystemLibrary(lib, os.Getenv("LD_LIBRARY_PATH")); k.Library == "" {
			return k, errors.New("this system has no libcuda.so.1 of its own: name one with --against PATH, or install NVIDIA's driver")
		}
	}
	if k.Library, err = filepath.Abs(k.Library); err != nil { // the program may change its folder
		return k, err
	}
	if info, err := os.Stat(k.Library); err != nil || !info.Mode().IsRegular() {
		return k, usagef("--against %s: there is no such file: name the library itself, as in DIR/libcuda.so.1", k.Library)
	}
	if f.every != "end" {
		if k.Every, err = strconv.Atoi(f.every); err != nil || k.Every < 1 {
			return k, usagef("--every %q: want a number above 0, or end", f.every)
		}
	}
	if f.ptx != "" {
		if k.PTX, err = filepath.Abs(f.ptx); err != nil {
			return k, err
		}
		if _, err := os.Stat(k.PTX); err != nil {
			return k, usagef("--ptx: %w", err)
		}
	}
	return k, nil
}

// readCrosschecks returns the last report of each process.
func readCrosschecks(r io.Reader) ([]mirror.Report, error) {
	var list []mirror.Report
	for in := json.NewDecoder(r); ; {
		var report mirror.Report
		err := in.Decode(&report)
		if err == io.EOF || err == io.ErrUnexpectedEOF { // a killed process may leave half a line
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(list, func(r mirror.Report) bool { return r.PID == report.PID })
		if i < 0 {
			list = append(list, report)
		} else {
			list[i] = report
		}
	}
}

// judge returns the error that follows from the reports and the program's exit status.
func judge(reports []mirror.Report, program string, status int) error {
	launches, compared := 0, 0
	for _, r := range reports {
		switch {
		case r.Error != "":
			return fmt.Errorf("nothing was compared: %s", r.Error)
		case r.Difference != nil:
			return errSaid
		case !r.Ended && r.Compared > 0:
			return fmt.Errorf("%s (process %d) was killed, or left by _exit: no difference up to launch %d, %d of them ran on both", program, r.PID, r.Launches, r.Compared)
		case !r.Ended:
			return fmt.Errorf("%s (process %d) was killed, or left by _exit: its cross-check has no result", program, r.PID)
		}
		launches += r.Launches
		compared += r.Compared
	}
	switch {
	case len(reports) == 0 && status != 0:
		return fmt.Errorf("%s ended with status %d before it used the simulator: see jacquard doctor %[1]s", program, status)
	case len(reports) == 0:
		return fmt.Errorf("%s never started the simulator: see jacquard doctor %[1]s", program)
	case status != 0:
		return fmt.Errorf("%s ended with status %d; there was no difference before", program, status)
	case launches == 0:
		return fmt.Errorf("%s launched no kernel", program)
	case compared == 0:
		return errors.New("nothing was compared: none of the program's launches could run on the other driver")
	}
	return nil
}
