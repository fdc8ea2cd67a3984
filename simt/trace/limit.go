package trace

import "jacquard/simt/branch"

// limit leaves of a part the warp-instructions that are still wanted.
func (r *Recorder) limit(p *part, k *Kernel) {
	if r.options.First == 0 {
		return
	}
	left := r.left.Add(-int64(p.count))
	if left > 0 {
		return
	}
	r.stopped.Store(true)
	if left < 0 {
		p.shorten(int(max(0, left+int64(p.count))), k)
	}
}

// shorten leaves at most n warp-instructions of a part.
func (p *part) shorten(n int, k *Kernel) {
	var d partDecoder
	var e encoder
	d.start(p, k)
	d.step.Mixed = p.mixed
	e.start(int(p.block), len(k.Code), p.first)
	for n > 0 {
		ok, _ := d.next()
		if !ok {
			break
		}
		s := &d.step
		if s.Count() > n {
			s.keep(^branch.WarpSet(0), n)
		}
		n -= s.Count()
		e.step(s)
		for i := range s.Values {
			e.value(&s.Values[i].Row, s.Values[i].Lanes)
		}
	}
	*p = e.take(nil, nil)
}
