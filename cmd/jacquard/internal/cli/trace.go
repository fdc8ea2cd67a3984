package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"jacquard/cmd/jacquard/internal/traces"
	"jacquard/simt/trace"
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

// traceFilter are flags that say which warp-instructions are meant.
type traceFilter struct {
	flags []string
	cmd   *cobra.Command
}

// addTraceFilter gives c the flags.
func addTraceFilter(c *cobra.Command) *traceFilter {
	f := &traceFilter{cmd: c}
	for _, flag := range [...][2]string{
		{"kernel", "only these kernels, with + between"},
		{"launch", "only these launches, counted from 0: 0-3 or 2+5"},
		{"block", "only these blocks of the grid, x fastest"},
		{"warp", "only these warps"},
		{"pc", "only these byte addresses: 0x10-0x80"},
		{"op", "only these operations, with + between: imad+bra"},
		{"first", "at most so many warp-instructions"},
	} {
		f.flags = append(f.flags, flag[0])
		c.Flags().String(flag[0], "", flag[1])
	}
	return f
}

// filter returns what the flags say.
func (f *traceFilter) filter() (*trace.Filter, error) {
	var o trace.Options
	for _, name := range f.flags {
		flag := f.cmd.Flags().Lookup(name)
		if !flag.Changed {
			continue
		}
		err := o.Set(name, flag.Value.String())
		var bad *trace.OptionError
		if errors.As(err, &bad) {
			return nil, usagef("--%s: %s: want %s", name, bad.Text, bad.Want)
		}
	}
	return &o.Filter, nil
}

// openTrace opens a trace and says on standard error if its end is missing.
func openTrace(c *cobra.Command, path string) (*trace.File, error) {
	f, err := trace.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if f.Damage != nil {
		fmt.Fprintf(c.ErrOrStderr(), "jacquard: %s: %v: what stands before is used\n", path, f.Damage)
	}
	return f, nil
}

func newTraceShow() *cobra.Command {
	var filter *traceFilter
	var values, launches bool
	c := &cobra.Command{
		Use:   "show FILE",
		Short: "Print a trace as text",
		Long: `Print a trace, a warp-instruction a line: time, warp, pc, active lanes and disassembly; then
the values that were recorded, one line each: a value that all lanes have, "first +step a
lane", or those of lane 0, 1, 2 .. with a dot for lanes that did not execute.

The order is launch, block, time, warp.`,
		Example: `  jacquard trace show t.jqt --launch 0 --block 0 --warp 0 --first 100
  jacquard trace show t.jqt --op stglobal+ldglobal
  jacquard trace show t.jqt --launches`,
		Args: arguments(1, 1, "a trace"),
		RunE: func(c *cobra.Command, args []string) error {
			meant, err := filter.filter()
			if err != nil {
				return err
			}
			f, err := openTrace(c, args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			if launches {
				return traces.List(c.OutOrStdout(), f)
			}
			return traces.Show(c.OutOrStdout(), f, meant, values)
		},
	}
	c.Flags().BoolVar(&values, "values", true, "print values, if there are")
	c.Flags().BoolVar(&launches, "launches", false, "print what launches there are, and nothing else")
	filter = addTraceFilter(c)
	return c
}
