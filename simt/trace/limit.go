package trace

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
		n := int(max(0, left+int64(p.count)))
		p.keep(k, r, func(s *Step) bool {
			if s.Count() > n {
				s.keep(n)
			}
			n -= s.Count()
			return s.N > 0
		})
	}
}
