package branch

import (
	"maps"
	"math/bits"
	"slices"

	"jacquard/simt/lane"
)

// dwf is dynamic warp formation: Fung, Sham, Yuan and Aamodt, "Dynamic Warp Formation: Efficient
// MIMD Control Flow on SIMD Graphics Hardware" (TACO 2009). The threads of a block are pooled. A
// scheduler takes a warp of the pool for every issue. After the issue the lanes join warps at their
// pc in which their columns are free, or begin a new warp. With lanes=free a warp has room for any
// lane, as if every lane reached all registers: the paper's bound without lane awareness. The paper
// pools the threads of a multiprocessor, this policy the threads of a block.
//
// Unverified: when lanes may join. With form=every they join after every issue, with branch after
// branches, with divergent after divergent branches; after a barrier always. Only with every do
// lanes that fall through from both sides of an if meet.
type dwf struct {
	homes
	kernel *dwfKernel
	pool   []dynamicWarp // oldest first: a warp that issued goes to the end
	at     int           // index in pool of the current warp, -1 until one is chosen
	major  uint32        // dmaj: the pc whose warps issue now
	passed [lane.MaxWarps][lane.Width]uint32
	moves  []move
	most   int // most dynamic warps so far
}

// dwfKernel is shared by the policies of all blocks.
type dwfKernel struct {
	sched string   // which warp issues: see choose
	form  string   // when lanes join others: see forms
	next  []uint32 // by pc/4: the pc after the instruction there
	meet  []uint32 // dpdpri: the post-dominators of branches, ascending
}

func prepareDWF(k *Kernel, chosen []string) (func() Policy, error) {
	shared := &dwfKernel{sched: chosen[0], form: chosen[1]}
	for _, in := range k.Code {
		for uint32(len(shared.next)) < in.Next/4 {
			shared.next = append(shared.next, NoStop)
		}
		shared.next[in.PC/4] = in.Next
	}
	if shared.sched == "dpdpri" {
		shared.meet = slices.Compact(slices.Sorted(maps.Values(postDominators(k.Graph()))))
	}
	free := chosen[2] == "free"
	return func() Policy { return &dwf{homes: homes{free: free}, kernel: shared} }, nil
}

// narrow implements narrower.
func (p *dwf) narrow(width int) Policy {
	p.width = width
	return p
}

func (p *dwf) Start(masks []lane.Mask) {
	p.homes.start(masks)
	p.pool, p.at, p.major, p.most = p.pool[:0], -1, NoStop, 0
	p.passed = [lane.MaxWarps][lane.Width]uint32{}
	for w, m := range masks {
		p.pool = p.whole(p.pool, 0, w, m)
	}
	p.most = len(p.pool)
}

func (p *dwf) Form(c *Cohort) bool {
	if len(p.pool) == 0 {
		return false
	}
	stop := NoStop
	p.at = 0
	if len(p.pool) > 1 {
		p.at = p.choose()
		if i := int(p.pool[p.at].pc / 4); i < len(p.kernel.next) {
			stop = p.kernel.next[i]
		}
	}
	d := &p.pool[p.at]
	if i, _ := slices.BinarySearch(p.kernel.meet, d.pc+1); i < len(p.kernel.meet) {
		stop = min(stop, p.kernel.meet[i])
	}
	d.cohort(c, stop)
	return true
}

// choose returns the index in the pool of the warp to issue, the oldest among equals.
func (p *dwf) choose() int {
	switch p.kernel.sched {
	case "dmaj": // of the pc with the most threads, until all its warps have issued
		if !slices.ContainsFunc(p.pool, func(d dynamicWarp) bool { return d.pc == p.major }) {
			p.major = p.pool[p.best(func(d *dynamicWarp) int { return -p.threads(d.pc) })].pc
		}
		return slices.IndexFunc(p.pool, func(d dynamicWarp) bool { return d.pc == p.major })
	case "dmin": // of the pc with the fewest threads: stragglers
		return p.best(func(d *dynamicWarp) int { return p.threads(d.pc) })
	case "dpc": // of the lowest pc
		return p.best(func(d *dynamicWarp) int { return int(d.pc) })
	case "dpdpri": // with the fewest post-dominators passed since the last barrier
		return p.best(func(d *dynamicWarp) int { return int(p.leastPassed(d)) })
	}
	return 0 // "dtime": the oldest
}

// best returns the first warp of the pool with the least rank.
func (p *dwf) best(rank func(*dynamicWarp) int) int {
	at, least := 0, rank(&p.pool[0])
	for i := 1; i < len(p.pool); i++ {
		if r := rank(&p.pool[i]); r < least {
			at, least = i, r
		}
	}
	return at
}

// threads returns how many threads of the pool are at pc.
func (p *dwf) threads(pc uint32) (n int) {
	for i := range p.pool {
		if p.pool[i].pc == pc {
			n += bits.OnesCount32(uint32(p.pool[i].taken))
		}
	}
	return n
}

// leastPassed returns the least number of post-dominators that a thread of a warp has passed.
func (p *dwf) leastPassed(d *dynamicWarp) uint32 {
	least := NoStop
	for w, m := range d.lanes {
		for ; m != 0; m &= m - 1 {
			least = min(least, p.passed[w][first(m)])
		}
	}
	return least
}

// reach counts one more passed post-dominator for lanes m of warp w, if pc is one.
func (p *dwf) reach(pc uint32, w int, m lane.Mask) {
	if _, found := slices.BinarySearch(p.kernel.meet, pc); !found {
		return
	}
	for ; m != 0; m &= m - 1 {
		p.passed[w][first(m)]++
	}
}

func (p *dwf) Advance(c *Cohort, pc uint32) {
	p.moves = p.moves[:0]
	for i, w := range c.Warp[:c.N] {
		p.moves = append(p.moves, move{pc, int(w), c.Mask[i]})
	}
	p.goOn(0)
}

func (p *dwf) Control(c *Cohort, e *Event) (WarpSet, error) {
	moves, arrived, err := p.scatter(c, e, p.moves[:0])
	if p.moves = moves; err != nil {
		return 0, err
	}
	p.goOn(e.Kind)
	return arrived, nil
}

// goOn puts the lanes of the warp that ran back into the pool, where p.moves says. kind is the
// event, 0 after straight-line code.
func (p *dwf) goOn(kind EventKind) {
	p.pool = slices.Delete(p.pool, p.at, p.at+1)
	p.at = -1
	if p.forms(kind) {
		p.join()
		return
	}
	same := dynamicWarp{}
	for _, m := range p.moves {
		p.reach(m.pc, m.warp, m.lanes)
		same.pc = m.pc
		p.add(&same, m.warp, m.lanes)
	}
	if same.taken != 0 {
		p.pool = append(p.pool, same)
	}
}

// forms reports whether lanes join other warps, or begin new ones, after an event: after every
// event, after events that choose a way, or after events that lead to several pcs ("divergent").
func (p *dwf) forms(kind EventKind) bool {
	const choosing = 1<<Branch | 1<<Break | 1<<Call | 1<<Return
	return p.kernel.form == "every" || p.kernel.form == "branch" && choosing>>kind&1 != 0 ||
		slices.ContainsFunc(p.moves, func(m move) bool { return m.pc != p.moves[0].pc })
}

// join puts the lanes of p.moves into the pool.
func (p *dwf) join() {
	for _, m := range p.moves {
		p.reach(m.pc, m.warp, m.lanes)
		p.pool = p.pack(p.pool, m)
	}
	p.most = max(p.most, len(p.pool))
}

// Release lets the lanes form warps anew. The count of post-dominators begins again, because no
// lane is ahead.
func (p *dwf) Release(warps WarpSet) {
	p.moves, p.at = p.release(warps, p.moves[:0]), -1
	for w := range p.n {
		if warps>>w&1 != 0 {
			p.passed[w] = [lane.Width]uint32{}
		}
	}
	p.join()
}

func (p *dwf) Depth() int { return p.most }

func (p *dwf) Places(w int, to []Place) []Place {
	for i := range p.pool {
		to = appendPlace(to, p.pool[i].pc, p.pool[i].lanes[w])
	}
	return p.warps[w].places(to)
}

// State gives the passed post-dominators relative to the last thread: the counts themselves grow
// without end.
func (p *dwf) State(_ int, to State) State {
	to = p.homes.state(to)
	least := NoStop
	for i := range p.pool {
		to = p.pool[i].state(to, i, i == p.at)
		least = min(least, p.leastPassed(&p.pool[i]))
	}
	if len(p.kernel.meet) > 0 {
		to = p.ahead(to, least)
	}
	if p.major != NoStop {
		to = append(to, entryOf(MajorEntry, p.major, 0))
	}
	return to
}

// ahead appends the lanes that can run, by how many more post-dominators than least they passed.
func (p *dwf) ahead(to State, least uint32) State {
	for w := range p.n {
		counts := p.passed[w]
		for l := range counts {
			counts[l] -= least
			if p.warps[w].ready()>>l&1 == 0 {
				counts[l] = 0
			}
		}
		begin := len(to)
		to = columns(to, PassedEntry, &counts, func(c uint32) bool { return c > 0 })
		for i := range to[begin:] {
			to[begin+i].Warp = uint8(w)
		}
	}
	return to
}
