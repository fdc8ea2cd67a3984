package trace

import (
	"iter"

	"jacquard/observe/trace/codec"
	"jacquard/simt/branch"
)

// Steps yields the issues that a filter selects, in the order of launch, block, time and warp. It
// skips frames without any. The Step belongs to the iterator and changes with the next. An error
// comes last: a *FormatError, or a *LimitError if reading takes more than MostWork.
func (f *File) Steps(filter *Filter) iter.Seq2[*Step, error] {
	return func(yield func(*Step, error) bool) {
		s := selection{filter: filter, warps: filter.warps(), left: filter.First}
		s.decoder.Work = codec.NewWork(f.MostWork)
		for _, l := range f.Launches {
			if !filter.Launch(l.Number, l.Kernel.Name) {
				continue
			}
			s.wanted = filter.instructions(l.Kernel.Code)
			s.decoder.Step.Launch = l.Number
			for p, err := range f.parts(l, filter, s.decoder.Work) {
				if err != nil {
					yield(nil, err)
					return
				}
				if p.Warps&s.warps == 0 {
					continue
				}
				if why := s.part(p, l.Kernel, yield); why != "" {
					switch why {
					case stop:
					case codec.TooMuch:
						yield(nil, &LimitError{f.MostWork})
					default:
						yield(nil, &FormatError{p.frame.offset, why})
					}
					return
				}
			}
		}
	}
}

// selection yields the issues that a filter selects.
type selection struct {
	decoder codec.Decoder
	filter  *Filter
	warps   branch.WarpSet
	wanted  []bool // by instruction; nil selects all
	left    uint64 // warp-instructions still wanted, if the filter has a limit
}

// stop is the reason of an early end without a defect.
const stop = "stop"

// part passes the selected issues of a part to yield. It returns the defect, or stop.
func (s *selection) part(p *held, k *Kernel, yield func(*Step, error) bool) (why string) {
	s.decoder.Start(&p.StoredPart, k, s.warps, s.wanted)
	var first Step
	for {
		ok, why := s.decoder.Next()
		if !ok {
			return why
		}
		step := &s.decoder.Step
		if s.filter.First > 0 && s.left < uint64(step.Count()) {
			first = *step
			first.Keep(int(s.left))
			step = &first
		}
		s.left -= min(s.left, uint64(step.Count()))
		if !yield(step, nil) || s.filter.First > 0 && s.left == 0 {
			return stop
		}
	}
}
