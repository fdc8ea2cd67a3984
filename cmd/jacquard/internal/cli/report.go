package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/cubin/plain"
	"jacquard/simt/stats/report"
)

func newReport() *cobra.Command {
	var output, tracePath string
	var kernels []string
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Make a page of a run's statistics: code with heat, flow graphs, lanes",
		Long: `Make an HTML page from the statistics of a run, for a browser: kernels ranked; for each its
disassembly with heat, its control flow coloured by issues, active lanes or memory, lane
occupancy, instruction mix, branches, memory and exactness. With a trace of the run, also
a timeline of its warps, and a player of their steps. The page is one file and needs nothing
else: no network, no server. It prints, and the ? key lists its keys.

RUN is a statistics file of --stats x.json of run and exec, or of JACQUARD_STATS=x.json; or
a folder that holds one, and perhaps a trace.`,
		Example: `  jacquard exec --stats run.json -- ./program && jacquard report run.json -o run.html
  jacquard report run.json --trace run.jqt -o run.html`,
		Args: arguments(1, 1, "a statistics file"),
		RunE: func(c *cobra.Command, args []string) error {
			path, found, err := runFiles(args[0])
			if err != nil {
				return err
			}
			r, err := loadReport(path, kernels)
			if err != nil {
				return err
			}
			if r.Run.Damage != nil {
				reportDamage(c.ErrOrStderr(), path, r.Run.Damage)
			}
			if tracePath == "" {
				tracePath = found
			}
			if tracePath != "" {
				f, err := openTrace(c, tracePath)
				if err != nil {
					return err
				}
				defer f.Close()
				if err := r.AddTrace(f); err != nil {
					return fmt.Errorf("%s: %w", tracePath, err)
				}
			}
			r.Text = sources{}.text
			if output == "" {
				output = strings.TrimSuffix(path, filepath.Ext(path)) + ".html"
			}
			if err := writeText(output, path, r.Write); err != nil {
				return err
			}
			plain.Fprintf(c.OutOrStdout(), "%s: %s\n", output, r.Sentence())
			return nil
		},
	}
	c.Flags().StringArrayVar(&kernels, "kernel", nil, "only this `KERNEL`; may be given several times")
	c.Flags().StringVar(&tracePath, "trace", "", "a `TRACE` of the run, for a timeline and a player")
	c.Flags().StringVarP(&output, "output", "o", "", "the `FILE` to write (default: RUN's name, with .html)")
	return c
}

// loadReport sums up the statistics file at path, of all kernels or of those named.
func loadReport(path string, kernels []string) (*report.Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := report.Read(f, kernels...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// runFiles returns path if that is a file, and else the statistics file and the trace in the folder
// path; a trace may be missing.
func runFiles(path string) (statistics, trace string, err error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, "", err
	}
	if statistics, err = only(path, ".json"); err != nil {
		return "", "", err
	}
	if statistics == "" {
		return "", "", fmt.Errorf("%s: the folder holds no statistics file: want one with the suffix .json", path)
	}
	trace, err = only(path, ".jqt")
	return statistics, trace, err
}

// only returns the one file with a suffix in a folder, "" if there is none. Several are an error.
func only(folder, suffix string) (string, error) {
	found, err := fs.Glob(os.DirFS(folder), "*"+suffix)
	switch {
	case len(found) == 0:
		return "", err
	case len(found) > 1:
		return "", usagef("%s holds %d files with the suffix %s: say which one", folder, len(found), suffix)
	}
	return filepath.Join(folder, found[0]), nil
}
