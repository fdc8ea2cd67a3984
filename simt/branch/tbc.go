package branch

import (
	"fmt"
	"slices"

	"jacquard/simt/lane"
)

// tbc is thread block compaction: Fung and Aamodt, "Thread Block Compaction for Efficient SIMT
// Control Flow" (HPCA 2011). The block has one stack, of the kind that GPGPU-Sim gives each warp;
// an entry holds lanes of all its warps. At a branch the warps wait for each other. If the branch
// diverges, the lanes of each side are packed into the fewest warps, each lane in its own column.
// Where the sides meet, at the immediate post-dominator of the branch, the lanes go back to their
// home warps.
//
// The warps of an entry run one after another, each to the branch, the meeting point or the barrier
// where it waits for the others: they execute the same code, so all wait at the same instruction.
type tbc struct {
	homes
	meets map[uint32]uint32 // by the address after a branch: where its sides meet
	stack []blockEntry
	made  []dynamicWarp // of the top entry
	at    int           // index in made of the current warp; the warps before it wait
	moves []move        // where the lanes of the waiting warps go on
	sides []blockEntry  // scratch of split
	most  int
}

// blockEntry is an entry of the stack. Its lanes are also in the entries below, down to the entry
// of their call, or to the bottom if they are in no call.
type blockEntry struct {
	pc     uint32 // where the lanes go on once the entry is on top
	meet   uint32 // where the lanes go on in the entry below; NoStop: nowhere
	call   bool   // a call began with the entry; its lanes leave by returning
	packed bool   // lanes are not in their home warps
	lanes  [lane.MaxWarps]lane.Mask
}

func prepareTBC(k *Kernel, _ []string) (func() Policy, error) {
	meets := postDominators(k.Graph())
	return func() Policy { return &tbc{meets: meets} }, nil
}

// narrow implements narrower.
func (p *tbc) narrow(width int) Policy {
	p.width = width
	return p
}

func (p *tbc) Start(masks []lane.Mask) {
	p.homes.start(masks)
	e := blockEntry{meet: NoStop}
	copy(e.lanes[:], masks)
	p.stack, p.most = append(p.stack[:0], e), 1
	p.begin()
}

func (p *tbc) top() *blockEntry { return &p.stack[len(p.stack)-1] }

// begin makes the warps of the top entry.
func (p *tbc) begin() {
	p.made, p.at, p.moves = p.made[:0], 0, p.moves[:0]
	if len(p.stack) == 0 {
		return
	}
	t := p.top()
	for w, m := range t.lanes {
		if t.packed {
			p.made = p.pack(p.made, move{t.pc, w, m})
		} else {
			p.made = p.whole(p.made, t.pc, w, m)
		}
	}
}

func (p *tbc) Form(c *Cohort) bool {
	if p.at == len(p.made) {
		return false
	}
	p.made[p.at].cohort(c, p.top().meet)
	return true
}

// Advance ends the turn of a warp that came to the meeting point of its entry.
func (p *tbc) Advance(c *Cohort, pc uint32) {
	p.made[p.at].pc = pc
	if pc != p.top().meet {
		return
	}
	for i := range c.N {
		p.moves = append(p.moves, move{pc, int(c.Warp[i]), c.Mask[i]})
	}
	if p.last() {
		p.top().pc = pc
		p.popDone()
	}
}

func (p *tbc) Control(c *Cohort, e *Event) (WarpSet, error) {
	from := len(p.moves)
	var arrived WarpSet
	var err error
	if p.moves, arrived, err = p.scatter(c, e, p.moves); err != nil {
		return 0, err
	}
	back := e.Next // of a call
	switch e.Kind {
	case JoinAt, BreakAddr, QuadOn, QuadPop: // the warp waits for no other
		p.moves = p.moves[:from]
		p.Advance(c, e.Next)
		return arrived, nil
	case Return:
		p.moves = p.moves[:from]
		for i, w := range c.Warp[:c.N] {
			if stay := c.Mask[i] &^ e.Lanes[i]; stay != 0 {
				p.moves = append(p.moves, move{e.Next, int(w), stay})
			}
		}
		p.leave(c, &e.Lanes, false)
	case Exit:
		p.leave(c, &c.Mask, true)
	case PreReturn:
		back = e.Target
	}
	if !p.last() {
		return arrived, nil
	}
	if e.Kind == Arrive {
		p.stepAside()
		return arrived, nil
	}
	if e.Kind == Call || e.Kind == PreReturn {
		t := p.top()
		t.pc = back
		err = p.push(blockEntry{pc: p.moves[0].pc, meet: NoStop, call: true, packed: t.packed, lanes: t.lanes})
	} else {
		err = p.split(e.Next)
	}
	if err != nil {
		return 0, &StackError{int(c.Warp[0]), err.Error()}
	}
	p.popDone()
	return arrived, nil
}

// leave takes lanes out of the entries of their call, or out of the whole stack if they are in no
// call or end.
func (p *tbc) leave(c *Cohort, gone *[lane.MaxWarps]lane.Mask, end bool) {
	for i := len(p.stack) - 1; i >= 0; i-- {
		t := &p.stack[i]
		for k, w := range c.Warp[:c.N] {
			t.lanes[w] &^= gone[k]
		}
		if t.call && !end {
			return
		}
	}
}

// last ends the turn of a warp and reports whether the turn was the last of the entry.
func (p *tbc) last() bool {
	p.at++
	return p.at == len(p.made)
}

// popDone pops the entries whose lanes have left or have met the lanes below, and begins the turns
// of the new top entry.
func (p *tbc) popDone() {
	for len(p.stack) > 0 {
		if t := p.top(); t.lanes != (blockEntry{}).lanes && t.pc != t.meet {
			break
		}
		p.stack = p.stack[:len(p.stack)-1]
	}
	p.begin()
}

func (p *tbc) push(e blockEntry) error {
	if len(p.stack) == stackLimit {
		return fmt.Errorf("control stack overflow: more than %d entries", stackLimit)
	}
	p.stack = append(p.stack, e)
	p.most = max(p.most, len(p.stack))
	return nil
}

// split sends the lanes of the top entry where p.moves says; next is the address after the
// instruction. If the lanes go to several pcs, the entry becomes their meeting point, and each pc
// gets an entry of its own; the first runs first.
func (p *tbc) split(next uint32) error {
	sides := p.sides[:0]
	for _, m := range p.moves {
		i := slices.IndexFunc(sides, func(s blockEntry) bool { return s.pc == m.pc })
		if i < 0 {
			i = len(sides)
			sides = append(sides, blockEntry{pc: m.pc, meet: NoStop, packed: true})
		}
		sides[i].lanes[m.warp] |= m.lanes
	}
	p.sides = sides
	t := p.top()
	if len(sides) < 2 {
		for _, s := range sides {
			t.pc = s.pc
		}
		return nil
	}
	meet, known := p.meets[next]
	if !known {
		meet = NoStop
	}
	switch {
	case meet != t.meet:
		t.pc = meet
	case !t.call: // the lanes meet in the entry below
		p.stack = p.stack[:len(p.stack)-1]
	}
	for _, s := range slices.Backward(sides) {
		if s.meet = meet; s.pc == meet {
			continue
		}
		if err := p.push(s); err != nil {
			return err
		}
	}
	return nil
}

// stepAside takes the top entry off the stack while its lanes wait at a barrier, so that others can
// come there. In a call they stay: the stack knows which lanes return together.
func (p *tbc) stepAside() {
	stays := true
	for w := range p.n {
		stays = stays && p.warps[w].ready() == 0
	}
	if stays || p.inCall() {
		return
	}
	lanes := p.top().lanes
	p.stack = p.stack[:len(p.stack)-1]
	for i := range p.stack {
		for w := range p.n {
			p.stack[i].lanes[w] &^= lanes[w]
		}
	}
	p.popDone()
}

// inCall reports whether the stack holds a call.
func (p *tbc) inCall() bool {
	return slices.ContainsFunc(p.stack, func(e blockEntry) bool { return e.call })
}

// Release lets the lanes of warps go on after a barrier. Lanes that stepped aside join the top
// entry if it is at their pc; otherwise they get an entry above it without a meeting point.
func (p *tbc) Release(warps WarpSet) {
	if p.moves = p.release(warps, p.moves[:0]); len(p.moves) == 0 {
		return
	}
	here := NoStop // the common next pc of the lanes of the top entry
	for _, m := range p.moves {
		if len(p.stack) > 0 && p.top().lanes[m.warp]&m.lanes != 0 {
			here = m.pc
			p.top().pc = here
		}
	}
	var apart []move
	for _, m := range p.moves {
		if m.pc != here {
			apart = append(apart, m)
			continue
		}
		if !p.inCall() { // otherwise no lane stepped aside
			for i := range p.stack {
				p.stack[i].lanes[m.warp] |= m.lanes
			}
		}
	}
	for _, m := range apart {
		t := len(p.stack) - 1
		if t < 0 || p.stack[t].pc != m.pc {
			p.stack = append(p.stack, blockEntry{pc: m.pc, meet: NoStop, packed: true})
			t++
		}
		p.stack[t].lanes[m.warp] |= m.lanes
	}
	p.popDone()
}

func (p *tbc) Depth() int { return p.most }

func (p *tbc) Places(w int, to []Place) []Place {
	to = p.warps[w].places(to)
	left := p.warps[w].ready()
	put := func(pc uint32, m lane.Mask) {
		to = appendPlace(to, pc, m&left)
		left &^= m
	}
	for _, m := range p.moves {
		if m.warp == w {
			put(m.pc, m.lanes)
		}
	}
	for i := p.at; i < len(p.made); i++ {
		put(p.made[i].pc, p.made[i].lanes[w])
	}
	for _, t := range slices.Backward(p.stack) {
		put(t.pc, t.lanes[w])
	}
	return to
}

func (p *tbc) State(_ int, to State) State {
	to = p.homes.state(to)
	for _, t := range p.stack {
		if t.packed {
			to = append(to, entryOf(PackedEntry, NoStop, 0))
		}
		e := Entry{Kind: LevelEntry, PC: t.pc, Number: t.meet}
		if t.call {
			e.Kind = FunctionEntry
		}
		to = ofHomes(to, e, &t.lanes)
	}
	for i := p.at; i < len(p.made); i++ {
		to = p.made[i].state(to, i-p.at, i == p.at)
	}
	for i, m := range p.moves {
		to = append(to, Entry{Kind: BlockedEntry, PC: m.pc, Warp: uint8(m.warp), Mask: m.lanes, Number: uint32(i)})
	}
	return to
}
