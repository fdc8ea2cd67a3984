package planted

// idiom adds a pattern that programs use.
func (g *generator) idiom() {
	if g.idioms++; g.idioms > 2 { // shared memory is small
		g.phase()
		return
	}
	switch g.IntN(4) {
	case 0:
		g.buffers()
	case 1:
		g.reduction()
	case 2:
		g.scan()
	case 3:
		g.histogram()
	}
}

func (g *generator) access(a *array, r role, index *expr, depth int) *stmt {
	s := &stmt{op: access, array: a, role: r, index: index, size: 4}
	if r != read {
		s.value = g.value(depth)
	}
	return s
}

// buffers fills one of two buffers and reads it behind a barrier, in each round.
func (g *generator) buffers() {
	a := g.array(true, 4*(2*g.room+margin))
	at := func(e *expr) *expr { return sum(by(times, by(and, counter(0), 1), g.room), e) }
	g.emit(&stmt{op: loop, count: num(2 + g.IntN(3)), body: []*stmt{
		g.access(a, write, at(g.permuted()), 0),
		{op: barrier},
		g.access(a, read, at(g.any(0)), 0),
	}})
}

// reduction adds the upper half to the lower half, and so on. Within a warp it may need no barrier.
func (g *generator) reduction() {
	a := g.array(true, 4*(g.room+margin))
	g.emit(g.access(a, write, leaf(thread), -1), &stmt{op: barrier})
	half := 1
	for half*2 < g.n {
		half *= 2
	}
	tail := g.IntN(2) * 16
	for n := half; n > 0; n /= 2 {
		limit := n
		if n == half {
			limit = g.n - half
		}
		body := []*stmt{
			g.access(a, read, sum(leaf(thread), num(n)), -1),
			g.access(a, read, leaf(thread), -1),
			g.access(a, write, leaf(thread), -1),
		}
		g.emit(&stmt{op: branch, test: &test{a: leaf(thread), less: true, c: uint32(limit)}, body: body})
		if n > tail {
			g.emit(&stmt{op: barrier})
		}
	}
}

// scan adds the element at a distance, with two barriers in each round.
func (g *generator) scan() {
	a := g.array(true, 4*(g.room+margin))
	g.emit(g.access(a, write, leaf(thread), -1), &stmt{op: barrier})
	for d := 1; d < g.n; d *= 4 {
		behind := &test{a: sum(leaf(thread), num(-d)), less: true, c: uint32(g.n)}
		g.emit(&stmt{op: branch, test: behind, body: []*stmt{g.access(a, read, sum(leaf(thread), num(-d)), -1)}},
			&stmt{op: barrier},
			g.access(a, write, leaf(thread), -1),
			&stmt{op: barrier})
	}
}

// histogram zeroes counters, counts in them, and adds them to those of all blocks.
func (g *generator) histogram() {
	const bins = 32
	own, all := g.array(true, 4*(bins+margin)), g.array(false, 4*(bins+margin))
	few := &test{a: leaf(thread), less: true, c: bins}
	zero := g.access(own, write, leaf(thread), -1)
	zero.value = num(0)
	g.emit(
		&stmt{op: branch, test: few, body: []*stmt{zero}},
		&stmt{op: barrier},
		g.around(func(depth int) *stmt { return g.access(own, atomic, by(and, g.any(depth), bins-1), depth) }),
		&stmt{op: barrier},
		&stmt{op: branch, test: few, body: []*stmt{
			g.access(own, read, leaf(thread), -1), g.access(all, atomic, leaf(thread), -1),
		}})
}

// lastBlock lets all blocks store, and the block that comes last read it all.
func (g *generator) lastBlock() {
	a := g.array(false, 4*(g.grid*g.room+margin))
	tickets := g.array(false, 16)
	flag := g.array(true, 16)
	own := sum(by(times, leaf(block), g.room), g.permuted())
	from := sum(by(times, counter(0), g.room), g.any(0))
	say := g.access(flag, write, num(0), -1)
	say.value = leaf(drawn)
	draw := []*stmt{{op: ticket, array: tickets}, say}
	first := &test{a: leaf(thread), c: 0}
	switch g.IntN(3) {
	case 0:
		g.emit(g.access(a, write, own, -1), &stmt{op: fence, wide: true}, &stmt{op: barrier},
			&stmt{op: branch, test: first, body: draw})
	case 1:
		draw = append([]*stmt{{op: fence, wide: true}}, draw...)
		g.emit(g.access(a, write, own, -1), &stmt{op: barrier}, &stmt{op: branch, test: first, body: draw})
	default:
		own, from = leaf(block), counter(0)
		body := []*stmt{g.access(a, write, own, -1), {op: fence, wide: true}}
		g.emit(&stmt{op: branch, test: first, body: append(body, draw...)})
	}
	g.emit(&stmt{op: barrier}, &stmt{op: last, array: flag, body: []*stmt{
		{op: loop, count: num(g.grid), body: []*stmt{g.access(a, read, from, 0)}},
	}})
}
