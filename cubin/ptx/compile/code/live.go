package code

// Time counts instructions in the order of blocks, from 1; the copies of a parallel run share one.
// An instruction reads at point 2t and writes at point 2t+1. The end of a block has a time of its
// own. Values that enter the kernel are written at time 0.

// liveness says where the registers of a function hold values that are read later.
type liveness struct {
	f     *Func
	g     *graph
	first []int32 // by block: index of its first instruction in time and full
	from  []int32 // by block: its first time
	end   []int32 // by block: the time of its end
	time  []int32 // by instruction
	// full: the instruction leaves nothing of old values, although it is guarded or writes a half:
	// there were none.
	full   set
	global []int32   // by Reg: index of registers live across blocks + 1, or 0
	names  []Reg     // by index
	in     []set     // by block: live at its start
	out    []set     // by block: live at its end
	known  []set     // by block: registers that may have a value at its start
	ranges []segList // by Reg
	points int32     // more than the last point
}

// segment is the points from..to-1, and what a register holds there: equal numbers, equal values.
type segment struct{ from, to, value int32 }

// segList is segments in ascending order that do not overlap.
type segList []segment

// analyse finds live ranges.
func analyse(f *Func) *liveness {
	l := &liveness{f: f, g: newGraph(f)}
	l.count()
	l.findGlobals()
	l.flow()
	l.findFull()
	l.findRanges()
	return l
}

// count numbers instructions and times.
func (l *liveness) count() {
	n := 0
	for _, b := range l.f.Blocks {
		n += len(b.Code)
	}
	l.time, l.full = make([]int32, n), newSet(n)
	at, t := int32(0), int32(1)
	for _, b := range l.f.Blocks {
		l.first, l.from = append(l.first, at), append(l.from, t)
		for i := 0; i < len(b.Code); {
			for end := runEnd(b.Code, i); i < end; i++ {
				l.time[at] = t
				at++
			}
			t++
		}
		l.end = append(l.end, t)
		t++
	}
	l.points = 2 * t
}

// findGlobals finds the registers that a block may read before it writes them.
func (l *liveness) findGlobals() {
	l.global = make([]int32, len(l.f.Regs))
	l.names = l.names[:0]
	written := make([]int32, len(l.f.Regs)) // number of the block that wrote it, + 1
	var list []Reg
	for n, b := range l.f.Blocks {
		mark := int32(n + 1)
		read := func(r Reg) {
			if written[r] != mark && l.global[r] == 0 {
				l.names = append(l.names, r)
				l.global[r] = int32(len(l.names))
			}
		}
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
					if b.Code[i].keeps(r) {
						read(r)
					}
					written[r] = mark
				}
			}
		}
		if r := b.End.Guard.Reg; r != 0 {
			read(r)
		}
	}
}

// flow finds the global registers that are live, and those that may have a value, at the start and
// the end of blocks.
func (l *liveness) flow() {
	n, size := len(l.f.Blocks), len(l.names)
	words := (size + 63) / 64
	all := make([]uint64, 6*n*words)
	take := func() []set {
		list := make([]set, n)
		for i := range list {
			list[i], all = all[:words:words], all[words:]
		}
		return list
	}
	l.in, l.out, l.known = take(), take(), take()
	read, killed, gives := take(), take(), take()
	for i := range l.f.Blocks {
		l.summary(i, read[i], killed[i], gives[i])
	}
	if n > 0 {
		for r := range l.f.Regs {
			if l.f.Regs[r].Fixed != 0 && l.global[r] != 0 {
				l.known[0].add(int(l.global[r]) - 1)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, b := range l.g.Order {
			for _, p := range l.g.pred[b] {
				for w := range words {
					m := l.known[b][w] | l.known[p][w] | gives[p][w]
					changed = changed || m != l.known[b][w]
					l.known[b][w] = m
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(l.g.Order) - 1; i >= 0; i-- {
			b := l.g.Order[i]
			for w := range words {
				out := uint64(0)
				for _, s := range l.g.succ[b] {
					out |= l.in[s][w]
				}
				in := (out&^killed[b][w] | read[b][w]) & l.known[b][w]
				changed = changed || in != l.in[b][w]
				l.in[b][w], l.out[b][w] = in, out
			}
		}
	}
}

// summary collects the global registers that a block reads before it writes them, that it writes
// as a whole, and that it gives a value.
func (l *liveness) summary(n int, read, killed, gives set) {
	b := l.f.Blocks[n]
	var list []Reg
	reads := func(r Reg) {
		if g := l.global[r]; g != 0 && !killed.has(int(g)-1) {
			read.add(int(g) - 1)
		}
	}
	for i := 0; i < len(b.Code); {
		end := runEnd(b.Code, i)
		for k := i; k < end; k++ {
			list = b.Code[k].uses(list[:0])
			for _, r := range list {
				reads(r)
			}
		}
		for ; i < end; i++ {
			list = b.Code[i].defs(list[:0])
			for _, r := range list {
				g := l.global[r]
				if g == 0 {
					continue
				}
				gives.add(int(g) - 1)
				if b.Code[i].keeps(r) {
					reads(r)
				} else if !read.has(int(g) - 1) {
					killed.add(int(g) - 1)
				}
			}
		}
	}
	if r := b.End.Guard.Reg; r != 0 {
		reads(r)
	}
}

// findFull marks guarded instructions and those that write halves where their destinations have no
// value yet.
func (l *liveness) findFull() {
	written := make([]int32, len(l.f.Regs))
	var list []Reg
	for n, b := range l.f.Blocks {
		mark := int32(n + 1)
		for i := range b.Code {
			in := &b.Code[i]
			list = in.defs(list[:0])
			full := true
			for _, r := range list {
				g := l.global[r]
				had := written[r] == mark || g != 0 && l.known[n].has(int(g)-1) || l.f.Regs[r].Fixed != 0
				full = full && !had
			}
			for _, r := range list {
				written[r] = mark
			}
			if full {
				l.full.add(int(l.first[n]) + i)
			}
		}
	}
}
