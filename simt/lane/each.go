package lane

// each1, each2 and each3 run a 32-lane body over the warps of a selection. A warp whose
// mask is not full goes through scratch: the body computes all lanes, commit keeps the
// selected ones. Bodies must allow d to be one of the sources.

func each1(d, a Rows, s *Sel, body func(d, a *Row)) {
	if s.Full {
		for i := range s.N {
			w := int(s.Warp[i])
			body(d.At(w), a.At(w))
		}
		return
	}
	var t Row
	for i := range s.N {
		w := int(s.Warp[i])
		body(&t, a.At(w))
		commit(d.At(w), &t, s.Mask[i])
	}
}

func each2(d, a, b Rows, s *Sel, body func(d, a, b *Row)) {
	if s.Full {
		for i := range s.N {
			w := int(s.Warp[i])
			body(d.At(w), a.At(w), b.At(w))
		}
		return
	}
	var t Row
	for i := range s.N {
		w := int(s.Warp[i])
		body(&t, a.At(w), b.At(w))
		commit(d.At(w), &t, s.Mask[i])
	}
}

func each3(d, a, b, c Rows, s *Sel, body func(d, a, b, c *Row)) {
	if s.Full {
		for i := range s.N {
			w := int(s.Warp[i])
			body(d.At(w), a.At(w), b.At(w), c.At(w))
		}
		return
	}
	var t Row
	for i := range s.N {
		w := int(s.Warp[i])
		body(&t, a.At(w), b.At(w), c.At(w))
		commit(d.At(w), &t, s.Mask[i])
	}
}

// commit copies the lanes of src that m selects to dst.
func commit(dst, src *Row, m Mask) {
	for i := range dst {
		keep := uint32(int32(m<<(31-i)) >> 31)
		dst[i] = dst[i]&^keep | src[i]&keep
	}
}
