package check

import (
	"maps"
	"math/bits"

	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// Threads of different blocks, or of different warps between barriers, are in order if one of them
// writes a word behind a fence and the other sees the word by an atomic or a poll. Within a block no
// fence is needed for a poll: the device keeps the order of a warp's accesses, and fences of a block
// are no instructions.

// agent is a warp of a block, or all its warps (allWarps).
type agent struct {
	block int32
	warp  int8
}

const allWarps = -1

// clock says up to which epoch the accesses of agents come before those of a warp.
type clock map[agent]uint32

// join takes in another clock.
func (c *clock) join(o clock) {
	if len(o) == 0 {
		return
	}
	if *c == nil {
		*c = clock{}
	}
	for a, e := range o {
		if e > (*c)[a] {
			(*c)[a] = e
		}
	}
}

// clocks are what the warps of a block have seen.
type clocks struct {
	seen   [lane.MaxWarps]clock
	fenced [lane.MaxWarps]clock         // what comes before the warp's last fence
	any    bool                         // some warp has seen something
	flags  [lane.MaxWarps]map[word]bool // words that orders came from
}

// meet orders the warps of the block at a barrier. A fence that one of them has passed holds for all.
func (c *clocks) meet() {
	if c.any {
		all := joined(&c.seen)
		for w := range c.seen {
			c.seen[w] = maps.Clone(all)
		}
	}
	all := joined(&c.fenced)
	for w := range c.fenced {
		c.fenced[w] = all
	}
}

// joined returns the clock that has all of a list, nil if they are nil.
func joined(list *[lane.MaxWarps]clock) (all clock) {
	for _, c := range list {
		all.join(c)
	}
	return all
}

// release is what a word tells to those who see it.
type release struct {
	far  clock // behind fences
	near clock // to warps of the same block

	shared bool // several words tell it: it does not change
}

// take makes r tell what o tells, too.
func (r *release) take(o *release) {
	r.far.join(o.far)
	r.near.join(o.near)
}

// fence notes a fence of a warp.
func (x *raceWatcher) fence(w int) {
	c := maps.Clone(x.seen[w])
	if c == nil {
		c = clock{}
	}
	c[agent{x.block, int8(w)}] = x.epoch
	if x.interval > x.base {
		c[agent{x.block, allWarps}] = x.interval - 1
	}
	x.fenced[w] = c
	x.epoch = x.next(x.block) // accesses from now on come behind the fence
}

// word returns the word that lane l accesses.
func (x *raceWatcher) word(l int) word {
	k := word{-1, x.at.addr[l] &^ 3}
	if x.at.space == program.SpaceShared {
		k.block = x.block
	}
	return k
}

// releaseRow makes words tell of what comes before the present write, and of what they told before if
// it is an atomic.
func (x *raceWatcher) releaseRow(m lane.Mask, keep bool) {
	w := x.at.w
	near := x.code.polled
	if x.fenced[w] == nil && !near {
		return
	}
	now := release{shared: true}
	now.far.join(x.fenced[w])
	if near {
		now.near.join(x.seen[w])
		now.near.join(clock{agent{x.block, int8(w)}: x.epoch})
	}
	for ; m != 0; m &= m - 1 {
		k := x.word(bits.TrailingZeros32(uint32(m)))
		r := x.syncs[k]
		switch {
		case !keep || r == nil:
			x.syncs[k] = &now
		case r.shared:
			x.syncs[k] = &release{maps.Clone(r.far), maps.Clone(r.near), false}
			x.syncs[k].take(&now)
		default:
			r.take(&now)
		}
	}
	if near {
		x.epoch = x.next(x.block)
	}
}

// acquireRow orders what words tell before what comes behind the present access.
func (x *raceWatcher) acquireRow(m lane.Mask) {
	w := x.at.w
	for ; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(uint32(m))
		r := x.syncs[x.word(l)]
		if r == nil {
			continue
		}
		x.any = true
		if x.flags[w] == nil {
			x.flags[w] = map[word]bool{}
		}
		x.flags[w][x.word(l)] = true
		x.seen[w].join(r.far)
		if x.code.polls[x.at.u.At] {
			for a, e := range r.near {
				if a.block == x.block {
					x.seen[w].join(clock{a: e})
				}
			}
		}
	}
}

// ordered reports whether the present warp has seen an earlier access.
func (x *raceWatcher) ordered(was cell, own bool) bool {
	seen := x.seen[x.at.w]
	if len(seen) == 0 {
		return false
	}
	b := x.block
	if !own {
		b = x.blockOf(was.epoch())
	}
	return seen[agent{b, int8(was.warp())}] >= was.epoch() || seen[agent{b, allWarps}] >= was.epoch()
}
