package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"jacquard/simt/trace"
)

func newTraceFilter() *cobra.Command {
	var filter *traceFilter
	var values, output string
	c := &cobra.Command{
		Use:   "filter FILE -o FILE",
		Short: "Write a smaller trace",
		Long: `Write a trace of a part of another: what the flags mean, and the values that --values names.
Launches keep their numbers.`,
		Example: `  jacquard trace filter t.jqt -o small.jqt --launch 3 --block 0-7
  jacquard trace filter t.jqt -o addresses.jqt --op ldglobal+stglobal --values addr`,
		Args: arguments(1, 1, "a trace"),
		RunE: func(c *cobra.Command, args []string) error {
			meant, err := filter.filter()
			if err != nil {
				return err
			}
			var keep trace.Options
			var bad *trace.OptionError
			if err := keep.Set("values", values); errors.As(err, &bad) {
				return usagef("--values: %s: want %s", bad.Text, bad.Want)
			}
			if output == "" {
				return usagef("say with -o which file to write")
			}
			f, err := openTrace(c, args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			return writeFile(output, args[0], func(w io.Writer) error { return f.Copy(w, meant, keep.Values) })
		},
	}
	c.Flags().StringVar(&values, "values", "all", "the values to keep: all, none, or regs, addr and data with + between")
	c.Flags().StringVarP(&output, "output", "o", "", "the file to write")
	filter = addTraceFilter(c)
	return c
}
