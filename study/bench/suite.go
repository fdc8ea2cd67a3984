package bench

import (
	"fmt"
	"slices"
	"time"

	"jacquard/simt"
)

// Names of the groups that a [Suite] measures besides single kernels.
const (
	groupClasses = "classes"
	groupCosts   = "costs"
)

// Suite is a list of measurements with their settings.
type Suite struct {
	Engine  string        // as in simt.Host
	SIMDs   []string      // vector instructions to measure with, least first
	Workers []int         // host cores to measure kernels with; 0 means all
	Time    time.Duration // per kernel and setting
	Rounds  int           // per way to launch whose cost is measured

	Progress func(what string) // called before each measurement; may be nil
	Alone    error             // why Run compared nothing with the host; nil if it did

	kernels []Workload
	classes []Class
	costs   []Workload
}

// Names lists the names that [Suite.Choose] takes: kernels and groups of measurements.
func Names() []string {
	var names []string
	for _, w := range Workloads() {
		names = append(names, w.Name)
	}
	return append(names, groupClasses, groupCosts)
}

// Choose selects the measurements: the given of [Names], or all if none are given. Costs are
// measured on the chosen kernels, or else on two.
func (s *Suite) Choose(names ...string) {
	all := Workloads()
	if len(names) == 0 {
		names = Names()
	}
	for _, name := range names {
		if i := slices.IndexFunc(all, func(w Workload) bool { return w.Name == name }); i >= 0 {
			s.kernels = append(s.kernels, all[i])
		}
	}
	if slices.Contains(names, groupClasses) {
		s.classes = Classes()
	}
	if slices.Contains(names, groupCosts) {
		s.costs = s.kernels
		if len(s.costs) == 0 || len(s.costs) == len(all) {
			s.costs = slices.DeleteFunc(all, func(w Workload) bool { return w.Name != Undivided && w.Name != Divided })
		}
	}
}

// Run takes all measurements and calls out with each. It times the host along the way; at the end
// it compares all results with the host's best times.
func (s *Suite) Run(out func(*Result) error) error {
	progress := s.Progress
	if progress == nil {
		progress = func(string) {}
	}
	progress("the host itself")
	rival, err := NewRival()
	if err != nil {
		return err
	}
	defer rival.Close()
	s.Alone = rival.Why
	compared := func(w *Workload, r *Result) error {
		if err := rival.Compare(w, r); err != nil {
			return err
		}
		return out(r)
	}
	for i := range s.kernels {
		w := &s.kernels[i]
		progress(fmt.Sprintf("%s (%d of %d)", w.Name, i+1, len(s.kernels)))
		if err := rival.Again(); err != nil {
			return err
		}
		if err := s.measure(w, s.Workers, func(r *Result) error { return compared(w, r) }); err != nil {
			return err
		}
	}
	for i := range s.classes {
		k := &s.classes[i]
		progress(k.Name)
		if err := rival.Again(); err != nil {
			return err
		}
		w := k.Workload()
		// classes run with one worker: how workers share blocks shows in kernels
		err := s.measure(&w, []int{1}, func(r *Result) error {
			r.Class = true
			rival.CompareClass(k, r)
			return out(r)
		})
		if err != nil {
			return err
		}
	}
	for i := range s.costs {
		w := &s.costs[i]
		progress("costs on " + w.Name)
		ready, err := w.Prepare(simt.Host{Engine: s.Engine, SIMD: s.SIMDs[len(s.SIMDs)-1]})
		if err != nil {
			return err
		}
		results, err := ready.Costs(s.Rounds)
		if err != nil {
			return err
		}
		for _, r := range results {
			if err := compared(w, r); err != nil {
				return err
			}
		}
	}
	rival.Settle()
	return nil
}

// measure runs w in every setting and calls out with each result.
func (s *Suite) measure(w *Workload, workers []int, out func(*Result) error) error {
	for _, simd := range s.SIMDs {
		ready, err := w.Prepare(simt.Host{Engine: s.Engine, SIMD: simd})
		if err != nil {
			return err
		}
		for _, n := range workers {
			r, err := ready.Run(n, s.Time)
			if err != nil {
				return err
			}
			if err := out(r); err != nil {
				return err
			}
		}
	}
	return nil
}
