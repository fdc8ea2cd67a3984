package report

import (
	"cmp"
	"fmt"
	"slices"

	"jacquard/simt"
	"jacquard/simt/stats"
	"jacquard/simt/trace"
)

// OtherRunError says in what a trace differs from the run that the statistics are of.
type OtherRunError struct{ Difference string }

// Error says what to do about it, too.
func (e *OtherRunError) Error() string {
	return "the trace is of another run: " + e.Difference + ": record both at once, with --stats and --trace"
}

// shapeOf is what tells launches apart that the trace and the statistics both know.
type shapeOf struct {
	kernel string
	grid   [2]int
	block  [3]int
}

func (s shapeOf) String() string {
	return fmt.Sprintf("%s with grid %s and block %s", s.kernel, shape(s.grid[0], s.grid[1]), shape(s.block[0], s.block[1], s.block[2]))
}

// sameRun returns an *OtherRunError if f cannot be a trace of the run: if it has another policy,
// other code, another architecture, or launches that the statistics do not have. It may have fewer,
// as a filter leaves them. Statistics whose end is missing may lack launches, too.
func (r *Report) sameRun(f *trace.File) error {
	counted := map[shapeOf]int{}
	numbers := map[int]shapeOf{}
	for _, l := range r.Launches {
		s := shapeOf{l.Kernel.Name, l.Grid, l.Block}
		counted[s]++
		numbers[l.Number] = s
	}
	recorded := map[shapeOf]int{}
	for _, l := range f.Launches {
		if got, want := policyName(l.Policy), policyName(r.Run.Policy); got != want {
			return &OtherRunError{fmt.Sprintf("its policy is %s, that of the statistics %s", got, want)}
		}
		if l.Count == 0 || r.Run.Damage != nil { // a refused launch is no launch to the statistics
			continue
		}
		if err := r.sameKernel(l.Kernel); err != nil {
			return err
		}
		if !r.has(l.Kernel.Name) {
			continue
		}
		s := shapeOf{l.Kernel.Name, l.Grid, l.Block}
		recorded[s]++
		switch {
		case recorded[s] <= counted[s]:
		case counted[s] > 0:
			return &OtherRunError{fmt.Sprintf("it has more launches of %s than the statistics, which have %d", s, counted[s])}
		case numbers[l.Number] != shapeOf{}:
			return &OtherRunError{fmt.Sprintf("its launch %d is of %s, that of the statistics of %s", l.Number, s, numbers[l.Number])}
		default:
			return &OtherRunError{fmt.Sprintf("its launch %d is of %s, and the statistics have no such launch", l.Number, s)}
		}
	}
	return nil
}

// policyName returns a policy's name; "" is the default.
func policyName(name string) string { return cmp.Or(name, "nvidia") }

// has reports whether the report is about the kernels called name.
func (r *Report) has(name string) bool {
	return slices.ContainsFunc(r.Kernels, func(k *Kernel) bool { return k.Name == name })
}

// sameKernel compares a kernel of a trace with those of its name that the run launched.
func (r *Report) sameKernel(k *trace.Kernel) error {
	of := stats.Describe(&simt.Kernel{Name: k.Name, Arch: k.Arch, Code: k.Code})
	difference := fmt.Sprintf("it has a kernel %s, which the statistics do not have", k.Name)
	for _, have := range r.Run.Kernels {
		switch {
		case have.Name != k.Name:
		case have.Hash == of.Hash:
			return nil
		case have.Arch != k.Arch:
			difference = fmt.Sprintf("its kernel %s ran on a device of %s, that of the statistics on one of %s", k.Name, k.Arch, have.Arch)
		default:
			difference = fmt.Sprintf("its kernel %s has other code than that of the statistics", k.Name)
		}
	}
	return &OtherRunError{difference}
}
