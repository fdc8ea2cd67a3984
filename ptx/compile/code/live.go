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
	// full: the instruction leaves nothing of old values: it writes whole registers in all lanes,
	// or they held no value before.
	full   set
	global []int32   // by Reg: index of registers live across blocks + 1, or 0
	names  []Reg     // by index
	in     [][]Reg   // by block: registers that it reads or writes and that are live at its start
	out    [][]Reg   // by block: the same, live at its end
	past   [][]run   // by Reg: blocks that it lives through and that neither read nor write it
	ranges []segList // by Reg
	points int32     // more than the last point
}

// run is the blocks first..last.
type run struct{ first, last int32 }

// segment is the points from..to-1, with the number of the value that a register holds there.
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
		list = b.visit(list, read, func(r Reg, keeps bool) {
			if keeps {
				read(r)
			}
			written[r] = mark
		})
	}
}

// flow finds the global registers that are live at the start and the end of blocks: registers that
// may have a value and are read later. It follows each register from the blocks that read it, so
// that its time grows with the length of lives. Blocks that a register lives through are kept as
// runs, which takes little memory.
func (l *liveness) flow() {
	w := newFlow(l)
	w.collect()
	l.past = make([][]run, len(l.f.Regs))
	var in, out []liveAt
	for g, r := range l.names {
		events := w.events[w.first[g]:w.first[g+1]]
		w.follow(r, events)
		for _, e := range events {
			if w.valued[e.block] == r {
				in = append(in, liveAt{e.block, r})
			}
			if w.through.has(e.block) {
				w.through.remove(e.block)
				out = append(out, liveAt{e.block, r})
			}
		}
		l.past[r] = w.through.takeRuns()
	}
	l.in, l.out = byBlock(in, len(l.f.Blocks)), byBlock(out, len(l.f.Blocks))
}

// liveAt is a register that is live at the start or at the end of a block.
type liveAt struct {
	block int32
	r     Reg
}

// byBlock returns the registers of each block, in the order of the list.
func byBlock(list []liveAt, blocks int) [][]Reg {
	counts := make([]int32, blocks)
	for _, x := range list {
		counts[x.block]++
	}
	all, by := make([]Reg, len(list)), make([][]Reg, blocks)
	for b, n := range counts {
		by[b], all = all[:0:n], all[n:]
	}
	for _, x := range list {
		by[x.block] = append(by[x.block], x.r)
	}
	return by
}

// findFull finds the instructions that leave nothing of old values.
func (l *liveness) findFull() {
	valued := make([]int32, len(l.f.Regs)) // number of the block that reads or wrote it, + 1
	var list []Reg
	for n, b := range l.f.Blocks {
		mark := int32(n + 1)
		for _, r := range l.in[n] {
			valued[r] = mark
		}
		for i := range b.Code {
			in := &b.Code[i]
			list = in.defs(list[:0])
			full := true
			for _, r := range list {
				full = full && !(in.keeps(r) && (valued[r] == mark || l.f.Regs[r].Fixed != 0))
			}
			for _, r := range list {
				valued[r] = mark
			}
			if full {
				l.full.add(int(l.first[n]) + i)
			}
		}
	}
}
