package ptxreference

import "jacquard/ptx"

// barrier is one of the 16 barriers of a block. A warp arrives when all its live threads have.
type barrier struct {
	arrived map[*thread]bool // by bar.arrive; these do not wait
	count   int              // threads that it waits for; 0: all of the block
	used    bool             // since it last completed
}

// barrier binds bar.sync, bar.arrive and bar.red.
func (b *binder) barrier() step {
	in, first := b.in, 0
	var d sink
	if in.Mode == ptx.BarRed {
		d, first = b.sink(0), 1
	}
	n := len(in.Args) - first
	var p source
	if in.Mode == ptx.BarRed {
		n--
		p = b.source(first+n, ptx.Pred)
	}
	var id, count source
	switch n {
	case 2:
		count = b.source(first+1, ptx.U32)
		fallthrough
	case 1:
		id = b.source(first, ptx.U32)
	default:
		b.fail(Malformed, "operands of a barrier")
	}
	waits, result := in.Mode != ptx.BarArrive, b.barrierResult(d)
	if in.Mode == ptx.BarArrive && n != 2 {
		b.fail(Malformed, "arrival without a number of threads")
	}
	return func(t *thread) error {
		a := asked{barrier: int(id.get(t)), count: int(count.get(t)), value: p.get(t), result: result}
		return t.arrive(a, n == 2, waits)
	}
}

// barrierResult returns how a thread gets the result of bar.red: the number of threads whose
// predicate held, or the AND or OR of all predicates.
func (b *binder) barrierResult(d sink) func(t *thread, x uint64) {
	switch {
	case b.in.Mode != ptx.BarRed:
		return func(*thread, uint64) {}
	case b.in.Atom == ptx.AtomAdd:
		return func(t *thread, x uint64) { d.put(t, x&ones(32)) }
	case b.in.Atom == ptx.AtomAnd:
		return func(t *thread, x uint64) { d.put(t, truth(x&ones(32) == x>>32)) }
	case b.in.Atom == ptx.AtomOr:
		return func(t *thread, x uint64) { d.put(t, truth(x&ones(32) != 0)) }
	}
	b.fail(Unsupported, "reduction of a barrier")
	return nil
}

// arrive notes that the thread is at a barrier.
func (t *thread) arrive(a asked, counted, waits bool) error {
	if a.barrier > 15 {
		return t.fault(Fault, "barrier %d", a.barrier)
	}
	r := &t.block.barriers[a.barrier]
	switch {
	case counted && (a.count == 0 || a.count%32 != 0):
		return t.fault(Fault, "barrier for %d threads, which are no warps", a.count)
	case r.used && r.count != a.count:
		return t.fault(Fault, "barrier for %d threads and for %d", r.count, a.count)
	case r.arrived[t]:
		return t.fault(Fault, "second arrival at barrier %d", a.barrier)
	}
	r.used, r.count = true, a.count
	t.asked = a
	if waits {
		t.state = atBarrier
		return nil
	}
	if r.arrived == nil {
		r.arrived = map[*thread]bool{}
	}
	r.arrived[t] = true
	return nil
}

// release lets go the threads of barriers that are complete. It reports whether there was one.
func (b *block) release() (any bool) {
	for id := range b.barriers {
		if r := &b.barriers[id]; r.used && b.complete(id, r) {
			b.open(id)
			*r = barrier{}
			any = true
		}
	}
	return any
}

// complete reports whether all threads that a barrier waits for are there.
func (b *block) complete(id int, r *barrier) bool {
	warps, all := 0, true
	for _, w := range b.warps {
		live, there := 0, 0
		for _, t := range w.threads {
			if t.state == ended && !r.arrived[t] {
				continue
			}
			live++
			if r.arrived[t] || t.state == atBarrier && t.asked.barrier == id {
				there++
			}
		}
		all = all && there == live
		if live > 0 && there == live {
			warps++
		}
	}
	if r.count == 0 {
		return all
	}
	return 32*warps >= r.count
}

// open gives the threads at a barrier their results and lets them run.
func (b *block) open(id int) {
	var waiting []*thread
	sum := uint64(0) // threads whose predicate holds; all threads from bit 32 on
	for _, t := range b.threads {
		if t.state == atBarrier && t.asked.barrier == id {
			waiting = append(waiting, t)
			sum += t.asked.value | 1<<32
		}
	}
	for _, t := range waiting {
		t.asked.result(t, sum)
		t.state = running
	}
}
