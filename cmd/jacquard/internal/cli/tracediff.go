package cli

import (
	"github.com/spf13/cobra"

	"jacquard/cubin/plain"
	"jacquard/simt/trace"
	"jacquard/simt/trace/view"
)

func newTraceDiff() *cobra.Command {
	var time, values bool
	t := traceCommand{Command: cobra.Command{
		Use:   "diff FILE FILE",
		Short: "Find where two traces differ first",
		Long: `Compare two traces, warp-instruction by warp-instruction in the order of launch, block, time and
warp: pc, instruction, lanes, and the values that both have. Print where they differ
first, and what each has there.

Exit status 1 if they differ.`,
		Example: `  jacquard trace diff before.jqt after.jqt
  jacquard trace diff a.jqt b.jqt --warp 3 --time=false`,
	}}
	t.run = func(c *cobra.Command, files []*trace.File, meant *trace.Filter) error {
		d, count, err := view.Diff(files[0], files[1], meant, view.Ignore{Time: !time, Values: !values})
		if err != nil {
			return err
		}
		out, names := c.OutOrStdout(), c.Flags().Args()
		if d == nil {
			plain.Fprintf(out, "the same: %d warp-instructions\n", count)
			return nil
		}
		plain.Fprintf(out, "%d warp-instructions are the same; then %s:\n%s: %s\n%s: %s\n", d.Same, d.What, names[0], d.A, names[1], d.B)
		return errSaid
	}
	t.Flags().BoolVar(&time, "time", true, "compare times")
	t.Flags().BoolVar(&values, "values", true, "compare values")
	return t.command(2, "two traces")
}
