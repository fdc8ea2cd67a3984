package schedule

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/simt/watch"
)

// notes are of one warp: what its recorder has yet to be told.
type notes struct {
	list  [16]watch.Stretch
	count int
}

// partial is an instruction that not all active lanes of a warp executed.
type partial struct {
	index    int32
	executed lane.Mask
}

// noteRun notes that the straight run of the front up to, but not including, an index has issued.
func (c *convoy) noteRun(to int32) {
	if f := &c.front; c.recorded != 0 && f.from != to {
		c.note(f.from, to, f.at-f.from, &f.Sel, false)
	}
}

// note tells that the warps of s issued straight code, which began so many rounds before now.
func (c *convoy) note(from, to, ago int32, s *lane.Sel, vetoed bool) {
	since := c.front.steps - uint64(ago)
	for k, w := range s.Warp[:s.N] {
		executed := s.Mask[k]
		if vetoed {
			executed = 0
		}
		c.noteWarp(int(w), from, to, c.table.time[w%lane.MaxWarps]+since, s.Mask[k], executed, vetoed)
	}
}

// noteWarp notes that lanes of warp w issued straight code, which began at a time, and which of
// them executed the last instruction.
func (c *convoy) noteWarp(w int, from, to int32, time uint64, active, executed lane.Mask, vetoed bool) {
	if c.recorded>>w&1 == 0 || from == to {
		return
	}
	if c.partly>>w&1 != 0 {
		c.notePartly(w, from, to, time, active, executed, vetoed)
		return
	}
	full := c.notes[w%lane.MaxWarps].add(from, to, time, active, executed, vetoed)
	if full || c.mixes { // then all warps are told in order of time
		c.tell(w)
	}
}

// add adds a stretch. It reports whether there is room for no more.
func (n *notes) add(from, to int32, time uint64, active, executed lane.Mask, vetoed bool) (full bool) {
	s := &n.list[n.count%len(n.list)]
	s.Time, s.From, s.To = time, from, to
	s.Active, s.Executed, s.Vetoed = active, executed, vetoed
	n.count++
	return n.count == len(n.list)
}

// tell tells the recorder what is in the notes of warp w.
func (c *convoy) tell(w int) {
	if n, b := &c.notes[w], c.block(w); n.count > 0 {
		b.record.Run(w-b.own.First, n.list[:n.count])
		n.count = 0
	}
}

// tellAll tells the recorder of b, if there is one, what is in the notes of its warps.
func (c *convoy) tellAll(b *block) {
	if b.record != nil {
		for w := range b.own.Warps {
			c.tell(b.own.First + w)
		}
	}
}

// noteParting notes that the straight run of the front up to the branch at an index has issued, and
// which lanes took that, as choose found out.
func (c *convoy) noteParting(at int32) {
	if c.recorded == 0 {
		return
	}
	f := &c.front
	since := f.steps - uint64(f.at-f.from)
	for k, w := range f.Warp[:f.N] {
		c.noteWarp(int(w), f.from, at+1, c.table.time[w%lane.MaxWarps]+since, f.Mask[k], c.ev.Lanes[k], false)
	}
}

// noteUntaken notes that the straight run of the front up to the branch at an index has issued,
// which no lane took.
func (c *convoy) noteUntaken(at int32) {
	if c.recorded == 0 {
		return
	}
	f := &c.front
	c.meter.Issue(int(f.from), int(at)+1, &f.Sel)
	since := f.steps - uint64(f.at-f.from)
	for k, w := range f.Warp[:f.N] {
		c.noteWarp(int(w), f.from, at+1, c.table.time[w%lane.MaxWarps]+since, f.Mask[k], 0, false)
	}
	f.from, f.PC = at+1, c.code[at+1].PC
}

// noteSides notes what warps of the front did in a straight run from an index on and in a fork, up
// to its join. The front stands where the fork begins.
func (c *convoy) noteSides(from int32, k *program.Fork) {
	if c.recorded == 0 {
		return
	}
	f, order := &c.front, c.forks.Order()
	since := f.steps - uint64(f.at-from)
	for i, m := range f.Mask[:f.N] {
		w, went := int(f.Warp[i]), c.ev.Lanes[i]
		rest, time := m&^went, c.table.time[w%lane.MaxWarps]+since
		side := func(from, to int32, active, executed lane.Mask) {
			c.noteWarp(w, from, to, time, active, executed, false)
			time += uint64(to - from)
		}
		side(from, k.At+1, m, went)
		if rest != 0 && order == branch.TakenLast {
			side(k.At+1, k.Other, rest, rest)
		}
		if went != 0 && k.Other < k.Meet {
			side(k.Other, k.Meet, went, went)
		}
		if went != 0 && rest != 0 && order == branch.TakenVetoed {
			c.noteWarp(w, k.Meet, k.Meet+1, time, went, 0, true)
			time++
		}
		if rest != 0 && order != branch.TakenLast {
			side(k.At+1, k.Other, rest, rest)
		}
	}
}

// noteBreaks notes the break at an index by the lanes that took the branch to it at which the front
// stands.
func (c *convoy) noteBreaks(at int32) {
	if c.recorded == 0 {
		return
	}
	f := &c.front
	for i, w := range f.Warp[:f.N] {
		if went := c.ev.Lanes[i]; went != 0 {
			c.noteWarp(int(w), at, at+1, c.timeOf(int(w))+1, went, went, false)
		}
	}
}

// notePartly is noteWarp where some instructions are noted to be executed partly: a stretch ends
// behind each.
func (c *convoy) notePartly(w int, from, to int32, time uint64, active, executed lane.Mask, vetoed bool) {
	c.partly &^= 1 << w
	list, n := c.partials[w], 0
	for n < len(list) && from <= list[n].index && list[n].index < to {
		next := list[n].index + 1
		c.noteWarp(w, from, next, time, active, list[n].executed, false)
		from, time = next, time+uint64(next-from)
		n++
	}
	c.noteWarp(w, from, to, time, active, executed, vetoed)
	if c.partials[w] = append(list[:0], list[n:]...); len(c.partials[w]) > 0 {
		c.partly |= 1 << w
	}
}

// noteVetoed notes an issue of the warps of arriving that are not in executing.
func (c *convoy) noteVetoed(arriving, executing *lane.Sel) {
	if c.recorded == 0 || arriving.N == executing.N {
		return
	}
	rest := lane.Sel{Full: true}
	k := 0
	for j := range arriving.N {
		if k < executing.N && executing.Warp[k] == arriving.Warp[j] {
			k++
			continue
		}
		rest.Add(int(arriving.Warp[j]), arriving.Mask[j])
	}
	f := &c.front
	c.note(f.at, f.at+1, 0, &rest, true)
}

// Partial notes that of the lanes of s only those of g, a part of s, execute the instruction at an
// index.
func (c *convoy) Partial(index int, s, g *lane.Sel) {
	k := 0
	for j := range s.N {
		m := lane.Mask(0)
		if k < g.N && g.Warp[k] == s.Warp[j] {
			m = g.Mask[k]
			k++
		}
		if m != s.Mask[j] {
			c.notePartial(index, int(s.Warp[j]), m)
		}
	}
}

// noteChoice notes which lanes of the front the control instruction u, which does nothing else, is
// for.
func (c *convoy) noteChoice(u *program.Op) {
	if c.recorded == 0 || !u.Guarded || u.Acts || !u.HeedsGuard() {
		return
	}
	f := &c.front
	for k, w := range f.Warp[:f.N] {
		if m := f.Mask[k] & lane.Condition(&c.st.Flags[u.Guard.Reg][w], uint8(u.Guard.Cond)); m != f.Mask[k] {
			c.notePartial(int(u.At), int(w), m)
		}
	}
}

// notePartial notes that only lanes m of warp w execute the instruction at index i, which is about
// to be noted.
func (c *convoy) notePartial(i, w int, m lane.Mask) {
	if c.recorded>>w&1 == 0 {
		return
	}
	list := c.partials[w]
	if n := len(list) - 1; n >= 0 && int(list[n].index) == i { // it was begun before, for all blocks
		list = list[:n]
	}
	c.partials[w] = append(list, partial{int32(i), m})
	c.partly |= 1 << w
}
