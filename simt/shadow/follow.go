package shadow

import (
	"slices"

	"jacquard/simt/check"
	"jacquard/simt/engine/reference"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/simt/schedule"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// tracer is the observer of a launch that follows bits without a value.
type tracer struct {
	m       *Memory
	l       *schedule.Launch
	p       *program.Program
	effects []effects
	steps   []uint8 // of exchanges, by instruction
	idle    []*block
	index   [2]int // of the block that runs
	seen    map[clue]int
	found   []check.Finding
}

func newTracer(m *Memory, l *schedule.Launch) *tracer {
	p := l.Program.Program
	return &tracer{m: m, l: l, p: p, effects: effectsOf(p), steps: exchangesOf(p), seen: map[clue]int{}}
}

// block is the shadow of a block.
type block struct {
	*tracer
	view   *watch.Block
	number [2]int // of the last block that has ended
	warps  []warp
	shared []page
	before []register // scratch of guarded
}

// Block is for watch.Observer.
func (t *tracer) Block(view *watch.Block) watch.BlockObserver {
	var b *block
	if n := len(t.idle); n > 0 {
		b, t.idle = t.idle[n-1], t.idle[:n-1]
	} else {
		b = &block{tracer: t, warps: make([]warp, len(view.Lanes()))}
	}
	b.view = view
	for w := range b.warps {
		b.begin(w)
	}
	b.shared = blankShared(b.shared, len(view.Shared()), tesla.HeaderBytes+len(t.l.Params))
	return b
}

// blankShared returns the shadow of shared memory at the start of a block, in the storage of pages.
func blankShared(pages []page, size, head int) []page {
	if pages == nil {
		pages = make([]page, (size+pageSize-1)/pageSize)
	}
	for i := range pages {
		p, begin := &pages[i], i*pageSize
		*p = *blankPage
		from, to := min(max(head-begin, 0), pageSize), min(size-begin, pageSize)
		p.define(0, uint32(from))
		p.define(uint32(to), uint32(pageSize-to))
	}
	return pages
}

// End is for watch.BlockObserver. The shadow stays: the block may have faulted.
func (b *block) End() {
	b.number = b.view.Index()
	b.view = nil
	b.idle = append(b.idle, b)
}

// faulted reports the address of the access that has ended a launch, of which Issue was not told.
func (t *tracer) faulted(f *machine.Fault) {
	at, ok := t.p.Index(f.PC)
	k := slices.IndexFunc(t.idle, func(b *block) bool { return b.number == f.Block })
	if !ok || k < 0 || f.Warp >= len(t.idle[k].warps) {
		return
	}
	b, u := t.idle[k], &t.p.Code[at]
	i := &issued{u: u, w: f.Warp, x: &b.warps[f.Warp], lanes: f.Lanes}
	t.index = f.Block
	if u.Accesses() {
		b.aimed(i)
		return
	}
	for k := range u.Ins.Src {
		if o := &u.Ins.Src[k]; o.Kind == tesla.Shared || o.Kind == tesla.Const {
			b.aim(i, "address", &i.x.addresses[o.Base&7])
		}
	}
}

// Issue is for watch.BlockObserver.
func (b *block) Issue(i *watch.Issue) {
	at, ok := b.p.Index(i.PC)
	if !ok {
		return
	}
	u := &b.p.Code[at]
	b.index = b.view.Index()
	for k := range i.Active.N {
		w := int(i.Active.Warp[k])
		if i.Vetoed>>w&1 != 0 {
			continue
		}
		b.issue(&issued{u: u, w: w, x: &b.warps[w], lanes: i.Executed[k], addr: &i.Addresses[k]}, i.Active.Mask[k])
	}
}

// issued is an instruction that lanes of a warp executed.
type issued struct {
	u     *program.Op
	w     int
	x     *warp
	lanes lane.Mask
	addr  *lane.Row // of loads, stores and atomics
}

// issue follows an instruction that active lanes issued.
func (b *block) issue(i *issued, active lane.Mask) {
	u, e := i.u, &b.effects[i.u.At]
	if !u.Guarded || !u.HeedsGuard() {
		b.act(i)
		b.refresh(&e.defs, i.w)
		return
	}
	guard := &i.x.flags[u.Guard.Reg]
	unsure := unsure(guard, u.Guard, active)
	if unsure != 0 && (!u.Acts || changesMemory(u)) {
		b.report("branch", u, i.w, unsure, guard)
		guard.touched &^= unsure
		unsure = 0
	}
	if unsure != 0 {
		b.guarded(i, guard, unsure)
		return
	}
	b.act(i)
	b.refresh(&e.defs, i.w)
}

// changesMemory reports whether an instruction is a store or an atomic.
func changesMemory(u *program.Op) bool {
	return u.Accesses() && (u.Ins.Dst.Kind == tesla.None || u.Ins.Op.Class() == tesla.ClassAtomic)
}

// guarded follows an instruction of which nobody knows whether some lanes execute it.
func (b *block) guarded(i *issued, guard *register, unsure lane.Mask) {
	e := &b.effects[i.u.At]
	from := *guard
	b.before = b.before[:0]
	e.defs.each(i.x, func(r *register) { b.before = append(b.before, *r) })
	b.act(i)
	b.refresh(&e.defs, i.w)
	n := 0
	e.defs.each(i.x, func(r *register) {
		old := &b.before[n]
		n++
		each(unsure, func(l int) {
			x := r.get(l)
			if i.lanes>>l&1 == 0 {
				x = b.missed(i, l, x.v)
			}
			r.set(l, uint32(either(x, old.get(l), 0).free), from.origin[l])
		})
	})
}

// missed returns the value that an instruction did not write in a lane which it left out, for a
// register with content v. A move has its source; anything else might have any value.
func (b *block) missed(i *issued, l int, v uint64) value {
	switch in := i.u.Ins; {
	case in.Dst.Kind == tesla.Half:
		return value{v, 0xffff << (16 * (in.Dst.Index % 2))}
	case in.Op == tesla.OpMov && in.Dst.Kind == tesla.Reg && widthOf(in, 0) == 32:
		x, _ := b.source(i, 0, l)
		return x
	}
	return value{v, 1<<32 - 1}
}

// unsure returns the lanes of m for which nobody knows whether a guard holds.
func unsure(r *register, g tesla.Guard, m lane.Mask) (lanes lane.Mask) {
	each(r.touched&m, func(l int) {
		holds := reference.Holds(g.Cond, uint8(r.value[l]))
		for free := r.bits[l]; free != 0; free = (free - 1) & r.bits[l] {
			if reference.Holds(g.Cond, uint8(r.value[l]^free)) != holds {
				lanes |= 1 << l
				return
			}
		}
	})
	return lanes
}

// act follows what an instruction does in the lanes that execute it.
func (b *block) act(i *issued) {
	switch u := i.u; u.Ins.Op {
	case tesla.OpVote:
		b.vote(i)
	case tesla.OpBraIndirect:
		b.aim(i, "branch", &i.x.addresses[u.Ins.Src[0].Base&7])
	case tesla.OpTexFetch, tesla.OpTexAuto, tesla.OpTexBias, tesla.OpTexLod:
		b.texture(i)
	default:
		switch {
		case u.Accesses():
			b.access(i)
		case b.steps[u.At] != 0:
			i.x.exchange.follow(b, i, b.steps[u.At])
		case u.Acts && u.Event == 0:
			b.compute(i)
		}
	}
}

// vote follows docs/isa/operations.md, Vote. Lanes of other warps that vote with them are not
// looked at.
func (b *block) vote(i *issued) {
	in := i.u.Ins
	guard, to := &i.x.flags[in.Guard.Reg], &i.x.flags[in.CDst.Index()&3]
	open := unsure(guard, in.Guard, i.lanes)
	free, origin := uint32(3), uint32(0)
	each(open, func(l int) { origin = guard.origin[l] })
	if open == 0 {
		free = 0
	}
	each(i.lanes&^open, func(l int) {
		if holds := reference.Holds(in.Guard.Cond, uint8(guard.value[l])); holds == (in.Vote == tesla.VoteAny) {
			free = 0 // this lane decides
		}
	})
	each(i.lanes, func(l int) { to.set(l, free, origin) })
}

// aim reports lanes that depend on an address without a value.
func (b *block) aim(i *issued, what string, r *register) {
	if lanes := r.touched & i.lanes; lanes != 0 {
		b.report(what, i.u, i.w, lanes, r)
		r.touched &^= lanes // once is enough
	}
}
