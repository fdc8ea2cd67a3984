package planted

import "math/rand/v2"

// Planted returns the kernel of a seed with one mistake that the model knows as a race, what the
// mistake is, and what the model knows; nil if none of some tries makes a race.
func Planted(seed uint64) (k *Kernel, mistake string, v *verdict) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range 20 {
		k = New(seed)
		if mistake = plant(r, k); mistake == "" {
			continue
		}
		k.Text() // gives lines
		if v = k.judge(); len(v.wrong) > 0 {
			return k, mistake, v
		}
	}
	return nil, "", nil
}

// plant makes a mistake at some statement, and returns what it is, "" if the statement has none.
func plant(r *rand.Rand, k *Kernel) string {
	n := 0
	each(&k.body, func(*[]*stmt, int) { n++ })
	chosen := r.IntN(n)
	mistake := ""
	each(&k.body, func(list *[]*stmt, i int) {
		if chosen--; chosen == -1 {
			mistake = spoil(r, k, list, i)
		}
	})
	return mistake
}

func spoil(r *rand.Rand, k *Kernel, list *[]*stmt, i int) string {
	s := (*list)[i]
	switch s.op {
	case barrier:
		*list = append((*list)[:i:i], (*list)[i+1:]...)
		return "no barrier"
	case fence:
		if !s.wide {
			return ""
		}
		if r.IntN(2) == 0 {
			s.wide = false
			return "fence of the block"
		}
		*list = append((*list)[:i:i], (*list)[i+1:]...)
		return "no fence"
	case branch:
		if s.test.less || len(s.other) > 0 || hasTicket(s.body) {
			return ""
		}
		s.test = &test{a: leaf(block), less: true, c: uint32(k.grid)}
		return "no guard"
	case access:
		return s.spoil(r, k)
	}
	return ""
}

func hasTicket(list []*stmt) (has bool) {
	each(&list, func(list *[]*stmt, i int) { has = has || (*list)[i].op == ticket })
	return has
}

// spoil makes a mistake in an access.
func (s *stmt) spoil(r *rand.Rand, k *Kernel) string {
	if s.role == atomic && r.IntN(2) == 0 {
		s.role = role(r.IntN(2))
		return "plain access"
	}
	t, n := leaf(thread), k.threads()
	switch r.IntN(4) {
	case 0:
		s.index = sum(s.index, num(1))
		return "index one too high"
	case 1:
		s.index = sum(s.index, by(equal, t, r.IntN((n+warp-1)/warp)*warp))
		return "index one too high at the start of a warp"
	case 2:
		s.index = sum(s.index, by(equal, t, min(n, (1+r.IntN((n+warp-1)/warp))*warp)-1))
		return "index one too high at the end of a warp"
	}
	s.index = sum(s.index, by(equal, leaf(block), r.IntN(k.grid)))
	return "index one too high in a block"
}
