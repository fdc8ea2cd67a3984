package findings

import (
	"slices"

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
// and as people write it. Findings of no kernel stay.
func (r *Report) Keep(keep func(mangled, name string) bool) {
	r.Findings = slices.DeleteFunc(r.Findings, func(f check.Finding) bool {
		return f.Kernel != "" && !keep(f.Kernel, Name(f.Kernel))
	})
}

// Shown returns the findings of a report for people: errors first, notes if they are wanted.
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
