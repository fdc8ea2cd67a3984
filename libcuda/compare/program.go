package compare

import (
	"fmt"
	"slices"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/events"
	"jacquard/simt/table"
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

// Program compares the runs of one program launch by launch. It returns one row per kernel and run;
// kernels come in the order of their first launch. The reference is the first run that did not
// fail. Runs that FailedAlike are compared as if the program had succeeded.
func Program(runs []Run) []Row {
	if FailedAlike(runs) {
		runs = slices.Clone(runs)
		for i := range runs {
			runs[i].Failure = ""
		}
	}
	reference := slices.IndexFunc(runs, func(r Run) bool { return r.Failure == "" && r.sound() })
	var kernels []string
	for _, r := range runs {
		for _, e := range r.Record.Launches {
			if !slices.Contains(kernels, e.Kernel) {
				kernels = append(kernels, e.Kernel)
			}
		}
	}
	var rows []Row
	for _, k := range kernels {
		for i := range runs {
			r := &runs[i]
			row := r.row(k)
			if row.Outcome == Same && reference >= 0 && i != reference {
				row.Outcome, row.Reason = r.against(&runs[reference], k)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// sound reports whether every launch succeeded.
func (r *Run) sound() bool {
	return !slices.ContainsFunc(r.Record.Launches, func(e events.Launch) bool { return !e.Succeeded() })
}

// row sums up the launches of kernel.
func (r *Run) row(kernel string) Row {
	row := Row{Lead: table.Lead{Policy: r.Policy, Kernel: kernel}, Outcome: Same}
	before := map[int]int{} // launches of other processes before those of a process
	for i := range r.Record.Launches {
		e := &r.Record.Launches[i]
		if _, seen := before[e.PID]; !seen {
			before[e.PID] = i
		}
		if e.Kernel != kernel {
			continue
		}
		row.add(e, before[e.PID]+e.Number)
		switch {
		case e.Succeeded() || row.Outcome != Same:
		case e.Result == driver.ErrNotSupported.Error() && e.WarpInstructions == 0:
			row.Outcome, row.Reason = Refused, refusal(e.Message)
		default:
			row.Outcome, row.Reason = Failed, fmt.Sprintf("launch %d: %s", i+1, e.Message)
		}
	}
	if row.Outcome == Same && r.Failure != "" {
		row.Outcome, row.Reason = Failed, r.Failure
	}
	return row
}

// against compares the launches of kernel with the reference run's.
func (r *Run) against(reference *Run, kernel string) (Outcome, string) {
	got, want := r.Record.Launches, reference.Record.Launches
	for i := range min(len(got), len(want)) {
		g, w := &got[i], &want[i]
		if g.Kernel != kernel && w.Kernel != kernel {
			continue
		}
		if g.Kernel != w.Kernel {
			return Failed, fmt.Sprintf("launch %d is of %s, under %s of %s", i+1, g.Kernel, reference.Policy, w.Kernel)
		}
		if what := differentMemory(g.Memory, w.Memory, reference.Policy); what != "" {
			return Differs, fmt.Sprintf("launch %d: %s", i+1, what)
		}
	}
	if g, w := r.launches(kernel), reference.launches(kernel); g != w {
		return Failed, fmt.Sprintf("launches: %d, under %s %d", g, reference.Policy, w)
	}
	return Same, ""
}

func (r *Run) launches(kernel string) int {
	n := 0
	for i := range r.Record.Launches {
		if r.Record.Launches[i].Kernel == kernel {
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
