package planted

import "math/rand/v2"

// generator makes a kernel that is right.
type generator struct {
	*rand.Rand
	*Kernel
	n      int // threads of a block
	room   int // n, up to whole warps
	zones  []*zone
	idioms int // that the kernel has
}

// New returns the kernel of a seed. It has no race.
func New(seed uint64) *Kernel {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0)), Kernel: &Kernel{}}
	g.shapes()
	g.memory()
	for range 1 + g.IntN(4) {
		if g.IntN(4) == 0 {
			g.idiom()
		} else {
			g.phase()
		}
		g.emit(&stmt{op: barrier})
	}
	if g.IntN(3) == 0 {
		g.lastBlock()
	}
	return g.Kernel
}

func (g *generator) emit(list ...*stmt) { g.body = append(g.body, list...) }

// shapes chooses the launches.
func (g *generator) shapes() {
	g.grid = 1 + g.IntN(4)
	g.launches = 1 + g.IntN(2)
	switch g.IntN(4) {
	case 0:
		g.shape = [2]int{33 + g.IntN(128), 1}
	case 1:
		x := []int{4, 8, 16, 32}[g.IntN(4)]
		g.shape = [2]int{x, 32/x + g.IntN(128/x)}
	default:
		g.shape = [2]int{warp * (1 + g.IntN(5)), 1}
	}
	g.n = g.threads()
	g.room = (g.n + warp - 1) / warp * warp
	for _, i := range g.Perm(g.n) {
		g.table = append(g.table, uint32(i))
	}
}

// memory declares arrays.
func (g *generator) memory() {
	for range 1 + g.IntN(2) {
		g.zone(true)
	}
	for range 1 + g.IntN(2) {
		g.zone(false)
	}
}

func (g *generator) array(shared bool, bytes int) *array {
	a := &array{name: "m" + string(rune('a'+len(g.arrays))), shared: shared, bytes: (bytes + 15) / 16 * 16}
	g.arrays = append(g.arrays, a)
	return a
}

// phase is what happens between two barriers: each zone is used in one way.
func (g *generator) phase() {
	var parts [][]*stmt
	for _, i := range g.Perm(len(g.zones)) {
		if g.IntN(3) > 0 {
			parts = append(parts, g.zones[i].use(g))
		}
	}
	for _, p := range parts {
		g.emit(p...)
	}
	if g.IntN(8) == 0 {
		g.emit(&stmt{op: fence, wide: g.IntN(2) == 0})
	}
}

// permuted returns an index below n that differs from thread to thread.
func (g *generator) permuted() *expr {
	t := leaf(thread)
	for range g.IntN(3) {
		switch k := 1 << g.IntN(6); {
		case g.IntN(4) == 0:
			t = by(from, t, g.n-1)
		case g.IntN(3) == 0:
			t = by(table, t, 0)
		case g.n%(2*k) == 0 && g.IntN(2) == 0:
			t = by(xor, t, k)
		default:
			t = by(wrap, sum(t, num(g.IntN(g.n))), g.n)
		}
	}
	return t
}

// any returns an index below n that threads may share. depth is that of the loop around, or -1.
func (g *generator) any(depth int) *expr {
	switch g.IntN(6) {
	case 0:
		return num(g.IntN(g.n))
	case 1:
		return by(shift, leaf(thread), 1+g.IntN(5))
	case 2:
		return by(and, g.permuted(), g.IntN(64))
	case 3:
		if depth >= 0 {
			return by(wrap, sum(g.permuted(), counter(depth)), g.n)
		}
		return by(wrap, sum(g.permuted(), leaf(launch)), g.n)
	}
	return g.permuted()
}

// value returns what a thread writes.
func (g *generator) value(depth int) *expr {
	if g.IntN(8) == 0 {
		return num(g.IntN(1 << 30))
	}
	v := sum(by(times, leaf(block), g.n), leaf(thread))
	v = sum(by(times, v, g.IntN(1<<20)*2+1), num(g.IntN(1<<30)))
	if depth >= 0 && g.IntN(2) == 0 {
		v = sum(v, counter(depth))
	}
	return v
}

// condition returns a test of some threads.
func (g *generator) condition() *test {
	switch g.IntN(5) {
	case 0:
		return &test{a: leaf(thread), less: true, c: uint32(1 + g.IntN(g.n))}
	case 1:
		return &test{a: by(and, leaf(thread), 1), c: uint32(g.IntN(2))}
	case 2:
		return &test{a: by(and, leaf(thread), warp-1), less: true, c: uint32(1 + g.IntN(warp))}
	case 3:
		return &test{a: by(shift, leaf(thread), 5), c: uint32(g.IntN(g.room / warp))}
	}
	return &test{a: leaf(block), c: uint32(g.IntN(g.grid))}
}
