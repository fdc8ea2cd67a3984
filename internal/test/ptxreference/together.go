package ptxreference

import (
	"math/bits"

	"jacquard/ptx"
)

// asked is a thread's input to a barrier or to a meeting of its warp.
type asked struct {
	meeting *meeting
	mask    uint64 // the lanes of a meeting with .sync
	value   uint64
	b, c    uint64
	barrier int
	count   int // threads of the barrier; 0: all
	result  func(t *thread, x uint64)
}

// meeting is an instruction whose result depends on other threads of the warp.
type meeting struct {
	kind   meetingKind
	d, p   sink
	answer answer
}

// meetingKind tells which instructions with .sync meet: PTX wants the same modifiers, not the same
// place.
type meetingKind struct {
	op   ptx.Op
	mode ptx.Mode
	t    ptx.Type
	atom ptx.AtomOp
	sync bool
}

// answer returns the results of the thread in a lane from the inputs of the group.
type answer func(g *group, lane int) (d, p uint64)

// group are the threads that meet, by lane.
type group [32]*thread

func (g *group) mask() (m uint64) {
	for i, t := range g {
		if t != nil {
			m |= 1 << i
		}
	}
	return m
}

// where returns the lanes whose value is x.
func (g *group) where(x uint64) (m uint64) {
	for i, t := range g {
		if t != nil && t.asked.value == x {
			m |= 1 << i
		}
	}
	return m
}

// finish gives all threads of a group their results.
func (g *group) finish() {
	var d, p [32]uint64
	for i, t := range g {
		if t != nil {
			d[i], p[i] = t.asked.meeting.answer(g, i)
		}
	}
	for i, t := range g {
		if t != nil {
			t.asked.meeting.d.put(t, d[i])
			t.asked.meeting.p.put(t, p[i])
			t.state = running
		}
	}
}

// withOthers binds barriers, votes, shuffles and the like.
func (b *binder) withOthers() step {
	in := b.in
	if in.Op == ptx.OpBar && in.Mode != ptx.BarWarp {
		return b.barrier()
	}
	sync := in.Mods&ptx.Sync != 0 || in.Op == ptx.OpBar || in.Op == ptx.OpMatch ||
		in.Op == ptx.OpRedux
	m := &meeting{kind: meetingKind{in.Op, in.Mode, in.Type, in.Atom, sync}}
	var value, second, third source
	args := 1
	switch in.Op {
	case ptx.OpVote:
		m.d, value, m.answer, args = b.sink(0), b.source(1, ptx.Pred), vote(in.Mode), 2
	case ptx.OpShfl:
		m.d, m.p, value = b.sink(0), b.pair(0), b.source(1, in.Type)
		second, third = b.source(2, ptx.U32), b.source(3, ptx.U32)
		m.answer, args = shuffle(in.Mode), 4
	case ptx.OpMatch:
		m.d, m.p, value, m.answer, args = b.sink(0), b.pair(0), b.source(1, in.Type), match(in.Mode), 2
	case ptx.OpRedux:
		m.d, value, m.answer, args = b.sink(0), b.source(1, in.Type), redux(in), 2
	case ptx.OpActiveMask:
		m.d = b.sink(0)
		m.answer = func(g *group, _ int) (d, p uint64) { return g.mask(), 0 }
	default: // bar.warp.sync
		args = 0
		m.answer = func(*group, int) (d, p uint64) { return 0, 0 }
	}
	if m.answer == nil {
		b.fail(Unsupported, "mode of %v", in.Op)
	}
	return b.meet(m, args, value, second, third)
}

// meet binds the wait for a meeting. The mask of .sync is the operand after the others.
func (b *binder) meet(m *meeting, args int, value, second, third source) step {
	var mask source
	if m.kind.sync {
		mask = b.source(args, ptx.U32)
		args++
	}
	b.operands(args)
	return func(t *thread) error {
		lanes := mask.get(t)
		if m.kind.sync && lanes>>t.lane&1 == 0 {
			return t.fault(Fault, "lane %d is not in the mask %#x", t.lane, lanes)
		}
		t.state = atMeeting
		t.asked = asked{meeting: m, mask: lanes, value: value.get(t), b: second.get(t), c: third.get(t)}
		return nil
	}
}

func vote(mode ptx.Mode) answer {
	yes := func(g *group) uint64 { return g.where(1) }
	switch mode {
	case ptx.VoteAll:
		return func(g *group, _ int) (d, p uint64) { return truth(yes(g) == g.mask()), 0 }
	case ptx.VoteAny:
		return func(g *group, _ int) (d, p uint64) { return truth(yes(g) != 0), 0 }
	case ptx.VoteUni:
		return func(g *group, _ int) (d, p uint64) {
			return truth(yes(g) == 0 || yes(g) == g.mask()), 0
		}
	case ptx.VoteBallot:
		return func(g *group, _ int) (d, p uint64) { return yes(g), 0 }
	}
	return nil
}

// shuffle reads the value of another lane. PTX leaves open the result if the other lane is outside
// of the group; here the thread gets its own value.
func shuffle(mode ptx.Mode) answer {
	if mode < ptx.ShflUp || mode > ptx.ShflIdx {
		return nil
	}
	return func(g *group, lane int) (d, p uint64) {
		t := g[lane]
		by, clamp, segment := int(t.asked.b&31), int(t.asked.c&31), int(t.asked.c>>8&31)
		first := lane & segment
		last := first | clamp&^segment
		from, ok := lane, false
		switch mode {
		case ptx.ShflUp:
			from = lane - by
			ok = from >= last
		case ptx.ShflDown:
			from = lane + by
			ok = from <= last
		case ptx.ShflBfly:
			from = lane ^ by
			ok = from <= last
		case ptx.ShflIdx:
			from = first | by&^segment
			ok = from <= last
		}
		if !ok || from < 0 || from > 31 || g[from] == nil {
			from = lane
		}
		return g[from].asked.value, truth(ok)
	}
}

func match(mode ptx.Mode) answer {
	switch mode {
	case ptx.MatchAny, ptx.VoteAny: // one word, two modes
		return func(g *group, lane int) (d, p uint64) { return g.where(g[lane].asked.value), 0 }
	case ptx.MatchAll, ptx.VoteAll:
		return func(g *group, lane int) (d, p uint64) {
			if same := g.where(g[lane].asked.value); same == g.mask() {
				return same, 1
			}
			return 0, 0
		}
	}
	return nil
}

func redux(in *ptx.Instr) answer {
	if !integer(in.Type) {
		return nil
	}
	f := wordOf(in.Type).reduce(in.Atom)
	if f == nil {
		return nil
	}
	return func(g *group, _ int) (d, p uint64) {
		first := bits.TrailingZeros64(g.mask())
		d = g[first].asked.value
		for _, t := range g[first+1:] {
			if t != nil {
				d = f(d, t.asked.value)
			}
		}
		return d, 0
	}
}
