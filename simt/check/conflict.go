package check

import (
	"math/bits"

	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// row looks at the present access of lanes m, of size bytes each, and notes it.
func (x *raceWatcher) row(m lane.Mask, size int) {
	pieces := max(1, uint32(size)>>x.unit)
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

// piece looks at the access of lane l to a piece, cell k of c, and notes it.
func (x *raceWatcher) piece(c *cells, k, piece uint32, l int) {
	thread := x.at.w<<5 | l
	now := newCell(x.epoch, thread, x.at.u.At, x.at.kind == changes)
	if was := c.wrote[k]; was.epoch() >= x.base && (was.thread() != thread || was.epoch() != x.epoch) && !(was.atomic() && x.at.kind == changes) {
		x.meet(was, writes, piece, l)
	}
	if x.at.kind == reads {
		c.noteRead(k, now)
		return
	}
	for _, was := range [...]cell{c.read[k], c.other[k]} {
		if was.epoch() >= x.base && (was.thread() != thread || was.epoch() != x.epoch) {
			x.meet(was, reads, piece, l)
		}
	}
	c.wrote[k] = now
}

// meet looks at an earlier access to the piece that the present access of lane l touches, and keeps
// the two if nothing orders them.
func (x *raceWatcher) meet(was cell, how access, piece uint32, l int) {
	if how == writes && was.atomic() {
		how = changes
	}
	own := x.space() == program.SpaceShared || x.blockOf(was.epoch()) == x.block
	if own && was.epoch() < x.interval || x.ordered(was, own) {
		return
	}
	thread := x.at.w<<5 | l
	if own && was.thread() == thread {
		return
	}
	p := pair{first: was.index(), then: x.at.u.At, was: how, now: x.at.kind, space: x.space(), level: Error}
	switch {
	case own && was.warp() == x.at.w:
		x.sameWarp(&p, was, l)
	case x.polling(was, how):
		return
	case how == reads && x.comparesAndSwaps(x.at.u) || x.at.kind == reads && how == changes && x.comparesAndSwaps(&x.l.Program.Code[was.index()]):
		p.level = Note // the swap fails if the value that was read is old
	}
	if p.level == Error && !p.issue && x.at.kind == writes && x.keeps(piece, l) {
		p.level, p.same = Note, true
	}
	x.found.add(x, p, was, piece<<x.unit, l)
}

func (x *raceWatcher) space() program.Space { return x.at.space }

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

// comparesAndSwaps reports whether u is a compare-and-swap.
func (x *raceWatcher) comparesAndSwaps(u *program.Op) bool { return x.code.swaps[u.At] }

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
