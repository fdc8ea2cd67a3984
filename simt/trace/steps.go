package trace

import "iter"

// Steps goes through the issues that may be meant by a filter, in the order of launch, block,
// time and warp: frames without any are not read. The Step is the reader's own and changes
// with the next. After an error, which is a *FormatError, or a *LimitError if the filter means more
// than MostWork, there is nothing more.
func (f *File) Steps(filter *Filter) iter.Seq2[*Step, error] {
	return func(yield func(*Step, error) bool) {
		s := selection{left: filter.First}
		w := newWork(f.MostWork)
		d := partDecoder{work: w}
		for _, l := range f.Launches {
			if !s.start(filter, l) {
				continue
			}
			d.step.Launch = l.Number
			for p, err := range f.parts(l, filter, w) {
				if err != nil {
					yield(nil, err)
					return
				}
				if p.warps&s.warps == 0 {
					continue
				}
				d.step.Mixed = p.mixed
				if why := s.part(&d, p, l.Kernel, yield); why != "" {
					switch why {
					case stop:
					case tooMuch:
						yield(nil, &LimitError{w.most})
					default:
						yield(nil, &FormatError{p.frame.offset, why})
					}
					return
				}
			}
		}
	}
}
