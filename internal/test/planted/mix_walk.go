package planted

// expected is what the checker has to find, and may find.
type expected struct {
	must, may map[use]uint64 // moves that may have read first, as a mask
	of        map[use]int    // registers
	like      map[use]uint64 // how they depend on guesses, as a hash over all threads
	out       []byteOf       // of the results, as the host gets them
	reads     int            // of what nobody wrote
	moves     []*move        // by number
}

// use is a line at which something depends on a value.
type use struct {
	line int
	what string
}

// mixWalker runs a mix with guesses in place of what nobody wrote. It knows neither warps nor bits
// in shadow: that a result depends on a guess is seen when it differs from guess to guess.
type mixWalker struct {
	m      *Mix
	e      *expected
	memory map[*place][]byteOf // of the block, of the launches if global; of all threads if local
	env    env
	regs   [][pool]cell // of the block's threads
	t      int          // the thread
}

// expect returns what is expected of the checker.
func (m *Mix) expect() *expected {
	w := &mixWalker{m: m, e: &expected{must: map[use]uint64{}, may: map[use]uint64{}, of: map[use]int{}, like: map[use]uint64{}}, memory: map[*place][]byteOf{}}
	eachMove(&m.moves, func(list *[]*move, i int) {
		if v := (*list)[i]; v.op == get || v.op == count || v.op == edge {
			w.e.moves = append(w.e.moves, v)
		}
	})
	for _, p := range m.places {
		if p.space == "global" {
			w.memory[p] = p.global()
		}
	}
	for n := range m.launches {
		w.e.out = make([]byteOf, 8*m.grid*m.threads())
		for b := range m.grid {
			w.block(n, b)
		}
	}
	return w.e
}

// global returns what an array has before the first launch.
func (p *place) global() []byteOf {
	list := unknown(p.bytes)
	for i, v := range p.data() {
		b := byteOf{}
		for j := range b.v {
			b.v[j] = v
		}
		list[p.blank+i] = b
	}
	return list
}

// data returns what the host writes, from byte blank on.
func (p *place) data() []byte {
	if !p.given {
		return nil
	}
	list := make([]byte, p.bytes)
	for i := range list {
		list[i] = byte(uint32(i+7) * 0x85ebca6b >> 23)
	}
	return list[p.blank:]
}

// startOf returns the i-th of the start values of registers, of one thread after the other.
func startOf(i int) uint32 { return uint32(i+1) * 0xc2b2ae35 >> (i % 3 * 8) }

func (w *mixWalker) block(launch, block int) {
	n := w.m.threads()
	w.env = env{block: uint32(block), launch: uint32(launch), table: w.m.table}
	for _, p := range w.m.places {
		switch p.space {
		case "shared":
			w.memory[p] = unknown(p.bytes)
		case "local":
			w.memory[p] = unknown(p.bytes * n)
		}
	}
	w.regs = make([][pool]cell, n)
	for w.t = range n {
		w.env.thread = uint32(w.t)
		for i := range pool {
			w.regs[w.t][i] = sure(startOf((block*n+w.t)*pool + i))
			if i == w.m.silent {
				w.regs[w.t][i] = w.register(i)
			}
		}
	}
	for _, v := range w.m.moves {
		for w.t = range n {
			w.env.thread = uint32(w.t)
			w.step(v)
		}
	}
	for t := range n {
		for i := range 2 {
			at := 8*(block*n+t) + 4*i
			b := w.regs[t][i].bytes(4)
			copy(w.e.out[at:at+4], b[:])
		}
	}
}

// register returns what a register has that nobody wrote.
func (w *mixWalker) register(i int) cell {
	w.e.reads++
	c, _ := word(unknown(4 * (i + 1))[4*i:], false, 63)
	return c
}

// uses notes that something depends on a value.
func (w *mixWalker) uses(v *move, what string, c *cell, bits uint32, property func(uint32) uint32) (unknown bool) {
	if c.may&bits == 0 {
		return false
	}
	w.e.may[use{v.line, what}] |= c.from
	w.e.of[use{v.line, what}] = v.a
	for i := range c.v {
		if property(c.v[i]) != property(c.v[0]) {
			w.e.like[use{v.line, what}] += 1 << i << (w.t % 32)
		}
	}
	if c.depends(property) {
		w.e.must[use{v.line, what}] |= c.from
	}
	return true
}

func (w *mixWalker) step(v *move) {
	r := &w.regs[w.t]
	switch v.op {
	case calculate:
		b := r[v.b]
		if v.constant != nil {
			b = sure(*v.constant)
		}
		w.soft(v, &b)
		r[v.to] = v.compute.of(&r[v.a], &b, &r[v.third])
	case get:
		w.load(v)
	case edge:
		b := r[v.b]
		if w.load(v); !w.test(v) { // what it read is left out
			r[v.to] = b
		}
	case put, count:
		w.store(v)
	case fork:
		w.fork(v)
	case repeat:
		w.repeat(v)
	case choose:
		w.choose(v)
	}
}

// soft notes that a selection depends on a value: the compiler may make branches of selections.
func (w *mixWalker) soft(v *move, b *cell) {
	if b.may&v.compute.soft != 0 {
		w.e.may[use{v.line, "branch"}] |= b.from
	}
}

func (w *mixWalker) test(v *move) bool { return v.test == nil || v.test.holds(&w.env) }

// first returns the first byte of an element that a move of size bytes uses.
func (w *mixWalker) first(v *move) int {
	at := 0
	if v.index != nil {
		at = int(v.index.eval(&w.env)) * v.size
	} else {
		at = int(w.regs[w.t][v.a].v[0]&uint32(v.place.mask())) * v.size
		if v.place.space == "global" {
			at += int(w.env.block) * (v.place.count + spare) * v.place.size
		}
	}
	if v.place.space == "local" {
		at += w.t * v.place.bytes
	}
	return at
}

func (w *mixWalker) load(v *move) {
	r := &w.regs[w.t]
	mask := uint32(v.place.mask())
	unknown := v.index == nil && w.uses(v, "address", &r[v.a], mask, func(a uint32) uint32 { return a & mask })
	at := w.first(v)
	for i := range v.words() {
		n := min(4, v.size)
		c, fresh := word(w.memory[v.place][at+4*i:][:n], v.signed, v.number)
		if fresh {
			w.e.reads++
		}
		if unknown {
			c.lose()
		}
		r[v.register(i)] = c
	}
}

func (w *mixWalker) store(v *move) {
	if !w.test(v) {
		return
	}
	at := w.first(v)
	for i := range v.words() {
		n := min(4, v.size)
		to := w.memory[v.place][at+4*i:][:n]
		c := w.regs[w.t][v.source(i)]
		if v.op == count {
			old, fresh := word(to, false, v.number)
			if fresh {
				w.e.reads++
			}
			c = adding.of(&old, &c, &cell{})
		}
		b := c.bytes(n)
		copy(to, b[:n])
		near(w.memory[v.place][(at+4*i)&^3:], b[0].from|b[1].from|b[2].from|b[3].from)
	}
}

func (w *mixWalker) fork(v *move) {
	c := w.regs[w.t][v.a]
	bits, property := uint32(1)<<v.bit, func(a uint32) uint32 { return a >> v.bit & 1 }
	if v.equal != nil {
		bits, property = ^uint32(0), func(a uint32) uint32 { return all(a == *v.equal) }
	}
	switch {
	case w.uses(v, "branch", &c, bits, property):
		w.lose(v.body)
	case property(c.v[0]) != 0:
		w.list(v.body)
	}
}

func (w *mixWalker) repeat(v *move) {
	c := w.regs[w.t][v.a]
	mask := uint32(v.rounds - 1)
	if w.uses(v, "branch", &c, mask, func(a uint32) uint32 { return a & mask }) {
		w.lose(v.body)
		return
	}
	for range c.v[0] & mask {
		w.list(v.body)
	}
}

func (w *mixWalker) list(list []*move) {
	for _, v := range list {
		w.step(v)
	}
}

// lose forgets what moves write that may run or not, and lets them depend on anything.
func (w *mixWalker) lose(list []*move) {
	for _, v := range list {
		for i := range v.words() {
			w.regs[w.t][v.register(i)].lose()
		}
		for _, what := range []string{"branch", "address"} {
			w.e.may[use{v.line, what}] = ^uint64(0)
		}
	}
}

// choose takes a register where it is written.
func (w *mixWalker) choose(v *move) {
	r, from := &w.regs[w.t], v.b
	if w.test(v) {
		from = v.a
	}
	r[v.to] = r[from]
}
