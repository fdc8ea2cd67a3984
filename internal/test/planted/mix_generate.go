package planted

import "math/rand/v2"

// mixer makes a mix that is right.
type mixer struct {
	*generator
	mix   *Mix
	ready map[*place]bool // all elements have values, but those of the margin
}

// NewMix returns the mix of a seed. Nothing depends on a value that nobody wrote.
func NewMix(seed uint64) *Mix {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 2)), Kernel: &Kernel{}}
	m := &mixer{generator: g, mix: &Mix{Kernel: g.Kernel, silent: -1}, ready: map[*place]bool{}}
	m.shapes()
	m.declare()
	m.mix.host = [2]int{m.IntN(2), 1 + m.IntN(2)}
	if m.mix.host[0] == 1 {
		m.mix.host[1] = 2
	}
	for range 2 + m.IntN(5) {
		m.phase()
		m.put(&move{op: meet})
	}
	return m.mix
}

func (m *mixer) put(list ...*move) { m.mix.moves = append(m.mix.moves, list...) }

// declare makes arrays.
func (m *mixer) declare() {
	for i, space := range []string{"shared", "shared", "global", "global", "local", "local"} {
		if m.IntN(3) == 0 {
			continue
		}
		p := &place{name: "m" + string(rune('a'+i)), space: space, size: 4, count: m.n}
		switch space {
		case "local":
			p.count = 4 << m.IntN(2)
		case "global":
			p.given = m.IntN(2) == 0
			fallthrough
		default:
			p.size = []int{1, 2, 4, 4, 4, 8, 16}[m.IntN(7)]
		}
		p.low = p.size == 4 && !p.given && m.IntN(6) == 0
		p.bytes = p.size * (p.count + spare)
		if space == "global" {
			p.bytes *= m.grid
		}
		m.ready[p] = p.given
		m.mix.places = append(m.mix.places, p)
	}
}

// phase fills some arrays, and reads others.
func (m *mixer) phase() {
	for _, i := range m.Perm(len(m.mix.places)) {
		switch p := m.mix.places[i]; {
		case p.space == "local":
			if !m.ready[p] || m.IntN(4) == 0 {
				m.fill(p)
			}
			m.take(p)
		case !m.ready[p], m.IntN(4) == 0:
			m.fill(p)
		case m.IntN(6) == 0 && p.size == 4 && !p.low:
			m.put(&move{op: count, target: target{place: p, index: m.at(p, m.any(-1), 1), size: 4}, a: m.IntN(pool)})
		default:
			for range 1 + m.IntN(2) {
				m.take(p)
			}
		}
		for range m.IntN(4) {
			m.put(m.step(m.steady()))
		}
	}
}

// steady returns the arrays that no other thread writes in this phase.
func (m *mixer) steady() (list []*place) {
	for _, p := range m.mix.places {
		if p.space == "local" && m.ready[p] && !p.low {
			list = append(list, p)
		}
	}
	return list
}

// step returns a move of registers, or a branch or loop that also reads some arrays.
func (m *mixer) step(read []*place) *move {
	switch m.IntN(8) {
	case 0:
		f := &move{op: fork, a: m.IntN(pool), bit: m.IntN(32), body: m.some(read)}
		if m.IntN(4) == 0 {
			f.equal = new(uint32)
			*f.equal = m.Uint32() & masks[m.IntN(len(masks))]
		}
		return f
	case 1:
		if m.IntN(2) == 0 {
			return &move{op: repeat, a: m.IntN(pool), rounds: 1 << m.IntN(3), body: m.some(read)}
		}
		return &move{op: choose, a: m.IntN(pool), b: m.IntN(pool), to: m.IntN(pool), test: m.condition()}
	}
	return m.calculation()
}

func (m *mixer) some(read []*place) (list []*move) {
	for range 1 + m.IntN(2) {
		if len(read) > 0 && m.IntN(3) == 0 {
			list = append(list, m.fetch(read[m.IntN(len(read))]))
			continue
		}
		list = append(list, m.calculation())
	}
	return list
}

func (m *mixer) calculation() *move {
	c := computes[m.IntN(len(computes))]
	v := &move{op: calculate, compute: c, to: m.IntN(pool), a: m.IntN(pool), b: m.IntN(pool), third: m.IntN(pool)}
	if c.fixed != nil {
		v.constant = &c.fixed[m.IntN(len(c.fixed))]
	}
	return v
}

// at returns the index of n-th parts of a block's element.
func (m *mixer) at(p *place, e *expr, n int) *expr {
	if p.space == "global" {
		e = sum(e, by(times, leaf(block), (p.count+spare)*n))
	}
	return e
}

// fill writes all elements, in one piece or in several.
func (m *mixer) fill(p *place) {
	m.ready[p] = true
	if p.space != "local" {
		m.fillElement(p, m.permuted())
		return
	}
	for i := range p.count {
		m.fillElement(p, num(i))
	}
}

func (m *mixer) fillElement(p *place, e *expr) {
	parts := 1
	if p.size <= 4 {
		parts = min(1<<m.IntN(3), p.size)
	}
	if p.low {
		parts = 4
	}
	for i := range parts {
		index := sum(by(times, e, parts), num(i))
		m.put(&move{op: put, target: target{place: p, index: m.at(p, index, parts), size: p.size / parts}, a: m.IntN(pool)})
		if p.low {
			return
		}
	}
}

// take reads an array.
func (m *mixer) take(p *place) {
	if p.space != "local" && p.size <= 4 && !p.low && m.IntN(5) == 0 { // the neighbour, if there is one
		i := num(1 + m.IntN(spare-1))
		last := &test{a: leaf(thread), less: true, c: uint32(m.n) - i.c}
		m.put(&move{op: edge, target: target{place: p, index: m.at(p, sum(leaf(thread), i), 1), size: p.size},
			to: m.IntN(pool), b: m.IntN(pool), test: last})
		return
	}
	f := m.fetch(p)
	m.put(f)
	if p.low {
		m.put(&move{op: calculate, compute: masking, to: f.to, a: f.to, constant: &masks[2]})
	}
	if m.IntN(2) == 0 {
		m.put(m.calculation())
	}
}

// fetch returns a read of an element that has a value.
func (m *mixer) fetch(p *place) *move {
	v := &move{op: get, to: m.IntN(pool), target: target{place: p, size: p.size, signed: m.IntN(2) == 0}}
	switch {
	case m.IntN(6) == 0:
		v.a = m.IntN(pool) // the address depends on data
	case p.space == "local":
		v.index = by(and, sum(leaf(thread), num(m.IntN(8))), p.count-1)
	default:
		v.index = m.at(p, m.any(-1), 1)
	}
	return v
}
