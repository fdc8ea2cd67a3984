package maze

import (
	"slices"
	"strings"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// lists leads a warp as a list of paths, by the rules of C. Collange's lecture on SIMT (2021), "Path
// scheduling is graph traversal": which path is active, where new paths go, when paths meet.
type lists struct {
	follower
	head   bool            // the active path takes others along, which do not meet
	labels map[uint32]bool // where paths meet; nil: anywhere

	list    []lane.Mask // the paths
	active  int         // index in list
	waiting []lane.Mask // paths at a barrier
}

func newLists(f follower, options string) lists {
	p := lists{follower: f, head: strings.Contains(options, "merge=head")}
	if strings.Contains(options, "merge=labels") {
		p.labels = map[uint32]bool{}
		for i := range f.m.Code {
			if in := &f.m.Code[i]; in.Op.HasTarget() {
				p.labels[in.Target] = true
			}
		}
	}
	return p
}

// meet joins all paths at one address, in the place of the first of them.
func (p *lists) meet() {
	if p.head {
		return
	}
	for i := 0; i < len(p.list); i++ {
		pc := p.first(p.list[i])
		if p.labels != nil && !p.labels[pc] {
			continue
		}
		for j := i + 1; j < len(p.list); j++ {
			if p.first(p.list[j]) != pc {
				continue
			}
			p.list[i] |= p.list[j]
			switch {
			case p.active == j:
				p.active = i
			case p.active > j:
				p.active--
			}
			p.list = slices.Delete(p.list, j, j+1)
			j--
		}
	}
}

// meetHead joins the active path with the paths at its address.
func (p *lists) meetHead() {
	if !p.head {
		return
	}
	all, before := lane.Mask(0), 0
	pc := p.first(p.list[p.active])
	for i, m := range p.list {
		if p.first(m) == pc {
			all |= m
			if i < p.active {
				before++
			}
		}
	}
	p.list[p.active] = all
	active := p.active
	p.active -= before
	kept := p.list[:0]
	for i, m := range p.list {
		if i == active || m&all == 0 {
			kept = append(kept, m)
		}
	}
	p.list = kept
}

// issueActive issues for the active path and returns the paths that it becomes: first the lanes that
// go straight on.
func (p *lists) issueActive() (i issue, to []lane.Mask, err error) {
	m := p.list[p.active]
	if i, err = p.issue(m); err != nil {
		return i, nil, err
	}
	gone := lane.Mask(0)
	switch i.op {
	case tesla.OpBra, tesla.OpBraIndirect, tesla.OpBreak, tesla.OpRet:
		gone = i.taken
	case tesla.OpBar:
		p.wait(m)
		return i, nil, nil
	}
	if rest := m &^ gone & p.live(); rest != 0 {
		to = append(to, rest)
	}
	return i, append(to, p.apart(gone)...), nil
}

// wait adds lanes that wait at a barrier: those at one address go on together.
func (p *lists) wait(m lane.Mask) {
	for i, w := range p.waiting {
		if p.first(w) == p.first(m) {
			p.waiting[i] |= m
			return
		}
	}
	p.waiting = append(p.waiting, m)
}

// run leads the lanes to their ends: next issues for the active path.
func (p *lists) lead(released func(), next func() error) error {
	p.list = []lane.Mask{p.live()}
	for {
		if len(p.list) == 0 {
			if len(p.waiting) == 0 {
				return nil
			}
			p.list, p.waiting, p.active = p.waiting, nil, 0
			released()
		}
		if err := next(); err != nil {
			return err
		}
	}
}

// ring is the breadth-first order: the paths take turns, one run of straight-line code each.
type ring struct{ lists }

func newRing(f follower, options string) rules { return &ring{newLists(f, options)} }

func (r *ring) run() error { return r.lead(func() { r.turn(true) }, r.next) }

// turn chooses the active path: the next one, if the one before came through a branch.
func (r *ring) turn(over bool) {
	if len(r.list) < 2 {
		r.active = 0
		return
	}
	r.meet()
	if over {
		r.active++
	}
	r.active %= len(r.list)
	r.meetHead()
}

func (r *ring) next() error {
	i, to, err := r.issueActive()
	if err != nil {
		return err
	}
	r.list = slices.Replace(r.list, r.active, r.active+1, to...)
	r.turn(i.chooses())
	return nil
}

// pile is the depth-first order: the last path of the list runs, paths that leave it go under it.
type pile struct{ lists }

func newPile(f follower, options string) rules { return &pile{newLists(f, options)} }

func (s *pile) run() error { return s.lead(s.released, s.next) }

// released: the lanes that came to the barrier first are active.
func (s *pile) released() {
	to := s.list
	s.list = nil
	s.put(to)
}

func (s *pile) next() error {
	_, to, err := s.issueActive()
	if err != nil {
		return err
	}
	s.list = s.list[:len(s.list)-1]
	s.put(to)
	return nil
}

// put puts paths on top, the first of them as the active one.
func (s *pile) put(to []lane.Mask) {
	if len(to) > 0 {
		s.list = slices.Concat(s.list, to[1:], to[:1])
	}
	if s.active = len(s.list) - 1; s.active < 0 {
		return
	}
	top := s.list[s.active]
	s.meet()
	at := slices.IndexFunc(s.list, func(m lane.Mask) bool { return m&top != 0 })
	top = s.list[at]
	s.list = append(slices.Delete(s.list, at, at+1), top)
	s.active = len(s.list) - 1
	s.meetHead()
}
