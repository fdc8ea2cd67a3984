package cli

import (
	"io"

	"github.com/spf13/cobra"

	"jacquard/simt/trace"
)

func newTraceFilter() *cobra.Command {
	var values, output string
	t := traceCommand{Command: cobra.Command{
		Use:   "filter FILE -o FILE",
		Short: "Write a smaller trace",
		Long: `Write a trace of a part of another: what the flags mean, and the values that --values names.
Launches keep their numbers.`,
		Example: `  jacquard trace filter t.jqt -o small.jqt --launch 3 --block 0-7
  jacquard trace filter t.jqt -o addresses.jqt --op ldglobal+stglobal --values addr`,
	}}
	t.run = func(c *cobra.Command, files []*trace.File, meant *trace.Filter) error {
		var keep trace.Options
		if err := setTraceOption(&keep, "values", values); err != nil {
			return err
		}
		if output == "" {
			return usagef("say with -o which file to write")
		}
		return t.write(output, c.Flags().Arg(0), func(w io.Writer) error { return files[0].Copy(w, meant, keep.Values) })
	}
	t.Flags().StringVar(&values, "values", "all", "the `VALUES` to keep: all, none, or regs, addr and data with + between")
	t.Flags().StringVarP(&output, "output", "o", "", "the `FILE` to write")
	return t.command(1, "a trace")
}
