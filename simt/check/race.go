package check

import (
	"slices"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Race is a Checker that finds accesses of two threads to the same bytes, one of them a write, that
// nothing orders. It judges by the model, never by the order of the simulator: a barrier orders the
// threads of a block; a fence, an atomic and a poll order what comes before the fence and after the
// atomic or the poll (order.go); the end of a launch orders all. Lanes of a warp run in lockstep, so
// two of their accesses are a note, unless they are on two sides of a branch.
type Race struct {
	// Found gets what is found, at the end of each launch.
	Found func(Finding)

	// First is told of each error when it happens first in a launch; may be nil.
	First func(Finding)

	// Again says that launches may be given up and run again: Back comes between.
	Again bool

	// Work is the place of the next launch, or of the next Copy, among all work of the device.
	Work Work

	epoch   uint32 // the last one, over all launches
	pages   pages
	earlier []*raceLaunch // that may run at the same time as later work
	facts   map[*program.Program]*facts
	before  []keptPage // of pages, at the start of the last work; kept for Back
	placed  *raceLaunch
}

// mostEpochs is how many epochs a cell can name.
const mostEpochs = 1<<epochBits - 1

// raceLaunch is a launch that a Race watches.
type raceLaunch struct {
	*Race
	l      *Launch
	code   *facts
	unit   uint // accesses are noted by 1<<unit bytes
	work   Work
	copy   *Site   // of a copy of the host; else nil
	base   uint32  // the first epoch
	oldest uint32  // the first epoch of work that may run at the same time
	owner  []int32 // by epoch from base on: the block
	syncs  map[word]*release
	found  races
	stored []bool // by instruction: of global accesses, whether the kernel stores there
	unread []bool // by instruction: of global stores, whether nothing reads there that may conflict
}

// word is a word that orders threads: of global memory, or of the shared memory of a block.
type word struct {
	block int32 // -1 for global memory
	addr  uint32
}

// Begin is for Checker.
func (r *Race) Begin(l *Launch) Watch {
	g := &raceLaunch{Race: r, l: l, code: r.factsOf(l.Program), unit: 2, syncs: map[word]*release{}}
	g.found.p, g.found.lockstep = l.Program, make([]*example, len(l.Program.Code))
	for i := range l.Program.Code {
		for size := storedSize(&l.Program.Code[i]); size > 0 && size < 1<<g.unit; {
			g.unit--
		}
	}
	r.place(g)
	g.stored = program.Stored(l.Program, l.Params, l.Machine.Global)
	if g.oldest == g.base {
		g.unread = program.OnlyStored(l.Program, l.Params, l.Machine.Global)
	}
	if r.Work.Beside { // what other work stores to is not known from this program
		g.stored = slices.Repeat([]bool{true}, len(g.stored))
	}
	return g
}

// place adds work to what may run at the same time as later work.
func (r *Race) place(g *raceLaunch) {
	if r.epoch > mostEpochs/2 {
		r.epoch, r.earlier, r.pages = 0, nil, pages{}
	}
	// Pieces of another size have other numbers, so races between two such kernels are not seen.
	r.earlier = slices.DeleteFunc(r.earlier, func(h *raceLaunch) bool { return r.Work.done(&h.work) || r.Work.is(&h.work) || h.unit != g.unit })
	if len(r.earlier) == 0 {
		r.pages.recycle()
	}
	if r.Again {
		r.placed, r.before = g, r.pages.copies()
	}
	g.base, g.work = r.epoch+1, r.Work
	g.oldest = g.base
	for _, h := range r.earlier {
		if !g.work.after(&h.work) {
			g.oldest = min(g.oldest, h.base)
		}
	}
	r.earlier = append(r.earlier, g)
}

// Back forgets the last launch, which was given up.
func (r *Race) Back() {
	g := r.placed
	r.placed = nil
	switch i := slices.Index(r.earlier, g); {
	case g == nil || i < 0:
		return
	case g.base == 1: // epochs have begun anew: there is nothing before
		r.earlier, r.pages = nil, pages{}
	default:
		r.earlier = slices.Delete(r.earlier, i, i+1)
		r.pages.back(r.before)
	}
	r.before = nil
}

// storedSize returns the bytes that each lane writes by u, 0 for none.
func storedSize(u *program.Op) int {
	if u.Refusal == nil && u.Memory && u.Ins.Op.HandsOver(1) && (u.Space == program.SpaceGlobal || u.Space == program.SpaceShared) {
		return mem.Size(u.Ins.Type)
	}
	return 0
}

// Block is for Watch.
func (g *raceLaunch) Block(st *machine.State) Watcher {
	w := &raceWatcher{raceLaunch: g, st: st}
	w.shared.make(int(g.l.Shared)>>g.unit + 1)
	return w
}

// End is for Watch.
func (g *raceLaunch) End(*machine.Fault) { g.found.report(g.Found) }

// next begins an epoch of a block.
func (g *raceLaunch) next(block int32) uint32 {
	if g.epoch == mostEpochs { // later conflicts with cells so far are lost
		g.epoch, g.base, g.oldest, g.owner, g.pages, g.earlier = 0, 1, 1, nil, pages{}, []*raceLaunch{g}
	}
	g.epoch++
	g.owner = append(g.owner, block)
	return g.epoch
}

// blockOf returns the block of an epoch of this launch.
func (g *raceLaunch) blockOf(epoch uint32) int32 { return g.owner[epoch-g.base] }

// launchOf returns the work that an epoch since oldest is of.
func (g *raceLaunch) launchOf(epoch uint32) *raceLaunch {
	for _, h := range slices.Backward(g.earlier) {
		if epoch >= h.base {
			return h
		}
	}
	return nil
}

// raceWatcher watches the blocks of a state.
type raceWatcher struct {
	*raceLaunch
	st       *machine.State
	block    int32
	epoch    uint32 // of the accesses now
	interval uint32 // the first epoch since the last barrier
	shared   cells
	log      readLog
	clocks
	at    issue    // the access that is looked at
	now   cell     // of its lane 0
	limit cell     // cells from here on may conflict
	same  lane.Row // addresses of lanes that access one word
}

// issue is one access of lanes of a warp.
type issue struct {
	u      *program.Op
	space  program.Space
	w      int
	active lane.Mask
	data   *mem.Data // of a write; else nil
	addr   *lane.Row
	kind   access
}

// access is how an instruction touches a word.
type access uint8

// The accesses.
const (
	reads access = iota
	writes
	changes // an atomic
)

// Start is for Watcher.
func (x *raceWatcher) Start() {
	x.block = int32(x.st.Number)
	x.epoch = x.next(x.block)
	x.interval = x.epoch
	x.log.begin()
	x.clocks = clocks{}
}

// Opened is for Watcher.
func (x *raceWatcher) Opened() {
	x.epoch = x.next(x.block)
	x.interval = x.epoch
	x.log.begin()
	x.clocks.meet()
}

// End is for Watcher.
func (x *raceWatcher) End() {}

// Wants is for machine.AccessHook.
func (x *raceWatcher) Wants(u *program.Op) bool {
	if u.Refusal != nil {
		return false
	}
	for i := range u.Src {
		switch s := &u.Src[i]; {
		case s.Mode == program.SrcSharedAt, s.Mode == program.SrcShared && s.Offset+4 > x.l.Head:
			return true
		}
	}
	switch {
	case !u.Accesses():
		return false
	case u.Space == program.SpaceFence:
		return x.code.fences[u.At]
	case u.Space == program.SpaceShared:
		return true
	}
	return u.Space == program.SpaceGlobal && x.stored[u.At]
}

// Load is for machine.AccessHook.
func (x *raceWatcher) Load(_ *machine.State, u *program.Op, space program.Space, w int, addr *lane.Row, m lane.Mask, size int) {
	switch {
	case space == program.SpaceFence:
		if x.code.fences[u.At] {
			x.fence(w)
		}
		return
	case space != program.SpaceShared && space != program.SpaceGlobal:
		return
	case u.Ins.Mods&tesla.Lock != 0: // the store that unlocks is the atomic
		return
	}
	x.at = issue{u: u, space: space, w: w, active: m, addr: addr}
	if space != program.SpaceShared || !x.log.add(x, m, size) {
		x.row(m, size)
	}
	if x.code.polls[u.At] {
		x.acquireRow(m)
	}
}

// LoadWord is for machine.AccessHook.
func (x *raceWatcher) LoadWord(_ *machine.State, u *program.Op, sel *lane.Sel, addr uint32, size int) {
	if addr+uint32(size) <= x.l.Head {
		return
	}
	for i, w := range sel.Warp[:sel.N] {
		m := sel.Mask[i]
		x.at = issue{u: u, space: program.SpaceShared, w: int(w), active: m, addr: &x.same}
		rest := m &^ (m & -m)
		two := m&-m | rest&-rest // two lanes stand for all
		for m := two; m != 0; m &= m - 1 {
			x.same[lowest(m)] = addr
		}
		if !x.log.add(x, two, size) {
			x.row(two, size)
		}
		if x.code.polls[u.At] {
			x.acquireRow(m & -m)
		}
	}
}

// Store is for machine.AccessHook.
func (x *raceWatcher) Store(_ *machine.State, u *program.Op, w int, data *mem.Data, addr *lane.Row, m lane.Mask, size int) {
	if u.Space != program.SpaceShared && u.Space != program.SpaceGlobal {
		return
	}
	if u.Space == program.SpaceShared {
		x.log.flush(x)
	}
	kind := writes
	if u.Ins.Mods&tesla.Unlock != 0 {
		kind = changes
	}
	x.at = issue{u: u, space: u.Space, w: w, active: m, addr: addr, data: data, kind: kind}
	x.row(m, size)
	if x.code.polled {
		x.releaseRow(m, false)
	}
}

// Atomic is for machine.AccessHook.
func (x *raceWatcher) Atomic(_ *machine.State, u *program.Op, w int, data *mem.Data, addr *lane.Row, m lane.Mask, size int) {
	if u.Space != program.SpaceGlobal {
		return
	}
	x.at = issue{u: u, space: u.Space, w: w, active: m, addr: addr, kind: changes}
	if x.code.orders {
		x.acquireRow(m)
	}
	x.row(m, size)
	if x.code.orders {
		x.releaseRow(m, true)
	}
}

// Fetch is for machine.AccessHook.
func (x *raceWatcher) Fetch(*machine.State, *program.Op, int, lane.Mask) {}

// Vote is for machine.AccessHook.
func (x *raceWatcher) Vote(*machine.State, *program.Op, int, lane.Mask, lane.Mask) {}

// VoteJoined is for machine.AccessHook.
func (x *raceWatcher) VoteJoined(*machine.State, *program.Op, int, lane.Mask) {}
