package planted

// event is an access of a thread.
type event struct {
	line          int // of the PTX text
	block, thread int
	role          role
	array         *array
	low, high     int // bytes of the array
	bytes         [16]byte
	phase         int // barriers of the block before
	rounds        [depths]uint32
	sides         []side
	fenced        bool // the thread has a fence for all blocks behind it
	before, after bool // the block's ticket, so that the ticket may order it
}

// side is a side of a branch that a thread took.
type side struct {
	branch *stmt
	rounds [depths]uint32
	other  bool
}

// walker takes a thread through a kernel, as if it were alone.
type walker struct {
	k             *Kernel
	env           env
	winner        bool // the block draws the last number
	phase         int
	sides         []side
	events        []*event
	drawn         *event  // of thread 0: its ticket
	published     *passed // of thread 0: its last fence before it draws
	block, thread int
}

// walk returns the accesses of all threads of a launch if a block draws the last number.
func (k *Kernel) walk(number, winner int) (all []*event) {
	for b := range k.grid {
		var drawn *event
		var published *passed
		for t := range k.threads() {
			w := &walker{k: k, winner: b == winner, drawn: drawn, published: published, block: b, thread: t,
				env: env{thread: uint32(t), block: uint32(b), launch: uint32(number), table: k.table}}
			w.list(k.body)
			drawn, published = w.drawn, w.published
			for _, e := range w.events {
				e.fenced = e.fenced || published.covers(e)
			}
			all = append(all, w.events...)
		}
	}
	return all
}

func (w *walker) list(list []*stmt) {
	for _, s := range list {
		w.step(s)
	}
}

func (w *walker) step(s *stmt) {
	switch s.op {
	case access:
		w.access(s)
	case branch:
		taken := s.test.holds(&w.env)
		w.sides = append(w.sides[:len(w.sides):len(w.sides)], side{s, w.env.rounds, !taken})
		if taken {
			w.list(s.body)
		} else {
			w.list(s.other)
		}
		w.sides = w.sides[:len(w.sides)-1]
	case loop:
		n := s.count.eval(&w.env)
		for i := range n {
			w.env.rounds[s.depth] = i
			w.list(s.body)
		}
		w.env.rounds[s.depth] = 0
	case barrier:
		w.phase++
	case fence:
		w.fence(s)
	case ticket:
		w.drawn = w.event(s, atomic, 0, 4)
	case last:
		w.event(s, read, 0, 4)
		if w.winner {
			w.list(s.body)
		}
	}
}

func (w *walker) access(s *stmt) {
	e := w.event(s, s.role, int(s.index.eval(&w.env))*s.size, s.size)
	if s.role != write {
		return
	}
	v := s.value.eval(&w.env)
	for i := range s.size {
		e.bytes[i] = byte((v + uint32(i/4)) >> (i % 4 * 8))
	}
}

func (w *walker) event(s *stmt, r role, low, size int) *event {
	e := &event{line: s.line, block: w.block, thread: w.thread, role: r, array: s.array,
		low: low, high: low + size, phase: w.phase, rounds: w.env.rounds, sides: w.sides}
	switch d := w.drawn; {
	case d == nil: // thread 0, before it draws, if ever
		e.before = true
	case w.phase != d.phase:
		e.before, e.after = w.phase < d.phase, w.phase > d.phase
	case w.thread < warp: // in lock step with thread 0
		e.before, e.after = s.line < d.line, s.line > d.line
	}
	w.events = append(w.events, e)
	return e
}

// fence makes the thread's accesses visible to all blocks, and those that a barrier ordered before.
func (w *walker) fence(s *stmt) {
	if !s.wide {
		return
	}
	for _, e := range w.events {
		e.fenced = true
	}
	if w.thread == 0 && w.drawn == nil {
		w.published = &passed{w.phase, s.line}
	}
}

// passed is a fence that thread 0 has passed.
type passed struct{ phase, line int }

// covers reports whether a barrier or lock step brings an access before the fence.
func (f *passed) covers(e *event) bool {
	return f != nil && (e.phase < f.phase || e.phase == f.phase && e.thread < warp && e.line < f.line)
}
