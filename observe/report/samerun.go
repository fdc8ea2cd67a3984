package report

import (
	"cmp"
	"fmt"
	"slices"

	"jacquard/observe/stats"
	"jacquard/observe/trace"
	"jacquard/simt"
)

// OtherRunError reports how a trace differs from the run of the statistics.
type OtherRunError struct{ Difference string }

// Error also gives a remedy.
func (e *OtherRunError) Error() string {
	return "the trace is of another run: " + e.Difference + ": record both at once, with --stats and --trace"
}

// shapeOf identifies a launch by what both trace and statistics record.
type shapeOf struct {
	kernel string
	grid   [2]int
	block  [3]int
}

func (s shapeOf) String() string {
	return fmt.Sprintf("%s with grid %s and block %s", s.kernel, shape(s.grid[0], s.grid[1]), shape(s.block[0], s.block[1], s.block[2]))
}

// sameRun returns an *OtherRunError if f cannot be a trace of the run: if it has another policy,
// other code, another architecture, or launches that the statistics lack. A filtered trace may have
// fewer launches; so may damaged statistics.
func (r *Report) sameRun(f *trace.File) error {
	numbers := map[int]shapeOf{} // of the launches that the page lists
	for _, l := range r.Launches {
		numbers[l.Number] = shapeOf{l.Kernel.Name, l.Grid, l.Block}
	}
	recorded := map[shapeOf]int{}
	for _, l := range f.Launches {
		if got, want := policyName(l.Policy), policyName(r.Run.Policy); got != want {
			return &OtherRunError{fmt.Sprintf("its policy is %s, that of the statistics %s", got, want)}
		}
		if l.Count == 0 || r.Run.Damage != nil { // statistics do not count a refused launch
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
		case recorded[s] <= r.shapes[s]:
		case r.shapes[s] > 0:
			return &OtherRunError{fmt.Sprintf("it has more launches of %s than the statistics, which have %d", s, r.shapes[s])}
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

// has reports whether the report has a kernel called name.
func (r *Report) has(name string) bool {
	return slices.ContainsFunc(r.Kernels, func(k *Kernel) bool { return k.Name == name })
}

// kernelOf returns the report's kernel that a kernel of a trace is; nil if there is none.
func (r *Report) kernelOf(k *trace.Kernel) *Kernel {
	hash := stats.Describe(&simt.Kernel{Name: k.Name, Arch: k.Arch, Code: k.Code}).Hash
	for _, have := range r.Kernels {
		if have.Name == k.Name && have.Hash == hash {
			return have
		}
	}
	return nil
}

// sameKernel compares a kernel of a trace with the launched kernels of its name.
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
