package check

import (
	"math/bits"

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
	pieces := max(1, uint32(size)>>x.unit)
	if m == lane.All && x.at.kind != changes && 1<<x.unit <= size && x.line(uint32(size)) {
		return
	}
	var c *cells
	page := ^uint32(0)
	for ; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(uint32(m))
		first := x.at.addr[l] >> x.unit
		for i := first; i < first+pieces; i++ {
			k := i
			if x.at.space == program.SpaceShared {
				if c = &x.shared; int(i) >= len(c.wrote) {
					break // the access faults
				}
			} else {
				if i>>pieceBits != page {
					page = i >> pieceBits
					c = x.pages.of(i)
				}
				k = i & (1<<pieceBits - 1)
			}
			x.piece(c, k, i, l)
		}
	}
}

// line is row for an access of all lanes to pieces one behind the other, or of all lanes to one piece.
// It reports false, and does nothing, if the access is another one or may conflict with an earlier
// one.
func (x *raceWatcher) line(size uint32) bool {
	addr := x.at.addr
	if addr[0] == addr[lane.Width-1] {
		return x.oneWord(size)
	}
	for l := range uint32(lane.Width) {
		if addr[l] != addr[0]+l*size {
			return false
		}
	}
	first, n := addr[0]>>x.unit, lane.Width*size>>x.unit
	c, k := &x.shared, first
	if x.at.space == program.SpaceGlobal {
		if k = first & (1<<pieceBits - 1); k+n > 1<<pieceBits {
			return false
		}
		c = x.pages.of(first)
	} else if first+n > uint32(len(c.wrote)) {
		return false
	}
	shift := bits.TrailingZeros32(size >> x.unit)
	if !x.clean(c.wrote[k:k+n], shift) {
		return false
	}
	if x.at.kind == reads {
		x.noteReads(c.read[k:k+n], c.other[k:k+n], shift)
		return true
	}
	if !x.clean(c.read[k:k+n], shift) || !x.clean(c.other[k:k+n], shift) {
		return false
	}
	wrote := c.wrote[k : k+n]
	for i := range wrote {
		wrote[i] = x.now + cell(i>>shift)<<threadAt
	}
	return true
}

// oneWord is line for reads of all lanes at one address.
func (x *raceWatcher) oneWord(size uint32) bool {
	for _, a := range x.at.addr {
		if a != x.at.addr[0] || x.at.kind != reads {
			return false
		}
	}
	x.row(3, int(size)) // two lanes stand for all
	return true
}

// clean reports whether no cell of a line conflicts with the present access of all lanes. Each lane
// has 1<<shift cells. Cells of the warp itself are those of lanes in lockstep: all lanes are here.
func (x *raceWatcher) clean(list []cell, shift int) bool {
	warp, known, me, limit := x.now>>(threadAt+5), x.found.lockstep[x.at.u.At] != nil, x.now>>threadAt, x.limit
	for i, was := range list {
		if was >= limit && was>>threadAt != me+cell(i>>shift) && !(known && was>>(threadAt+5) == warp) {
			return false
		}
	}
	return true
}

// noteReads is noteRead for a line.
func (x *raceWatcher) noteReads(read, other []cell, shift int) {
	warp := x.now >> (threadAt + 5)
	for i, was := range read {
		if was>>(threadAt+5) == warp {
			continue
		}
		if !x.keepsOther(was, other[i]) {
			other[i] = was
		}
		read[i] = x.now + cell(i>>shift)<<threadAt
	}
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
		c.noteRead(k, now, x.keepsOther(c.read[k], c.other[k]))
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
	case x.polling(was, how), x.flags[x.at.w][x.word(l)]:
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
