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

// tooMuch is the reason of an end where there is more to do than was given.
const tooMuch = "too much"

// start begins with a launch. It reports whether any of it is meant.
func (s *selection) start(f *Filter, l *Launch) bool {
	s.filter, s.warps, s.wanted = f, f.warps(), f.instructions(l.Kernel.Code)
	return f.launch(l.Number, l.Kernel.Name)
}

// part hands what is meant of a part to yield. It reports what is wrong, or stop.
func (s *selection) part(d *partDecoder, p *found, k *Kernel, yield func(*Step, error) bool) string {
	d.start(&p.part, p.words, k, s.warps, s.wanted)
	var part Step
	for {
		ok, why := d.next()
		if !ok {
			return why
		}
		step := &d.step
		if s.filter.First > 0 && s.left < uint64(step.Count()) {
			part = *step
			part.keep(int(s.left))
			step = &part
		}
		s.left -= min(s.left, uint64(step.Count()))
		if !yield(step, nil) || s.filter.First > 0 && s.left == 0 {
			return stop
		}
	}
}

// keep leaves at most n warps.
func (s *Step) keep(n int) {
	s.N = min(s.N, n)
	set := s.set()
	s.Vetoed &= set
	s.Values = slices.DeleteFunc(slices.Clone(s.Values), func(v Value) bool { return set>>v.Warp&1 == 0 })
}
