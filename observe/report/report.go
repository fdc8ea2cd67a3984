package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"jacquard/observe/stats"
	"jacquard/simt"
	"jacquard/simt/source"
)

// Report is the summary of a run.
type Report struct {
	Run      *stats.Run      // without its launches
	Kernels  []*Kernel       // most issues first
	Launches []Launch        // the launches that the page lists, in the order of the file
	Count    int             // all launches
	Total    simt.Stats      // sums over all launches; ByInstruction is empty
	Failed   int             // launches that faulted or were refused
	shapes   map[shapeOf]int // all launches
	Timeline *Timeline       // nil without a trace
	// Text finds the text of a line of source, "" if it cannot; nil finds none.
	Text func(source.Line) string
}

// Launch is one row of the table of launches.
type Launch struct {
	Number    int
	Kernel    *Kernel
	Grid      [2]int
	Block     [3]int
	Waves     int
	Issues    uint64
	Threads   uint64
	Lanes     float64 // mean active lanes
	Elapsed   time.Duration
	Error     string
	InStep    string
	Reference bool // run in the reference order
}

// Read sums up the statistics in from of the launches under a policy, of all kernels or of the named
// ones. The policy "" is the only one of the run. The error is a *stats.FormatError if from holds no
// statistics, a *KernelError if the run launched no kernel of that name, and a *PoliciesError if its
// launches ran under several policies, or not under that one.
func Read(from io.Reader, policy string, only ...string) (*Report, error) {
	r := &Report{}
	kernels := map[*stats.Kernel]*Kernel{}
	run, err := stats.Read(from, func(l *stats.Launch) error {
		if policy != "" && l.Policy != policy {
			return nil
		}
		if len(only) > 0 && !slices.Contains(only, l.Kernel.Name) {
			return nil
		}
		k := kernels[l.Kernel]
		if k == nil {
			k = &Kernel{Kernel: l.Kernel}
			kernels[l.Kernel] = k
			r.Kernels = append(r.Kernels, k)
		}
		k.add(l)
		r.add(k, l)
		return nil
	})
	if err != nil {
		return nil, err
	}
	switch {
	case policy == "" && len(run.Policies) > 1, policy != "" && !slices.Contains(run.Policies, policy):
		return nil, &PoliciesError{run.Policies}
	case len(run.Policies) > 0:
		run.Policy = cmp.Or(policy, run.Policies[0])
	}
	r.keep()
	r.Run = run
	for _, name := range only {
		if !slices.ContainsFunc(r.Kernels, func(k *Kernel) bool { return k.Name == name }) {
			return nil, &KernelError{Name: name, Kernels: names(run.Kernels)}
		}
	}
	slices.SortStableFunc(r.Kernels, func(a, b *Kernel) int {
		return cmp.Compare(b.Sum.WarpInstructions, a.Sum.WarpInstructions)
	})
	named := map[string]int{}
	for i, k := range r.Kernels {
		k.Rank = i + 1
		named[k.Name]++
	}
	for _, k := range r.Kernels {
		k.Twin = named[k.Name] > 1
	}
	return r, nil
}

// PoliciesError reports that one of the run's policies must be chosen.
type PoliciesError struct{ Policies []string }

// Error lists the policies.
func (e *PoliciesError) Error() string {
	return "the launches ran under " + strings.Join(e.Policies, ", ") + ": a page is of one of these policies"
}

// KernelError reports a kernel that the run did not launch.
type KernelError struct {
	Name    string
	Kernels []string // launched ones
}

// Error lists the kernels that the run launched.
func (e *KernelError) Error() string {
	const most = 10
	list := e.Kernels[:min(len(e.Kernels), most)]
	more := ""
	if len(e.Kernels) > most {
		more = " and others"
	}
	return fmt.Sprintf("the run has no kernel %q: it has %s%s", e.Name, strings.Join(list, ", "), more)
}

// names returns the names of kernels, each once.
func names(kernels []*stats.Kernel) (all []string) {
	for _, k := range kernels {
		if !slices.Contains(all, k.Name) {
			all = append(all, k.Name)
		}
	}
	return all
}

// add adds a launch of k.
func (r *Report) add(k *Kernel, l *stats.Launch) {
	s := &l.Stats
	if r.Count++; len(r.Launches) == 2*mostLaunches {
		r.keep()
	}
	r.Launches = append(r.Launches, Launch{
		Number: l.Number, Kernel: k, Grid: s.Grid, Block: s.Block, Waves: s.Waves, Issues: s.WarpInstructions, Threads: s.ThreadInstructions,
		Lanes: s.AverageLanes(), Elapsed: s.Elapsed, Error: l.Error, InStep: l.InStep, Reference: s.Plan.Reference,
	})
	if r.shapes == nil {
		r.shapes = map[shapeOf]int{}
	}
	r.shapes[shapeOf{k.Name, s.Grid, s.Block}]++
	if l.Error != "" {
		r.Failed++
	}
	stats.Add(&r.Total, s)
}

// Limits of a page, so that a browser can show it.
const (
	// mostLaunches bounds the table: the first half are the first launches, the rest the launches
	// with the most issues.
	mostLaunches = 2000
	// mostLines bounds the disassembly: a kernel with more lines has none, like one with fewer
	// issues.
	mostLines = 50000
)

// keep removes the Launches that the page does not list.
func (r *Report) keep() {
	if len(r.Launches) <= mostLaunches {
		return
	}
	rest := r.Launches[mostLaunches/2:]
	slices.SortFunc(rest, func(a, b Launch) int {
		return cmp.Or(cmp.Compare(b.Issues, a.Issues), cmp.Compare(a.Number, b.Number))
	})
	clear(r.Launches[mostLaunches:])
	r.Launches = r.Launches[:mostLaunches]
	slices.SortFunc(r.Launches, func(a, b Launch) int { return cmp.Compare(a.Number, b.Number) })
}

// coded returns how many kernels, hottest first, are shown with their code.
func (r *Report) coded() int {
	lines := 0
	for i, k := range r.Kernels {
		if lines += len(k.Code); lines > mostLines {
			return i
		}
	}
	return len(r.Kernels)
}
