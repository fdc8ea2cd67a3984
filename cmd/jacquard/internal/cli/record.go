package cli

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/observe/bundle"
)

// bundleEnding ends the names of bundles.
const bundleEnding = ".jqb"

func newRecord() *cobra.Command {
	var f execFlags
	var out string
	var options bundle.Options
	c := &cobra.Command{
		Use:   "record [flags] -- PROGRAM [ARGS]",
		Short: "Run a CUDA program and record its launches in a bundle",
		Long: `Run a CUDA program as jacquard exec does, and write a bundle: for every launch the code,
the shape, the parameters, the memory that it could read, and the memory that it left. jacquard
replay runs the launches again, anywhere and without the program; jacquard info describes a
bundle. JACQUARD_RECORD=FILE records a program that something else starts.

A program that is killed leaves a bundle of the launches that ended. %p in the name stands
for the number of the process, for programs of several processes. The exit status is that of
jacquard exec.`,
		Example: `  jacquard record -- ./vectoradd
  jacquard record -o run.jqb --kernel reduce --launches 10 -- ./reduction
  jacquard replay run.jqb`,
		Args: arguments(1, -1, "a program to run"),
		RunE: func(c *cobra.Command, args []string) error { return runExec(c, args, &f) },
	}
	f.add(c)
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if out == "" {
			out = filepath.Base(args[0]) + bundleEnding
		}
		if options.Launches < 0 {
			return usagef("--launches %d: want 0 or more", options.Launches)
		}
		knob := out
		if o := options.String(); o != "" || strings.Contains(filepath.Base(out), ":") {
			knob += ":" + o
		}
		if err := c.Flags().Set("record", knob); err != nil {
			return err
		}
		return f.knobs.check()
	}
	fl := c.Flags()
	fl.StringVarP(&out, "output", "o", "", "the bundle's `FILE` (default: the program's name with "+bundleEnding+", in this folder)")
	fl.StringArrayVar(&options.Kernels, "kernel", nil, "record only launches of this `KERNEL`; may be given several times")
	fl.IntVar(&options.Launches, "launches", 0, "record at most `N` launches; 0 is no limit")
	if err := fl.MarkHidden("record"); err != nil {
		panic("cli: " + err.Error())
	}
	return c
}
