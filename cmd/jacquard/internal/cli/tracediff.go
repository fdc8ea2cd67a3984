package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"jacquard/cmd/jacquard/internal/traces"
)

func newTraceDiff() *cobra.Command {
	var filter *traceFilter
	var time, values bool
	c := &cobra.Command{
		Use:   "diff FILE FILE",
		Short: "Find where two traces differ first",
		Long: `Compare two traces, warp-instruction by warp-instruction in the order of launch, block, time and
warp: pc, instruction, lanes, and the values that both have. Print where they differ
first, and what each has there.

Exit status 1 if they differ.`,
		Example: `  jacquard trace diff before.jqt after.jqt
  jacquard trace diff a.jqt b.jqt --warp 3 --time=false`,
		Args: arguments(2, 2, "two traces"),
		RunE: func(c *cobra.Command, args []string) error {
			meant, err := filter.filter()
			if err != nil {
				return err
			}
			a, err := openTrace(c, args[0])
			if err != nil {
				return err
			}
			defer a.Close()
			b, err := openTrace(c, args[1])
			if err != nil {
				return err
			}
			defer b.Close()
			d, count, err := traces.Diff(a, b, meant, traces.Ignore{Time: !time, Values: !values})
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			if d == nil {
				fmt.Fprintf(out, "the same: %d warp-instructions\n", count)
				return nil
			}
			fmt.Fprintf(out, "%d warp-instructions are the same; then %s:\n%s: %s\n%s: %s\n", d.Same, d.What, args[0], d.A, args[1], d.B)
			return errSaid
		},
	}
	c.Flags().BoolVar(&time, "time", true, "compare times")
	c.Flags().BoolVar(&values, "values", true, "compare values")
	filter = addTraceFilter(c)
	return c
}
