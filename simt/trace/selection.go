package trace

import (
	"slices"

	"jacquard/simt/branch"
)

// selection leaves of issues what a filter means.
type selection struct {
	filter *Filter
	warps  branch.WarpSet
	wanted []bool // by instruction; nil: all
	left   uint64 // warp-instructions still wanted; 0 without a limit
}

// stop is the reason of an end that is no mistake.
const stop = "stop"

// start begins with a launch. It reports whether any of it is meant.
func (s *selection) start(f *Filter, l *Launch) bool {
	s.filter, s.warps, s.wanted = f, f.warps(), f.instructions(l.Kernel.Code)
	return f.launch(l.Number, l.Kernel.Name)
}

// part hands what is meant of a part to yield. It reports what is wrong, or stop.
func (s *selection) part(d *partDecoder, p *part, k *Kernel, yield func(*Step, error) bool) string {
	d.start(p, k)
	var part Step
	for {
		ok, why := d.next()
		if !ok {
			return why
		}
		step := &d.step
		if s.wanted != nil && !s.wanted[step.Index] {
			continue
		}
		if set := step.set(); set&^s.warps != 0 || s.filter.First > 0 && s.left < uint64(step.Count()) {
			part = *step
			part.keep(s.warps, s.most(step))
			if step = &part; step.N == 0 {
				continue
			}
		}
		s.left -= min(s.left, uint64(step.Count()))
		if !yield(step, nil) || s.filter.First > 0 && s.left == 0 {
			return stop
		}
	}
}

// most returns how many warps of a step are still wanted.
func (s *selection) most(step *Step) int {
	if s.filter.First == 0 || step.Mixed {
		return step.N
	}
	return int(min(s.left, uint64(step.N)))
}

// keep leaves at most n of the given warps.
func (s *Step) keep(warps branch.WarpSet, n int) {
	kept := 0
	for k := range s.N {
		if warps>>s.Warp[k]&1 != 0 && kept < n {
			s.Warp[kept], s.Active[kept], s.Executed[kept] = s.Warp[k], s.Active[k], s.Executed[k]
			kept++
		}
	}
	s.N = kept
	set := s.set()
	s.Vetoed &= set
	s.Values = slices.DeleteFunc(slices.Clone(s.Values), func(v Value) bool { return set>>v.Warp&1 == 0 })
}
