package events

import (
	"cmp"
	"slices"
)

// Numbered is a launch with its number in a run, which may be several processes.
type Numbered struct {
	InRun int // from 0
	*Launch
}

// InOrder returns the launches of a run by their numbers. A file has them in the order in which
// they ended, which depends on the host where a program has several threads or processes. The
// numbers of a process continue the numbers of the processes before it, as in the statistics of a
// comparison.
func (r *Record) InOrder() []Numbered {
	after := map[int]int{} // by process: the number after its last launch
	for i := range r.Launches {
		e := &r.Launches[i]
		after[e.PID] = max(after[e.PID], e.Number+1)
	}
	first, n := map[int]int{}, 0
	for _, pid := range r.Processes() {
		first[pid] = n
		n += after[pid]
	}
	list := make([]Numbered, len(r.Launches))
	for i := range r.Launches {
		e := &r.Launches[i]
		list[i] = Numbered{first[e.PID] + e.Number, e}
	}
	slices.SortStableFunc(list, func(a, b Numbered) int { return cmp.Compare(a.InRun, b.InRun) })
	return list
}

// Processes returns the numbers of the processes that launched kernels, in the order in which the
// first launch of each ended.
func (r *Record) Processes() (pids []int) {
	seen := map[int]bool{}
	for i := range r.Launches {
		if pid := r.Launches[i].PID; !seen[pid] {
			seen[pid] = true
			pids = append(pids, pid)
		}
	}
	return pids
}
