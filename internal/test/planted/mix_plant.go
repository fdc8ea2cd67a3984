package planted

import "math/rand/v2"

// PlantedMix returns the mix of a seed with one mistake by which some thread reads what nobody
// wrote, what the mistake is, and what is expected; nil if none of some tries makes such a mistake.
func PlantedMix(seed uint64) (m *Mix, mistake string, e *expected) {
	r := rand.New(rand.NewPCG(seed, 3))
	clean := NewMix(seed)
	clean.Text()
	before := clean.expect().reads
	for range 20 {
		m = NewMix(seed)
		if mistake = m.spoil(r); mistake == "" {
			continue
		}
		m.Text()
		if e = m.expect(); e.reads != before {
			return m, mistake, e
		}
	}
	return nil, "", nil
}

// spoil makes a mistake, and returns what it is, "" if it finds none to make.
func (m *Mix) spoil(r *rand.Rand) (mistake string) {
	if r.IntN(12) == 0 {
		m.silent = r.IntN(pool)
		if _, err := m.compile(); err != nil {
			return ""
		}
		return "register without a value"
	}
	if p := m.given(r); p != nil && r.IntN(4) == 0 {
		p.blank = p.bytes >> r.IntN(4)
		return "copy too short"
	}
	n := 0
	eachMove(&m.moves, func(*[]*move, int) { n++ })
	chosen := r.IntN(n)
	eachMove(&m.moves, func(list *[]*move, i int) {
		if chosen--; chosen == -1 {
			mistake = m.spoilMove(r, list, i)
		}
	})
	return mistake
}

// given returns an array that the host writes, nil if there is none.
func (m *Mix) given(r *rand.Rand) *place {
	for _, i := range r.Perm(len(m.places)) {
		if m.places[i].given {
			return m.places[i]
		}
	}
	return nil
}

func (m *Mix) spoilMove(r *rand.Rand, list *[]*move, i int) string {
	v, n := (*list)[i], m.threads()
	switch v.op {
	case put:
		switch r.IntN(5) {
		case 0:
			*list = append((*list)[:i:i], (*list)[i+1:]...)
			return "no store"
		case 1:
			v.test = &test{a: leaf(thread), less: true, c: uint32(n - 1 - r.IntN(n/2))}
			return "no store of the last threads"
		case 2:
			v.test = &test{a: leaf(block), c: uint32(r.IntN(m.grid))}
			return "no store in other blocks"
		case 3:
			v.test = &test{a: leaf(launch), c: uint32(r.IntN(m.launches))}
			return "no store in other launches"
		}
		if v.size == 1 || v.size == 2 && r.IntN(2) == 0 {
			return ""
		}
		v.index, v.size = by(times, v.index, 2), v.size/2
		return "store too small"
	case get, count:
		if v.index == nil {
			return ""
		}
		v.index = sum(v.index, num(1+r.IntN(spare)))
		return "index too high"
	case edge:
		v.test.c++
		return "edge too late"
	}
	return ""
}
