package rollup

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"jacquard/internal/plain"
	"jacquard/observe/stats"
)

// KernelTable is the table of static and dynamic instructions by kernel, as table 3 of "Stack-less
// SIMT reconvergence at low cost" (Collange 2011): instructions in the code, and instructions that
// all launches issued, counted as there (Row.Published). Beside them are all issues.
type KernelTable struct {
	entries []*kernelEntry
}

// kernelEntry is one kernel of a program, for all builds and policies with the same numbers.
type kernelEntry struct {
	program, kernel string
	archs           []string
	policies        []string
	figures         kernelFigures
}

type kernelFigures struct {
	static                            int
	launches                          int
	published, issues, threads, lanes uint64
	branches                          branchFigures
}

// branchFigures counts branches, breaks and returns at which lanes may part, and the issues at
// which they part, by meeting place.
type branchFigures struct {
	static [Meets]int
	parted [Meets]uint64
}

// kernelSums are the sums of a run under a policy by kernel.
type kernelSums struct {
	*Table
	meets    map[int][]Meet // by number of the kernel
	branches map[*Row]*branchFigures
}

func newKernelSums() *kernelSums {
	return &kernelSums{New("kernel"), map[int][]Meet{}, map[*Row]*branchFigures{}}
}

// add counts a launch.
func (s *kernelSums) add(l *stats.Launch) {
	s.Add(l)
	if len(l.Kernel.Code) == 0 {
		return
	}
	of := l.Columns()
	row := s.row(&of, s.by.key(l, 0))
	figures := s.branches[row]
	if figures == nil {
		figures = &branchFigures{}
		s.branches[row] = figures
	}
	meets, known := s.meets[l.Kernel.Number]
	if !known {
		meets = meetsOf(l.Kernel.Code)
		s.meets[l.Kernel.Number] = meets
		for _, m := range meets {
			figures.static[m]++
		}
	}
	for i := range l.Stats.ByInstruction {
		figures.parted[meets[i]] += l.Stats.ByInstruction[i].Branch.Divergent
	}
}

// AddFile adds the kernels of the run in a statistics file.
func (t *KernelTable) AddFile(path string) error {
	sums := policySums{}
	run, err := stats.LoadEach(path, func(l *stats.Launch) error {
		sums.add(l)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	program := cmp.Or(run.Program, strings.TrimSuffix(path, filepath.Ext(path))) // a file may be of several programs
	for _, policy := range run.Policies {
		t.add(filepath.Base(program), policy, sums[policy])
	}
	return nil
}

// Add adds the kernels of a run that was read under the name of a program, in their order in the
// run. Kernels that differ only by architecture, or only by policy, share a line.
func (t *KernelTable) Add(program string, run *stats.Run) {
	sums := policySums{}
	for _, l := range run.Launches {
		sums.add(l)
	}
	for _, policy := range run.Policies {
		t.add(program, policy, sums[policy])
	}
}

// policySums are the sums of a run by policy.
type policySums map[string]*kernelSums

// add counts a launch.
func (s policySums) add(l *stats.Launch) {
	if s[l.Policy] == nil {
		s[l.Policy] = newKernelSums()
	}
	s[l.Policy].add(l)
}

// add adds the sums of a program's kernels under a policy, beside those under other policies.
func (t *KernelTable) add(program, policy string, sums *kernelSums) {
	for _, r := range sums.Rows {
		f := kernelFigures{
			static: r.Static, launches: r.Launches,
			published: r.Published, issues: r.Counts.Issues, threads: r.Counts.Threads,
			branches: *sums.branches[r],
		}
		for n, issues := range r.Counts.Active {
			f.lanes += uint64(n) * issues
		}
		e := &kernelEntry{program, r.Key[0], []string{r.Key[1]}, []string{policy}, f}
		after := len(t.entries)
		for i, o := range slices.Backward(t.entries) {
			if o.program == program && o.kernel == e.kernel {
				after = i + 1
				break
			}
		}
		if i := slices.IndexFunc(t.entries, e.otherBuild); i >= 0 {
			if o := t.entries[i]; !slices.Contains(o.archs, r.Key[1]) {
				o.archs = append(o.archs, r.Key[1])
			}
			continue
		}
		t.entries = slices.Insert(t.entries, after, e)
	}
}

// otherBuild reports whether o is the same under the same policy, for another architecture perhaps.
func (e *kernelEntry) otherBuild(o *kernelEntry) bool {
	return e.program == o.program && e.kernel == o.kernel && e.figures == o.figures && slices.Equal(e.policies, o.policies)
}

// otherPolicy reports whether o is the same for the same builds, under another policy.
func (e *kernelEntry) otherPolicy(o *kernelEntry) bool {
	return e.program == o.program && e.kernel == o.kernel && e.figures == o.figures && slices.Equal(e.archs, o.archs)
}

// rows returns the entries; entries that differ only by policy are merged.
func (t *KernelTable) rows() []*kernelEntry {
	var list []*kernelEntry
	for _, e := range t.entries {
		if i := slices.IndexFunc(list, e.otherPolicy); i >= 0 {
			list[i].policies = append(list[i].policies, e.policies...)
			continue
		}
		one := *e
		one.policies = slices.Clone(e.policies)
		list = append(list, &one)
	}
	return list
}

// WriteMarkdown prints the table, with a note on its counts.
func (t *KernelTable) WriteMarkdown(out io.Writer) error {
	return t.write(out, []string{"static", "launches", "dynamic", "issues", "threads", "active lanes"}, func(f *kernelFigures) string {
		return fmt.Sprintf("%d | %d | %d | %d | %d | %.2f", f.static, f.launches, f.published, f.issues, f.threads,
			float64(f.lanes)/float64(max(f.issues, 1)))
	}, tableNote)
}

// write prints one line per entry: its names, and cells with the heads given.
func (t *KernelTable) write(out io.Writer, heads []string, cells func(*kernelFigures) string, note string) error {
	var b strings.Builder
	b.WriteString("| program | kernel | architecture | policy | " + strings.Join(heads, " | ") +
		" |\n|---|---|---|---|" + strings.Repeat("---:|", len(heads)) + "\n")
	last := ""
	for i, e := range t.rows() {
		program := e.program
		if i > 0 && last == program {
			program = ""
		}
		last = e.program
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(program), cell(e.kernel),
			strings.Join(e.archs, ", "), cell(strings.Join(e.policies, ", ")), cells(&e.figures))
	}
	b.WriteString(note)
	_, err := io.WriteString(out, b.String())
	return err
}

// tableNote says how a KernelTable counts.
const tableNote = `
*dynamic*: issues without those of ` + "`joinat`" + `, and without joins issued twice; under ` + "`stackless`" + `
this is the figure of table 3 in "Stack-less SIMT reconvergence at low cost" (Collange 2011).
*issues*: all of them, under the same policy.
`

// WriteBranches prints where the lanes that part at branches meet.
func (t *KernelTable) WriteBranches(out io.Writer) error {
	var all branchFigures
	for _, e := range t.rows() {
		for m := range Meets {
			all.static[m] += e.figures.branches.static[m]
			all.parted[m] += e.figures.branches.parted[m]
		}
	}
	note := branchNote + share("branches", all.static[:]) + share("issues at which lanes part", all.parted[:])
	heads := []string{
		"branches", "higher", "but for calls", "lower", "at the end",
		"lanes part", "higher", "but for calls", "lower", "at the end",
	}
	return t.write(out, heads, func(f *kernelFigures) string {
		return figuresOf(f.branches.static[:]) + " | " + figuresOf(f.branches.parted[:])
	}, note)
}

// figuresOf returns the sum of counts by Meet, and each of them, as cells.
func figuresOf[T int | uint64](by []T) string {
	var sum T
	text := ""
	for _, n := range by[MeetHigher:] {
		sum += n
		text += fmt.Sprintf(" | %d", n)
	}
	return fmt.Sprint(sum) + text
}

// share says which part of counts by Meet is higher.
func share[T int | uint64](what string, by []T) string {
	met := by[MeetHigher] + by[MeetCalls] + by[MeetLower]
	if met == 0 {
		return ""
	}
	return fmt.Sprintf("\nOf %d %s whose lanes meet before the end, %.1f %% meet higher.\n",
		met, what, 100*float64(by[MeetHigher])/float64(met))
}

// branchNote says what WriteBranches counts.
const branchNote = `
*branches*: branches, breaks and returns that lanes may part at, by where the lanes meet again (the
immediate post-dominator): *higher* than the branch and all code between, as the policy "stackless"
assumes; *but for calls* of functions that lie higher; *lower*; *at the end* of the function only.
*lanes part*: issues of them at which lanes part, likewise.
`

// cell escapes text for a cell of a Markdown table.
func cell(s string) string { return strings.ReplaceAll(plain.Text(s), "|", `\|`) }
