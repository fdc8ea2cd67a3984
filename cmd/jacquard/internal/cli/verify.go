package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"jacquard/board/verify"
)

type verifyFlags struct {
	table  bool
	json   bool
	scalar bool
	lanes  bool
	first  uint32
}

func newVerify() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check the simulator's arithmetic against golden vectors",
		Long: `Check the simulator's arithmetic against golden vectors: files (.csv or .csv.gz) with the
columns op,mods,a,b,c,cc_in,r,cc_out,r2. Each row is computed by the scalar reference of its
operation, and executed: by real instructions in the lanes of real warps, in every way that
the instruction can be encoded. The first wrong rows are shown.

Exit status 1 if a row fails. An unknown operation or modifier is an error.`,
		Example: `  jacquard verify testdata/vectors/int.csv.gz
  jacquard verify --table testdata/vectors/*.csv.gz`,
		Args: arguments(1, -1, "at least one vector file"),
		RunE: func(c *cobra.Command, paths []string) error { return runVerify(c, paths, &f) },
	}
	c.Flags().BoolVar(&f.scalar, "scalar", false, "only compute rows by the references")
	c.Flags().BoolVar(&f.lanes, "lanes", false, "only execute rows by instructions")
	c.Flags().BoolVar(&f.table, "table", false, "count by operation and modifiers")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object per file")
	c.Flags().Uint32Var(&f.first, "first", 10, "show `N` failures of a file")
	return c
}

// errNoRows fails a check of vectors that checked none.
var errNoRows = errors.New("nothing was checked")

func runVerify(c *cobra.Command, paths []string, f *verifyFlags) error {
	out := c.OutOrStdout()
	passed, failed := 0, 0
	for _, path := range paths {
		report, err := verify.File(path, verify.Options{
			Scalar: f.scalar, Lanes: f.lanes, Keep: int(f.first),
			Progress: func(percent int) { progress(c, fmt.Sprintf("%s: %d %%", path, percent)) },
		})
		progress(c, "")
		if err != nil {
			return err
		}
		passed += report.Passed
		failed += report.Failed
		if f.json {
			err = verifyJSON(out, path, report)
		} else {
			err = verifyText(out, path, report, f.table)
			if len(paths) > 1 {
				fmt.Fprintf(out, "%s: %d passed, %d failed\n", path, report.Passed, report.Failed)
			}
		}
		if err != nil {
			return err
		}
	}
	if !f.json {
		fmt.Fprintf(out, "%d passed, %d failed\n", passed, failed)
	}
	switch {
	case failed > 0:
		return errSaid
	case passed == 0:
		return errNoRows
	}
	return nil
}

func verifyText(out io.Writer, path string, r *verify.Report, table bool) error {
	for i := range r.Failures {
		x := &r.Failures[i]
		fmt.Fprintf(out, "%s:%d: %s\n", path, x.Row.Line, x)
	}
	if !table {
		return nil
	}
	w := newTable(out)
	fmt.Fprintln(w, "op\tmodifiers\tpassed\tfailed")
	for _, g := range r.Groups {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\n", g.Op, g.Mods, g.Passed, g.Failed)
	}
	return w.Flush()
}

func verifyJSON(out io.Writer, path string, r *verify.Report) error {
	type failure struct {
		Line int    `json:"line"`
		Row  string `json:"row"`
		Got  string `json:"got"`
		Want string `json:"want"`
		Via  string `json:"instruction,omitempty"`
	}
	line := struct {
		File     string         `json:"file"`
		Passed   int            `json:"passed"`
		Failed   int            `json:"failed"`
		Failures []failure      `json:"failures"`
		Groups   []verify.Group `json:"groups"`
	}{path, r.Passed, r.Failed, []failure{}, append([]verify.Group{}, r.Groups...)}
	for _, x := range r.Failures {
		line.Failures = append(line.Failures, failure{x.Row.Line, x.Row.String(), x.Got.String(), x.Row.Want.String(), x.Via})
	}
	return json.NewEncoder(out).Encode(line)
}
