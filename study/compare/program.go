package compare

import (
	"fmt"
	"slices"

	"jacquard/libcuda/driver/events"
	"jacquard/observe/table"
)

// Run is a whole program's record under one policy.
type Run struct {
	Policy  string
	Record  *events.Record // with digests of memory
	Status  int            // exit status of the program
	Failure string         // how the program ended, "" for success
}

// FailedAlike reports whether the program ended with the same exit status, not 0, in all runs: that
// says nothing about a policy.
func FailedAlike(runs []Run) bool {
	return len(runs) > 0 && runs[0].Status != 0 &&
		!slices.ContainsFunc(runs, func(r Run) bool { return r.Status != runs[0].Status })
}

// Program compares the runs of one program launch by launch, by their numbers. It returns one row per
// kernel and run; kernels come in the order of their first launch. The reference is the first run that
// did not fail. Runs that FailedAlike are compared as if the program had succeeded.
func Program(runs []Run) []Row {
	alike := FailedAlike(runs)
	var kernels []string
	list := make([]ordered, len(runs))
	for i := range runs {
		r := &list[i]
		if *r = inOrder(runs[i]); alike {
			r.Failure = ""
		}
		for _, e := range r.launches {
			if !slices.Contains(kernels, e.Kernel) {
				kernels = append(kernels, e.Kernel)
			}
		}
	}
	reference := slices.IndexFunc(list, func(r ordered) bool { return r.Failure == "" && r.sound() })
	var rows []Row
	for _, k := range kernels {
		for i := range list {
			r := &list[i]
			row := r.row(k)
			if row.Outcome == Same && reference >= 0 && i != reference {
				row.Outcome, row.Reason = r.against(&list[reference], k)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// ordered is a run with its launches by their numbers.
type ordered struct {
	Run
	launches []events.Numbered
	byNumber map[int]*events.Launch
}

// inOrder orders the launches of a run.
func inOrder(r Run) ordered {
	o := ordered{Run: r, launches: r.Record.InOrder(), byNumber: map[int]*events.Launch{}}
	for _, e := range o.launches {
		o.byNumber[e.InRun] = e.Launch
	}
	return o
}

// sound reports whether every launch succeeded.
func (r *ordered) sound() bool {
	return !slices.ContainsFunc(r.launches, func(e events.Numbered) bool { return !e.Succeeded() })
}

// row sums up the launches of kernel.
func (r *ordered) row(kernel string) Row {
	row := Row{Lead: table.Lead{Policy: r.Policy, Kernel: kernel}, Outcome: Same}
	for _, e := range r.launches {
		if e.Kernel != kernel {
			continue
		}
		row.add(e.Launch, e.InRun)
		switch {
		case e.Succeeded() || row.Outcome != Same:
		case e.Refusal != "":
			row.Outcome, row.Reason = Refused, e.Refusal
		default:
			row.Outcome, row.Reason = Failed, fmt.Sprintf("launch %d: %s", e.InRun, e.Message)
		}
	}
	if row.Outcome == Same && r.Failure != "" {
		row.Outcome, row.Reason = Failed, r.Failure
	}
	return row
}

// against compares the launches of kernel with the reference run's.
func (r *ordered) against(reference *ordered, kernel string) (Outcome, string) {
	for _, g := range r.launches {
		w := reference.byNumber[g.InRun]
		if w == nil || g.Kernel != kernel && w.Kernel != kernel {
			continue
		}
		if g.Kernel != w.Kernel {
			return Failed, fmt.Sprintf("launch %d is of %s, under %s of %s", g.InRun, g.Kernel, reference.Policy, w.Kernel)
		}
		if what := differentMemory(g.Memory, w.Memory, reference.Policy); what != "" {
			return Differs, fmt.Sprintf("launch %d: %s", g.InRun, what)
		}
	}
	if g, w := r.count(kernel), reference.count(kernel); g != w {
		return Failed, fmt.Sprintf("launches: %d, under %s %d", g, reference.Policy, w)
	}
	return Same, ""
}

// count returns the number of launches of kernel.
func (r *ordered) count(kernel string) int {
	n := 0
	for _, e := range r.launches {
		if e.Kernel == kernel {
			n++
		}
	}
	return n
}

// differentMemory names the first allocation whose content differs, "" if none does.
func differentMemory(got, want []events.Digest, under string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("the %d bytes at 0x%x are not what they are under %s", got[i].Bytes, got[i].Address, under)
		}
	}
	if len(got) != len(want) {
		return fmt.Sprintf("allocations of device memory: %d, under %s %d", len(got), under, len(want))
	}
	return ""
}
