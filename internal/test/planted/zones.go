package planted

// zone is an array that the threads of a block have for themselves, in parts that barriers give from
// thread to thread.
type zone struct {
	array    *array
	element  int  // bytes
	each     int  // elements of a thread
	size     int  // elements of a block
	blocks   int  // that have elements; of a global array
	strided  bool // elements of the blocks take turns
	together bool // elements of a thread are neighbours
}

// margin is the elements of a block that no thread has, for indices that are one too high.
const margin = 16

func (g *generator) zone(shared bool) {
	z := &zone{element: 1 << g.IntN(5), each: 1, strided: !shared && g.IntN(2) == 0, together: g.IntN(2) == 0}
	if g.IntN(2) == 0 {
		z.element = 4
	}
	if z.element <= 4 && g.IntN(2) == 0 {
		z.each = 2 << g.IntN(2)
	}
	z.size = g.room*z.each + margin
	z.blocks = g.grid
	if shared {
		z.blocks = 1
	}
	z.array = g.array(shared, z.size*z.element*z.blocks+16)
	g.zones = append(g.zones, z)
}

// at returns the index of a block's element in the array, or of n elements in units of n.
func (z *zone) at(e *expr, n int) *expr {
	switch {
	case z.array.shared:
		return e
	case z.strided:
		return sum(by(times, e, z.blocks), leaf(block))
	}
	return sum(by(times, leaf(block), z.size/n), e)
}

// access returns a statement for an element, or for n of them.
func (z *zone) access(g *generator, r role, e *expr, n, depth int) *stmt {
	s := &stmt{op: access, array: z.array, role: r, size: z.element * n, index: z.at(e, n)}
	if r != read {
		s.value = g.value(depth)
	}
	return s
}

// use returns a use of the zone between two barriers.
func (z *zone) use(g *generator) []*stmt {
	switch g.IntN(8) {
	case 0:
		return g.some(func(depth int) *stmt { return z.access(g, read, g.any(depth), 1, depth) })
	case 1:
		return z.single(g)
	case 2:
		if z.element == 4 {
			return g.some(func(depth int) *stmt { return z.access(g, atomic, g.any(depth), 1, depth) })
		}
	case 3:
		return z.exchange(g)
	}
	return z.owned(g)
}

// some wraps statements in branches and loops.
func (g *generator) some(make func(depth int) *stmt) (list []*stmt) {
	for range 1 + g.IntN(3) {
		list = append(list, g.around(make))
	}
	return list
}

func (g *generator) around(make func(depth int) *stmt) *stmt {
	switch g.IntN(6) {
	case 0:
		return &stmt{op: branch, test: g.condition(), body: []*stmt{make(-1)}, guarded: g.IntN(2) == 0}
	case 1:
		return &stmt{op: branch, test: g.condition(), body: []*stmt{make(-1)}, other: []*stmt{make(-1)}}
	case 2:
		count := num(1 + g.IntN(3))
		if g.IntN(3) == 0 {
			count = sum(by(and, leaf(thread), 3), num(1))
		}
		return &stmt{op: loop, count: count, body: []*stmt{make(0), make(0)}[:1+g.IntN(2)]}
	}
	return make(-1)
}

// owned gives each thread elements of its own.
func (z *zone) owned(g *generator) []*stmt {
	p := g.permuted()
	return g.some(func(depth int) *stmt {
		r := role(g.IntN(2))
		if r == read && z.element == 4 && g.IntN(4) == 0 {
			r = atomic
		}
		if r != atomic && z.each > 1 && z.together && !z.strided && g.IntN(2) == 0 {
			return z.access(g, r, p, z.each, depth) // all at once
		}
		j := num(g.IntN(z.each))
		if depth >= 0 && z.each == 4 {
			j = counter(depth)
			j = by(and, j, 3)
		}
		e := sum(p, by(times, j, g.room))
		if z.together {
			e = sum(by(times, p, z.each), j)
		}
		s := z.access(g, r, e, 1, depth)
		if r != atomic && s.size > 1 && s.size <= 4 && g.IntN(4) == 0 { // a part of the element
			s.index = sum(by(times, s.index, s.size), num(g.IntN(s.size)))
			s.size = 1
		}
		return s
	})
}

// exchange lets the lanes of a warp write and read in turn.
func (z *zone) exchange(g *generator) []*stmt {
	k := 1 + g.IntN(warp-1)
	other := by(xor, leaf(thread), k)
	if g.IntN(2) == 0 {
		t := leaf(thread)
		other = sum(by(and, t, -warp), by(and, sum(t, num(k)), warp-1))
	}
	return []*stmt{z.access(g, write, leaf(thread), 1, -1), z.access(g, read, other, 1, -1)}
}

// single gives all elements to one thread.
func (z *zone) single(g *generator) []*stmt {
	one := &test{a: leaf(thread), c: uint32(g.IntN(g.n))}
	s := &stmt{op: branch, test: one, guarded: g.IntN(2) == 0}
	for range 1 + g.IntN(3) {
		s.body = append(s.body, z.access(g, role(g.IntN(2)), num(g.IntN(g.room*z.each)), 1, -1))
	}
	return []*stmt{s}
}
