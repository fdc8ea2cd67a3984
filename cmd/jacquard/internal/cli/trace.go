package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"jacquard/cubin/plain"
	"jacquard/simt/trace"
	"jacquard/simt/trace/view"
)

func newTrace() *cobra.Command {
	c := &cobra.Command{
		Use:   "trace",
		Short: "Show, compare, shorten and convert traces of launches",
		Long: `Work with the .jqt files that JACQUARD_TRACE and --trace record: every warp-instruction of
every launch, with lanes and time, and values if they were asked for.

  jacquard exec --trace t.jqt:values=all -- ./program     record

What to record follows a colon: values=all (or regs, addr, data with + between),
kernel=NAME, launch=0-3, block=0+7, warp=0-1, pc=0x10-0x80, op=NAME, first=N, with
commas between. docs/trace-format.md describes the file.`,
		Example: `  jacquard trace show t.jqt --warp 0
  jacquard trace diff a.jqt b.jqt`,
		Args: noCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newTraceShow(), newTraceFilter(), newTraceDiff(), newTraceExport())
	return c
}

// traceCommand is what the subcommands have in common: they read a trace, or several, and go through the
// warp-instructions that flags name.
type traceCommand struct {
	cobra.Command
	noLimit bool // go on beyond what keeps a damaged file from taking all time and space
	run     func(c *cobra.Command, files []*trace.File, meant *trace.Filter) error
}

// command completes c, which is given so many traces, called what in its error.
func (t *traceCommand) command(files int, what string) *cobra.Command {
	c := &t.Command
	var flags []string
	for _, flag := range [...][2]string{
		{"kernel", "only these kernels: `NAME+NAME`"},
		{"launch", "only these launches, counted from 0: `FROM-TO` or 2+5"},
		{"block", "only these blocks of the grid, x fastest: `FROM-TO` or 2+5"},
		{"warp", "only these warps: `FROM-TO` or 2+5"},
		{"pc", "only these byte addresses: `FROM-TO`, as 0x10-0x80"},
		{"op", "only these operations: `NAME+NAME`, as imad+bra"},
		{"first", "at most `N` warp-instructions"},
	} {
		flags = append(flags, flag[0])
		c.Flags().String(flag[0], "", flag[1])
	}
	c.Flags().BoolVar(&t.noLimit, "no-limit", false, "go on beyond 2^30 warp-instructions, and 4 GiB of output")
	c.Args = arguments(files, files, what)
	c.RunE = func(c *cobra.Command, args []string) error {
		var o trace.Options
		for _, name := range flags {
			if flag := c.Flags().Lookup(name); flag.Changed {
				if err := setTraceOption(&o, name, flag.Value.String()); err != nil {
					return err
				}
			}
		}
		var opened []*trace.File
		for _, path := range args {
			f, err := openTrace(c, path)
			if err != nil {
				return err
			}
			defer f.Close()
			if t.noLimit {
				f.MostWork = 0
			}
			opened = append(opened, f)
		}
		return explainLimit(t.run(c, opened, &o.Filter))
	}
	return c
}

// explainLimit says what to do about a trace that is larger than a command goes through.
func explainLimit(err error) error {
	if limit := new(trace.LimitError); errors.As(err, &limit) {
		return fmt.Errorf("%w: choose less with --launch, --block or --first, or say --no-limit", err)
	}
	return err
}

// write makes a file of a trace, of at most 4 GiB unless there is to be no limit.
func (t *traceCommand) write(path, from string, write func(io.Writer) error) error {
	return writeFile(path, from, func(w io.Writer) error {
		if !t.noLimit {
			w = &bounded{w, mostOutput}
		}
		return write(w)
	})
}

// mostOutput is how many bytes a trace becomes.
const mostOutput = 4 << 30

// bounded is a file that may have so many bytes more.
type bounded struct {
	out  io.Writer
	left int64
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, fmt.Errorf("more than %d GiB of output: choose less with --launch, --block or --first, or say --no-limit", mostOutput>>30)
	}
	return b.out.Write(p)
}

// setTraceOption sets what the flag of an option says.
func setTraceOption(o *trace.Options, name, value string) error {
	err := o.Set(name, value)
	if bad := new(trace.OptionError); errors.As(err, &bad) {
		return usagef("--%s: %s: want %s", name, bad.Text, bad.Want)
	}
	return err
}

// openTrace opens a trace and says on standard error if its end is missing.
func openTrace(c *cobra.Command, path string) (*trace.File, error) {
	f, err := trace.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if f.Damage != nil {
		plain.Fprintf(c.ErrOrStderr(), "jacquard: %s: %v: what stands before is used\n", path, f.Damage)
	}
	return f, nil
}

func newTraceShow() *cobra.Command {
	var values, launches bool
	t := traceCommand{Command: cobra.Command{
		Use:   "show FILE",
		Short: "Print a trace as text",
		Long: `Print a trace, one line per warp-instruction: time, warp, pc, active lanes and disassembly.
Recorded values follow, one line each: the value that all lanes have; "first +step a lane";
or the values of lane 0, 1, 2 .., with a dot for a lane that did not execute.

The order is launch, block, time, warp.`,
		Example: `  jacquard trace show t.jqt --launch 0 --block 0 --warp 0 --first 100
  jacquard trace show t.jqt --op stglobal+ldglobal
  jacquard trace show t.jqt --launches`,
	}}
	t.run = func(c *cobra.Command, files []*trace.File, meant *trace.Filter) error {
		if launches {
			return view.List(c.OutOrStdout(), files[0])
		}
		return view.Show(c.OutOrStdout(), files[0], meant, values)
	}
	t.Flags().BoolVar(&values, "values", true, "print values, if there are")
	t.Flags().BoolVar(&launches, "launches", false, "print what launches there are, and nothing else")
	return t.command(1, "a trace")
}
