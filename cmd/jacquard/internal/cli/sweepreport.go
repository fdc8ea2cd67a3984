package cli

import (
	"cmp"
	"errors"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"jacquard/internal/plain"
	"jacquard/study"
	"jacquard/study/compare"
	"jacquard/study/sweep"
	"jacquard/study/sweep/page"
)

func newSweepReport() *cobra.Command {
	var folder, file, svg string
	var o page.Options
	c := &cobra.Command{
		Use:   "report STUDY",
		Short: "Make a page of a study's results: what failed, then small multiples",
		Long: `Make an HTML page of the results of a study: first the cells that failed or left other memory
than the first of their like, then a panel for each pair of values of two parameters, with a
figure and the histogram of active lanes. The page is one file and fetches nothing.

A parameter is subject, kind, file, arguments, build, part, a knob or an environment variable
of the study. docs/statistics.md defines the figures.`,
		Example: `  jacquard sweep report study.toml --page study.html
  jacquard sweep report study.toml --rows device --columns policy --figure warp_instructions`,
		Args: arguments(1, 1, "a study file"),
		RunE: func(c *cobra.Command, args []string) error {
			s, f, err := openStudy(args[0], folder)
			if err != nil {
				return err
			}
			g, err := page.New(s, f, o)
			if bad := new(page.UnknownError); errors.As(err, &bad) {
				return usagef("%w", err)
			}
			if err != nil {
				return err
			}
			file = cmp.Or(file, filepath.Join(sweepFolder(args[0], folder), "report.html"))
			if err := apart(args, output{"--page", file}, output{"--svg", svg}); err != nil {
				return err
			}
			if svg != "" {
				if err := drawLanes(c.OutOrStdout(), s, f, svg); err != nil {
					return err
				}
			}
			if err := writeText(c.OutOrStdout(), file, g.Write); err != nil {
				return err
			}
			plain.Fprintf(beside(c, file), "%s: %s of %d\n", file, counted(s.Len()-g.Missing, "cell", "cells"), s.Len())
			return nil
		},
	}
	fl := c.Flags()
	fl.StringVar(&o.Rows, "rows", "", "the `PARAMETER` of the rows (default subject)")
	fl.StringVar(&o.Columns, "columns", "", "the `PARAMETER` of the columns (default policy)")
	fl.StringVar(&o.Figure, "figure", "", "the `FIGURE` of a panel (default average_active_lanes)")
	fl.StringVar(&file, "page", "", "the `FILE` to write (default: report.html in the folder of results)")
	fl.StringVar(&svg, "svg", "", "draw average active lanes by kernel and policy into this `FILE`, as compare does")
	addSweepFolder(c, &folder)
	if err := c.RegisterFlagCompletionFunc("figure", cobra.FixedCompletions(page.Figures(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("cli: " + err.Error())
	}
	return c
}

// drawLanes draws the chart of compare from the kernels of all cells. Cells of one kernel and policy
// are summed up.
func drawLanes(out io.Writer, s *study.Study, f *sweep.Folder, path string) error {
	var rows []compare.Row
	at := map[[2]string]int{}
	err := f.Each(s, func(r *sweep.Result) error {
		for i := range r.Kernels {
			k := &r.Kernels[i]
			key := [2]string{k.Kernel, k.Policy}
			if n, ok := at[key]; ok {
				rows[n].Counts.Merge(&k.Counts)
				continue
			}
			at[key] = len(rows)
			rows = append(rows, *k)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return writeFile(out, path, func(w io.Writer) error { return new(compare.Chart).Write(w, "svg", rows) })
}
