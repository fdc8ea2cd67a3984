package code

import "jacquard/internal/flowgraph"

// event is the effect of a block on a global register.
type event struct {
	block int32
	reads bool // before it writes the register as a whole
	kills bool // it writes the whole register before it reads the old value
	gives bool // it gives the register a value
}

// registerFlow follows registers through the blocks, one after the other. Marks by block hold the
// register that they are true of, so that nothing is cleared between two registers.
type registerFlow struct {
	l      *liveness
	first  []int32 // by index of a global register: its first event
	events []event
	kills  []Reg
	live   []Reg // at the start of the block, if it has a value there
	valued []Reg // the register may have a value at the start of the block, and is live
	work   []int32
	// through holds the blocks with the register live at their end.
	through window
}

func newFlow(l *liveness) *registerFlow {
	n := len(l.f.Blocks)
	all := make([]Reg, 3*n)
	take := func() (list []Reg) {
		list, all = all[:n:n], all[n:]
		return list
	}
	return &registerFlow{l: l, kills: take(), live: take(), valued: take(), through: window{set: newSet(n)}}
}

// collect lists the events by register.
func (w *registerFlow) collect() {
	l := w.l
	type named struct {
		g int32
		e event
	}
	var list []named
	at := make([]int32, len(l.names)) // by index: the event of the current block + 1
	w.first = make([]int32, len(l.names)+1)
	var regs []Reg
	for n, b := range l.f.Blocks {
		if l.g.Place[n] == flowgraph.None {
			continue
		}
		begin := int32(len(list))
		of := func(r Reg) *event {
			g := l.global[r] - 1
			if g < 0 {
				return nil
			}
			if at[g] <= begin {
				list = append(list, named{g, event{block: int32(n)}})
				at[g] = int32(len(list))
				w.first[g+1]++
			}
			return &list[at[g]-1].e
		}
		read := func(r Reg) {
			if e := of(r); e != nil && !e.kills {
				e.reads = true
			}
		}
		write := func(r Reg, keeps bool) {
			switch e := of(r); {
			case e == nil:
			case !keeps:
				e.kills = e.kills || !e.reads
				e.gives = true
			case !e.kills:
				e.reads, e.gives = true, true
			}
		}
		regs = b.visit(regs, read, write)
	}
	for g := range l.names {
		w.first[g+1] += w.first[g]
	}
	w.events = make([]event, len(list))
	next := append([]int32(nil), w.first...)
	for _, x := range list {
		w.events[next[x.g]] = x.e
		next[x.g]++
	}
}

// visit calls read and write for the registers of a block, in the order in which they happen.
func (b *Block) visit(list []Reg, read func(r Reg), write func(r Reg, keeps bool)) []Reg {
	for i := 0; i < len(b.Code); {
		end := runEnd(b.Code, i)
		for k := i; k < end; k++ {
			list = b.Code[k].uses(list[:0])
			for _, r := range list {
				read(r)
			}
		}
		for ; i < end; i++ {
			list = b.Code[i].defs(list[:0])
			for _, r := range list {
				write(r, b.Code[i].keeps(r))
			}
		}
	}
	if r := b.End.Guard.Reg; r != 0 {
		read(r)
	}
	return list
}

// follow finds the blocks with a register live at their start: first all blocks that lead to a
// read, then the part of them that a write reaches. The register is live at the end of their
// predecessors.
func (w *registerFlow) follow(r Reg, events []event) {
	g := w.l.g
	w.work = w.work[:0]
	for _, e := range events {
		if e.kills {
			w.kills[e.block] = r
		}
		if e.reads {
			w.reach(w.live, e.block, r)
		}
	}
	for len(w.work) > 0 {
		for _, p := range g.pred[w.next()] {
			if w.kills[p] != r {
				w.reach(w.live, p, r)
			}
		}
	}
	if w.l.f.Regs[r].Fixed != 0 {
		w.arrive(0, r)
	}
	for _, e := range events {
		if e.gives {
			for _, s := range g.succ[e.block] {
				w.arrive(s, r)
			}
		}
	}
	for len(w.work) > 0 {
		b := w.next()
		for _, p := range g.pred[b] {
			w.through.add(p)
		}
		for _, s := range g.succ[b] {
			w.arrive(s, r)
		}
	}
}

func (w *registerFlow) next() int32 {
	b := w.work[len(w.work)-1]
	w.work = w.work[:len(w.work)-1]
	return b
}

// reach marks a block and adds it to the work list.
func (w *registerFlow) reach(marks []Reg, b int32, r Reg) {
	if marks[b] != r {
		marks[b] = r
		w.work = append(w.work, b)
	}
}

// arrive says that the register may have a value at the start of a block.
func (w *registerFlow) arrive(b int32, r Reg) {
	if w.live[b] == r {
		w.reach(w.valued, b, r)
	}
}
