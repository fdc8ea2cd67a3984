package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/cmd/jacquard/internal/report"
)

func newReport() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Make a page of a run's statistics: code with heat, flow graphs, lanes",
		Long: `Make an HTML page from the statistics of a run, for a browser: kernels ranked; for each its
disassembly with heat, its control flow coloured by issues or by active lanes, lane
occupancy and exactness. The page is one file and needs nothing else: no network, no
server. It prints, and the ? key lists its keys.

RUN is a statistics file that --stats of run and exec wrote, or JACQUARD_STATS; or a folder
that holds one.`,
		Example: `  jacquard run --stats run.json --test test.json && jacquard report run.json -o run.html`,
		Args:    arguments(1, 1, "a statistics file"),
		RunE: func(c *cobra.Command, args []string) error {
			path, err := runFile(args[0])
			if err != nil {
				return err
			}
			r, err := loadReport(path)
			if err != nil {
				return err
			}
			if r.Run.Damage != nil {
				fmt.Fprintf(c.ErrOrStderr(), "jacquard: %s: %v: what stands before is used\n", path, r.Run.Damage)
			}
			if output == "" {
				output = strings.TrimSuffix(path, filepath.Ext(path)) + ".html"
			}
			if err := writeFile(output, path, func(w io.Writer) error { return r.Write(w) }); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %d launches of %d kernels\n", output, len(r.Launches), len(r.Kernels))
			return nil
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "the page to write (default: RUN's name, with .html)")
	return c
}

// loadReport sums up the statistics file at path.
func loadReport(path string) (*report.Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := report.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// runFile returns the statistics file that path is, or that the folder path holds.
func runFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, err
	}
	files, err := filepath.Glob(filepath.Join(escapeGlob(path), "*.json"))
	switch {
	case err != nil:
		return "", err
	case len(files) == 0:
		return "", fmt.Errorf("%s: the folder holds no statistics file: want one with the suffix .json", path)
	case len(files) > 1:
		return "", usagef("%s holds %d files with the suffix .json: say which one", path, len(files))
	}
	return files[0], nil
}

// escapeGlob returns a pattern that only path matches.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
