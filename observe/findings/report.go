package findings

import (
	"slices"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"jacquard/simt/check"
)

// Report is what checkers found in a run of a program.
type Report struct {
	Program    []string  // the command line; nil if it is not known
	Checks     check.Set // what was looked for
	Started    bool      // a process of the program used the simulator
	Complete   bool      // each process came to its end; else counts are lower bounds
	Findings   []check.Finding
	Suppressed []check.Finding // that a suppression knows
}

// Errors returns how many findings are errors.
func (r *Report) Errors() int { return count(r.Findings, check.Error) }

// Notes returns how many findings are notes.
func (r *Report) Notes() int { return count(r.Findings, check.Note) }

func count(list []check.Finding, level check.Level) (n int) {
	for i := range list {
		if list[i].Level == level {
			n++
		}
	}
	return n
}

// Promote makes errors of the notes with this what.
func (r *Report) Promote(what string) {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.What == what {
			f.Level = check.Error
		}
	}
}

// Keep removes the findings of kernels that keep does not want: it is given the kernel's name, mangled
// and as people write it. A finding of a call, such as a copy, is of the kernel at its other place.
// Findings of no kernel stay.
func (r *Report) Keep(keep func(mangled, name string) bool) {
	r.Findings = slices.DeleteFunc(r.Findings, func(f check.Finding) bool {
		kernel := f.Kernel
		for i := 0; i < len(f.With) && kernel == ""; i++ {
			kernel = kernelAt(&f, &f.With[i])
		}
		return kernel != "" && !keep(kernel, Name(kernel))
	})
}

// kernelAt returns the mangled name of the kernel that an instruction of a finding is of: the
// finding's own, or the outermost function of its lines; "" if it is not known.
func kernelAt(f *check.Finding, s *check.Site) string {
	if f.Kernel != "" || s.Device == nil || len(s.Stack) == 0 {
		return f.Kernel
	}
	return s.Stack[len(s.Stack)-1].Function
}

// ByLine makes one finding of those that are alike but for the instructions, where the lines of these
// are known: an unrolled loop repeats a mistake in each round. Which access of a race came first makes
// no difference.
func (r *Report) ByLine() {
	at := map[string]int{}
	kept := r.Findings[:0]
	for _, f := range r.Findings {
		key := lineKey(f)
		if i, known := at[key]; known {
			kept[i].Count += f.Count
			continue
		}
		at[key] = len(kept)
		kept = append(kept, f)
	}
	r.Findings = kept
}

// lineKey is f.Key without instructions whose lines are known.
func lineKey(f check.Finding) string {
	sites := append([]check.Site{f.At}, f.With...)
	for i := range sites {
		if _, known := sites[i].User(); known {
			sites[i].Device = nil
		}
	}
	if f.Kind == check.KindRace {
		slices.SortFunc(sites, func(a, b check.Site) int {
			x, y := check.Finding{At: a}, check.Finding{At: b}
			return strings.Compare(x.Key(), y.Key())
		})
	}
	f.At, f.With = sites[0], sites[1:]
	return f.Key()
}

// shown returns the findings of a report for people: errors first, notes if they are wanted.
func (r *Report) shown(notes bool) (list []*check.Finding) {
	for _, level := range []check.Level{check.Error, check.Note} {
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Level == level && (notes || level != check.Note) {
				list = append(list, f)
			}
		}
	}
	return list
}

// Name returns a function's name as people write it.
func Name(mangled string) string { return demangle.Filter(mangled) }
