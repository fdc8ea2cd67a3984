package code

import "slices"

// rangeFinder walks blocks from their ends.
type rangeFinder struct {
	l    *liveness
	open []int32 // by Reg: the end of the segment that is being found, 0 if not live
	live []Reg   // registers that may be open
	list []Reg
	n    int32 // the block
}

// findRanges finds the segments of all registers.
func (l *liveness) findRanges() {
	l.ranges = make([]segList, len(l.f.Regs))
	w := &rangeFinder{l: l, open: make([]int32, len(l.f.Regs))}
	for n := len(l.f.Blocks) - 1; n >= 0; n-- {
		w.block(n)
	}
	w.n = -1
	for r := range l.ranges {
		w.pass(Reg(r))
		if l.f.Regs[r].Fixed != 0 && len(l.ranges[r]) > 0 {
			last := len(l.ranges[r]) - 1
			l.ranges[r][last].from = 1
		}
		slices.Reverse(l.ranges[r])
	}
	l.number()
}

func (w *rangeFinder) block(n int) {
	l, b := w.l, w.l.f.Blocks[n]
	w.n, w.live = int32(n), w.live[:0]
	for _, r := range l.out[n] {
		w.use(r, 2*l.end[n]+2)
	}
	if r := b.End.Guard.Reg; r != 0 {
		w.use(r, 2*l.end[n]+1)
	}
	for i := len(b.Code) - 1; i >= 0; {
		from := i
		for p := b.Code[i].Parallel; p != 0 && from > 0 && b.Code[from-1].Parallel == p; from-- {
		}
		at := 2 * l.time[int(l.first[n])+i]
		for k := i; k >= from; k-- {
			w.write(&b.Code[k], l.full.has(int(l.first[n])+k), at)
		}
		for ; i >= from; i-- {
			w.list = b.Code[i].uses(w.list[:0])
			for _, r := range w.list {
				w.use(r, at+1)
			}
		}
	}
	for _, r := range w.live {
		if w.open[r] != 0 {
			w.close(r, 2*l.from[n])
		}
	}
}

// use makes a register live to before a point, unless it is live there and behind.
func (w *rangeFinder) use(r Reg, to int32) {
	if w.open[r] == 0 {
		w.open[r] = to
		w.live = append(w.live, r)
	}
}

// write finds where the segments of an instruction's destinations begin: at the instruction, unless
// it may keep their old values. With full it does not.
func (w *rangeFinder) write(in *Instr, full bool, at int32) {
	w.list = in.defs(w.list[:0])
	for _, r := range w.list {
		w.use(r, at+2)
		if full || !in.keeps(r) {
			w.close(r, at+1)
		}
	}
}

// close adds the open segment of a register, whose first point is from.
func (w *rangeFinder) close(r Reg, from int32) {
	w.pass(r)
	w.add(r, from, w.open[r])
	w.open[r] = 0
}

// pass adds the segments of the blocks behind this one that a register lives through.
func (w *rangeFinder) pass(r Reg) {
	runs := w.l.past[r]
	for ; len(runs) > 0 && runs[len(runs)-1].first > w.n; runs = runs[:len(runs)-1] {
		last := runs[len(runs)-1]
		w.add(r, 2*w.l.from[last.first], 2*w.l.end[last.last]+2)
	}
	w.l.past[r] = runs
}

// add puts a segment before the others of a register. Segments that touch become one at once: a
// register that is live in many blocks has few.
func (w *rangeFinder) add(r Reg, from, to int32) {
	list := w.l.ranges[r]
	if n := len(list); n > 0 && to >= list[n-1].from {
		list[n-1].from = from
	} else {
		w.l.ranges[r] = append(list, segment{from: from, to: to})
	}
}

// number gives one number to registers that hold the same value wherever both are live: a register
// and its copies, if each of them is written once.
func (l *liveness) number() {
	value := make([]Reg, len(l.f.Regs))
	at := make([]int32, len(l.f.Regs))   // by Reg: the point that writes it
	count := make([]int8, len(l.f.Regs)) // of instructions that write it, 2 for more
	var list []Reg
	type pair struct{ d, s Reg }
	var copies []pair
	k := 0
	for _, b := range l.f.Blocks {
		for i := range b.Code {
			in := &b.Code[i]
			list = in.defs(list[:0])
			for _, r := range list {
				count[r], at[r] = min(count[r]+1, 2), 2*l.time[k]+1
			}
			if in.Copy && in.Guard.always() {
				copies = append(copies, pair{in.Dst.Regs[0], in.Src[0].Regs[0]})
			}
			k++
		}
	}
	for r := range value {
		value[r] = Reg(r)
		if l.f.Regs[r].Fixed != 0 {
			count[r]++
			at[r] = 1
		}
	}
	for _, c := range copies {
		if count[c.d] != 1 || count[c.s] != 1 {
			continue
		}
		root := value[c.s] // copies come after their sources, in most cases
		if !l.ranges[c.d].covers(at[root]) {
			value[c.d] = root
		}
	}
	for r := range l.ranges {
		for i := range l.ranges[r] {
			l.ranges[r][i].value = int32(value[r])
		}
	}
	l.numberUpdates(value)
}

// numberUpdates finds copies that a guarded instruction of the same block changes later. Up to
// there the copy holds the value of its source. If the source lives no longer, both can share a
// register.
func (l *liveness) numberUpdates(value []Reg) {
	k := 0
	var list []Reg
	for _, b := range l.f.Blocks {
		for i := range b.Code {
			in := &b.Code[i]
			if !in.Copy || !in.Guard.always() {
				continue
			}
			d, s := in.Dst.Regs[0], in.Src[0].Regs[0]
			for j := i + 1; j < len(b.Code); j++ {
				list = b.Code[j].defs(list[:0])
				if slices.Contains(list, s) {
					break
				}
				if slices.Contains(list, d) {
					l.ranges[d].split(2*l.time[k+i]+1, 2*l.time[k+j]+1, int32(value[s]))
					break
				}
			}
		}
		k += len(b.Code)
	}
}

// split gives the part of a segment from one point to before another a value.
func (s *segList) split(from, to, value int32) {
	for i, x := range *s {
		if x.from != from || x.to <= to {
			continue
		}
		rest := segment{from: to, to: x.to, value: x.value}
		(*s)[i].to, (*s)[i].value = to, value
		*s = slices.Insert(*s, i+1, rest)
		return
	}
}

// covers reports whether a point is in a segment.
func (s segList) covers(point int32) bool {
	i, _ := slices.BinarySearchFunc(s, point, func(x segment, p int32) int {
		if x.to <= p {
			return -1
		}
		return 1
	})
	return i < len(s) && s[i].from <= point
}
