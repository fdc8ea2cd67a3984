package code

// pressure is a number for each point: how many registers are missing there. A tree over the points
// has the most below each of its nodes, so that long ranges cost no more than short ones.
type pressure struct {
	leaves int32   // a power of 2
	added  []int32 // by node: to all points below
	most   []int32 // by node: of the points below, with added
}

func newPressure(at []int32) *pressure {
	p := &pressure{leaves: 1}
	for p.leaves < int32(len(at)) {
		p.leaves *= 2
	}
	p.added, p.most = make([]int32, p.leaves), make([]int32, 2*p.leaves)
	copy(p.most[p.leaves:], at)
	for n := p.leaves - 1; n > 0; n-- {
		p.most[n] = max(p.most[2*n], p.most[2*n+1])
	}
	return p
}

// add adds n to the points from one to before another.
func (p *pressure) add(from, to, n int32) { p.addBelow(1, 0, p.leaves, from, to, n) }

// addBelow is add for the points below a node, which are first to before end.
func (p *pressure) addBelow(node, first, end, from, to, n int32) {
	switch {
	case from >= end || to <= first:
		return
	case from <= first && end <= to:
		p.most[node] += n
		if node < p.leaves {
			p.added[node] += n
		}
		return
	}
	middle := (first + end) / 2
	p.addBelow(2*node, first, middle, from, to, n)
	p.addBelow(2*node+1, middle, end, from, to, n)
	p.most[node] = max(p.most[2*node], p.most[2*node+1]) + p.added[node]
}

// over reports whether a number from one point to before another is above a limit.
func (p *pressure) over(from, to, limit int32) bool {
	return p.overBelow(1, 0, p.leaves, from, to, limit)
}

func (p *pressure) overBelow(node, first, end, from, to, limit int32) bool {
	switch {
	case from >= end || to <= first || p.most[node] <= limit:
		return false
	case from <= first && end <= to:
		return true
	}
	middle, limit := (first+end)/2, limit-p.added[node]
	return p.overBelow(2*node, first, middle, from, to, limit) || p.overBelow(2*node+1, middle, end, from, to, limit)
}
