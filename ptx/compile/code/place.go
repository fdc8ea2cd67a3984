package code

import "math/bits"

// places is a set of physical registers.
type places [2]uint64

func (p *places) add(o places) {
	p[0] |= o[0]
	p[1] |= o[1]
}

// down returns the set with all numbers less by k, at most 3.
func (p places) down(k int) places {
	return places{p[0]>>k | p[1]<<(64-k), p[1] >> k}
}

func (p places) has(r int) bool { return p[r>>6]>>(r&63)&1 != 0 }

// first returns the lowest register that is not in the set, 128 if there is none.
func (p places) first() int {
	if n := bits.TrailingZeros64(^p[0]); n < 64 {
		return n
	}
	return 64 + bits.TrailingZeros64(^p[1])
}

// below returns the registers 0 .. n-1.
func below(n int) places {
	if n >= 64 {
		return places{^uint64(0), 1<<(n-64) - 1}
	}
	return places{1<<n - 1, 0}
}

// occupancy is the registers that hold values, by point. Spans of points are kept apart, so that
// long segments cost little.
type occupancy struct {
	point []places
	whole []places // by span: registers that hold values at all its points, not in point
	some  []places // by span: registers that hold a value at some point
}

const span = 32 // points

func newOccupancy(points int32) *occupancy {
	n := points/span + 1
	return &occupancy{make([]places, n*span), make([]places, n), make([]places, n)}
}

func (o *occupancy) clear() {
	clear(o.point)
	clear(o.whole)
	clear(o.some)
}

// take adds registers from a point to before another.
func (o *occupancy) take(from, to int32, r places) {
	for from < to {
		s := from / span
		o.some[s].add(r)
		if end := (s + 1) * span; from%span == 0 && to >= end {
			o.whole[s].add(r)
			from = end
			continue
		}
		end := min(to, (s+1)*span)
		for p := from; p < end; p++ {
			o.point[p].add(r)
		}
		from = end
	}
}

// collect adds to a set the registers that hold values somewhere from a point to before another.
func (o *occupancy) collect(busy *places, from, to int32) {
	for from < to {
		s := from / span
		if end := (s + 1) * span; from%span == 0 && to >= end {
			busy.add(o.some[s])
			from = end
			continue
		}
		busy.add(o.whole[s])
		end := min(to, (s+1)*span)
		for _, p := range o.point[from:end] {
			busy.add(p)
		}
		from = end
	}
}

// odd are the registers that are no multiple of an alignment of 1, 2 or 4.
var odd = [5]uint64{2: 0xaaaaaaaaaaaaaaaa, 4: 0xeeeeeeeeeeeeeeee}

// place gives groups their base in the order of the list. It returns the groups without a place.
func (a *allocation) place(list []*group) (failed []*group) {
	a.taken.clear()
	a.used = a.first
	for _, g := range list {
		g.base = -1
	}
	for _, g := range list {
		no := a.impossible(g)
		b := a.choose(g, no)
		if b+g.size > a.limit || no.has(b) {
			failed = append(failed, g)
			continue
		}
		g.base = b
		a.used = max(a.used, b+g.size)
		for k, w := range g.words[:g.size] {
			var one places
			one[(b+k)>>6] = 1 << ((b + k) & 63)
			for _, x := range w {
				a.taken.take(x.from, x.to, one)
			}
		}
	}
	return failed
}

// impossible returns the registers at which a group cannot begin.
func (a *allocation) impossible(g *group) places {
	no := below(a.first)
	for k, w := range g.words[:g.size] {
		var busy places
		for _, x := range w {
			a.taken.collect(&busy, x.from, x.to)
		}
		no.add(busy.down(k))
	}
	limit := a.limit
	if g.low {
		limit = min(limit, lowRegs)
	}
	end := below(max(limit-g.size+1, 0))
	no.add(places{^end[0] | odd[g.align], ^end[1] | odd[g.align]})
	return no
}

// choose returns the base of a group: the wish of a hint, or the lowest.
func (a *allocation) choose(g *group, no places) int {
	if g.fixed != 0 {
		return g.fixed - 1
	}
	for _, h := range g.hints {
		if h.to.base < 0 {
			continue
		}
		if b := h.to.base + h.distance; b >= 0 && b+g.size <= max(a.used, a.goal) && !no.has(b) {
			return b
		}
	}
	return no.first()
}
