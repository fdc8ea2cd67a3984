package check

import (
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// row looks at the present access of lanes m, of size bytes each, and notes it.
func (x *raceWatcher) row(m lane.Mask, size int) {
	x.now = newCell(x.epoch, x.at.w<<5, x.at.u.At, x.at.kind == changes)
	limit := x.oldest
	if x.at.space == program.SpaceShared {
		limit = x.interval
	}
	x.limit = cell(limit) << epochAt
	if m == lane.All && x.at.kind == reads && oneWord(x.at.addr) {
		m = 3 // two lanes stand for all
	}
	pieces := max(1, uint32(size)>>x.unit)
	switch x.at.kind {
	case reads:
		x.readRow(m, pieces)
	case writes:
		x.writeRow(m, pieces)
	case changes:
		for ; m != 0; m &= m - 1 {
			l := lowest(m)
			c, base := x.cellsAt(x.at.addr[l] >> x.unit)
			x.lane(c, base, l, pieces)
		}
	}
}

// cellsAt returns the cells of a piece and those near it, and the first of their pieces.
func (x *raceWatcher) cellsAt(piece uint32) (c *cells, base uint32) {
	if x.at.space == program.SpaceShared {
		return &x.shared, 0
	}
	return x.pages.of(piece), piece &^ (1<<pieceBits - 1)
}

// lane looks at the access of lane l to pieces whose cells are in c, from piece base on, and notes it.
func (x *raceWatcher) lane(c *cells, base uint32, l int, pieces uint32) {
	first := x.at.addr[l] >> x.unit
	for i := first; i < first+pieces; i++ {
		if int(i-base) < len(c.wrote) { // else the access faults
			x.piece(c, i-base, i, l)
		}
	}
}

// readRow is lane for the lanes m of a read. Few pieces have earlier accesses that may conflict.
func (x *raceWatcher) readRow(m lane.Mask, pieces uint32) {
	now, limit, unit, w, known := x.now, x.limit, x.unit&3, x.at.w, x.found.known(&x.at)
	shared := x.at.space == program.SpaceShared
	c, base := x.cellsAt(x.at.addr[lowest(m)] >> unit)
lanes:
	for l, a := range x.at.addr {
		now := now + cell(l)<<threadAt
		if m>>l&1 == 0 {
			continue
		}
		k := a>>unit - base
		if int(k+pieces) > len(c.wrote) {
			c, base = x.cellsAt(a >> unit)
			k = a>>unit - base
		}
		for j := k; j < k+pieces && int(j) < len(c.wrote); j++ {
			was, last := c.wrote[j], c.read[j]
			if was >= limit && (was&changesBit != 0 || (was^now)>>threadAt != 0 && !known.has(was, now)) {
				x.lane(c, base, l, pieces)
				continue lanes
			}
			if (last^now)>>threadAt == 0 {
				continue
			}
			if (last^now)>>(threadAt+5) == 0 {
				c.noteLane(j, now, limit)
				continue
			}
			if last < limit || shared && last.warp() != w || !x.keepsOther(last, c.other[j]) {
				c.other[j] = last
			}
			c.read[j] = now
		}
	}
}

// writeRow is readRow for a write.
func (x *raceWatcher) writeRow(m lane.Mask, pieces uint32) {
	now, limit, unit, known := x.now, x.limit, x.unit&3, x.found.known(&x.at)
	unread := x.unread != nil && x.at.space == program.SpaceGlobal && x.unread[x.at.u.At]
	c, base := x.cellsAt(x.at.addr[lowest(m)] >> unit)
lanes:
	for l, a := range x.at.addr {
		now := now + cell(l)<<threadAt
		if m>>l&1 == 0 {
			continue
		}
		k := a>>unit - base
		if int(k+pieces) > len(c.wrote) {
			c, base = x.cellsAt(a >> unit)
			k = a>>unit - base
		}
		for j := k; j < k+pieces && int(j) < len(c.wrote); j++ {
			was, last, before := c.wrote[j], cell(0), cell(0)
			if !unread {
				last, before = c.read[j], c.other[j]
			}
			if was >= limit && (was&changesBit != 0 || (was^now)>>threadAt != 0 && !known.has(was, now)) ||
				last >= limit && (last^now)>>threadAt != 0 && !known.has(last, now) ||
				before >= limit && (before^now)>>threadAt != 0 && !known.has(before, now) {
				x.lane(c, base, l, pieces)
				continue lanes
			}
			c.wrote[j] = now
		}
	}
}

// oneWord reports whether all lanes have one address.
func oneWord(addr *lane.Row) bool {
	if addr[0] != addr[lane.Width-1] {
		return false
	}
	for _, a := range addr {
		if a != addr[0] {
			return false
		}
	}
	return true
}

// keepsOther reports whether, of the last access and another one before it, the other one is to be
// kept: the last one is of the present warp, or the other one alone is of another block and nothing
// orders it.
func (x *raceWatcher) keepsOther(last, other cell) bool {
	own := last.epoch() >= x.base && x.blockOf(last.epoch()) == x.block
	if own && last.warp() == x.at.w {
		return true
	}
	return own && other >= x.limit && other.epoch() >= x.base && x.blockOf(other.epoch()) != x.block && !x.ordered(other, false)
}

// piece looks at the access of lane l to a piece, cell k of c, and notes it.
func (x *raceWatcher) piece(c *cells, k, piece uint32, l int) {
	now := x.now + cell(l)<<threadAt
	me := now >> threadAt
	was := c.wrote[k]
	x.look(was, me, piece, l)
	if was.atomic() {
		x.look(older(c.prior, k), me, piece, l)
		x.look(older(c.plain, k), me, piece, l)
	}
	if x.at.kind == reads {
		c.noteRead(k, now, x.limit, x.keepsOther(c.read[k], c.other[k]))
		return
	}
	if was := c.read[k]; was >= x.limit && was>>threadAt != me {
		x.meet(was, reads, piece, l)
	}
	if was := c.other[k]; was >= x.limit && was>>threadAt != me {
		x.meet(was, reads, piece, l)
	}
	c.noteWrite(k, now, x.keepsOther(c.wrote[k], older(c.prior, k)))
}

// look looks at an earlier write or atomic; me is the epoch and the thread of the present access.
func (x *raceWatcher) look(was, me cell, piece uint32, l int) {
	if was >= x.limit && was>>threadAt != me && !(was.atomic() && x.at.kind == changes) {
		x.meet(was, writes, piece, l)
	}
}

// meet looks at an earlier access to the piece that the present access of lane l touches, and keeps
// the two if nothing orders them.
func (x *raceWatcher) meet(was cell, how access, piece uint32, l int) {
	if how == writes && was.atomic() {
		how = changes
	}
	if was.epoch() < x.base {
		x.meetWork(was, how, piece, l)
		return
	}
	own := x.at.space == program.SpaceShared || x.blockOf(was.epoch()) == x.block
	if own && (was.epoch() < x.interval || was.thread() == x.at.w<<5|l) || x.ordered(was, own) {
		return
	}
	p := pair{first: was.index(), then: x.at.u.At, was: how, now: x.at.kind, space: x.at.space, level: Error}
	switch {
	case own && was.warp() == x.at.w:
		if x.sameWarp(&p, was, l); p.lockstep && x.found.counts(p) {
			return
		}
	case x.polling(was, how), how != reads && x.at.kind != changes && x.flags[x.at.w][x.word(l)]:
		return
	case how == reads && x.code.swaps(x.at.u.At) || x.at.kind == reads && how == changes && x.code.swaps(was.index()):
		p.level = Note // the swap fails if the value that was read is old
	}
	if p.level == Error && !p.issue && how == writes && x.at.kind == writes && x.keeps(piece, l) {
		p.level, p.same = Note, true
	}
	x.found.add(x, p, was, piece<<x.unit, l)
}

// sameWarp judges two accesses of lanes of a warp.
func (x *raceWatcher) sameWarp(p *pair, was cell, l int) {
	before := was.thread() & 31
	if p.first == p.then && x.at.active>>before&1 != 0 && before < l && x.at.addr[before]>>x.unit == x.at.addr[l]>>x.unit && was.epoch() == x.epoch {
		p.issue = true // either may stay
		if x.at.data != nil && x.sameData(before, l) {
			p.level, p.same = Note, true
		}
		return
	}
	if x.at.active>>before&1 == 0 && x.code.apart(p.first, p.then) {
		return
	}
	p.level, p.lockstep = Note, true
}

// sameData reports whether two lanes store the same.
func (x *raceWatcher) sameData(a, b int) bool {
	for _, row := range x.at.data {
		if row != nil && row[a] != row[b] {
			return false
		}
	}
	return true
}

// polling reports whether one of the two accesses waits for the other: that is what flags are for.
func (x *raceWatcher) polling(was cell, how access) bool {
	return x.at.kind == reads && x.code.polls[x.at.u.At] || how == reads && x.code.polls[was.index()]
}

// keeps reports whether the store of lane l leaves a piece as it is.
func (x *raceWatcher) keeps(piece uint32, l int) bool {
	addr := piece << x.unit
	at := addr - x.at.addr[l]&^(1<<x.unit-1)
	if int(at/4) >= len(x.at.data) || x.at.data[at/4] == nil {
		return false
	}
	size := uint32(1) << x.unit
	v := x.at.data[at/4][l] >> (8 * (at % 4))
	var now []byte
	if x.at.space == program.SpaceShared {
		now = x.st.Shared.Bytes()
		if uint64(addr)+uint64(size) > uint64(len(now)) {
			return false
		}
		now = now[addr:]
	} else if now = x.l.Machine.Global.Reach(addr); len(now) < int(size) {
		return false
	}
	for i := range size {
		if now[i] != byte(v>>(8*i)) {
			return false
		}
	}
	return true
}
