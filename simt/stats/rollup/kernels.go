package rollup

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"jacquard/cubin/plain"
	"jacquard/simt/stats"
)

// KernelTable is the table of static and dynamic instructions by kernel, in the form of papers on
// simulators: instructions in the code, and warp-instructions issued by all launches.
type KernelTable struct {
	entries []*kernelEntry
}

// kernelEntry is one kernel of a program, for all builds with the same numbers.
type kernelEntry struct {
	program, kernel string
	figures         kernelFigures
	archs           []string
}

type kernelFigures struct {
	static                 int
	launches               int
	issues, threads, lanes uint64
}

// AddFile adds the kernels of the run in a statistics file.
func (t *KernelTable) AddFile(path string) error {
	sums := New("kernel")
	run, err := stats.LoadEach(path, func(l *stats.Launch) error {
		sums.Add(l)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	t.add(filepath.Base(run.Program), sums)
	return nil
}

// Add adds the kernels of a run under the name of a program, in their order in the run. Kernels
// that differ only by architecture share a line.
func (t *KernelTable) Add(program string, run *stats.Run) {
	sums := New("kernel")
	for _, l := range run.Launches {
		sums.Add(l)
	}
	t.add(program, sums)
}

// add adds the sums of a program's kernels.
func (t *KernelTable) add(program string, sums *Table) {
	for _, r := range sums.Rows {
		f := kernelFigures{static: r.Static, launches: r.Launches, issues: r.Counts.Issues, threads: r.Counts.Threads}
		for n, issues := range r.Counts.Active {
			f.lanes += uint64(n) * issues
		}
		e := &kernelEntry{program, r.Key[0], f, []string{r.Key[1]}}
		if i := slices.IndexFunc(t.entries, e.matches); i >= 0 {
			if !slices.Contains(t.entries[i].archs, r.Key[1]) {
				t.entries[i].archs = append(t.entries[i].archs, r.Key[1])
			}
			continue
		}
		t.entries = append(t.entries, e)
	}
}

func (e *kernelEntry) matches(o *kernelEntry) bool {
	return e.program == o.program && e.kernel == o.kernel && e.figures == o.figures
}

// WriteMarkdown prints the table.
func (t *KernelTable) WriteMarkdown(out io.Writer) error {
	var b strings.Builder
	b.WriteString("| program | kernel | architecture | static | launches | dynamic | threads | active lanes |\n|---|---|---|---:|---:|---:|---:|---:|\n")
	for i, e := range t.entries {
		program := e.program
		if i > 0 && t.entries[i-1].program == program {
			program = ""
		}
		f := &e.figures
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %d | %d | %.2f |\n", cell(program), cell(e.kernel), strings.Join(e.archs, ", "),
			f.static, f.launches, f.issues, f.threads, float64(f.lanes)/float64(max(f.issues, 1)))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// cell escapes text for a cell of a Markdown table.
func cell(s string) string { return strings.ReplaceAll(plain.Text(s), "|", `\|`) }
