package branch

import (
	"fmt"
	"slices"
	"strconv"

	"jacquard/simt/lane"
)

// meeting is a convergence barrier: where its members meet again. The kind says which
// instruction brings a lane there.
type meeting struct {
	kind    EventKind // JoinAt, BreakAddr or Call
	pc      uint32    // the members' common next pc
	members lane.Mask
	blocked lane.Mask // members that have arrived
}

// joinedPath is a path of barrier.
type joinedPath struct {
	path
	joined bool // it left a join barrier and executes the instruction there
}

// barrier lets paths run in any order and makes them meet at convergence barriers: US patent
// 2016/0019066 A1, said to be the design of Volta. joinat makes a barrier of the active lanes at
// the join that it announces, breakaddr at the break address, call at the return address. Lanes
// block there until all members have arrived, have ended, or wait at a barrier of the block, which
// counts as yielding. Lanes that leave the region of an outer barrier leave the inner ones.
//
// volta adds forward progress: a path that went through quantum branches in a row yields. It goes
// under the others, and lanes that wait only for this path go on without it.
type barrier struct {
	list     []joinedPath // paths that can run; the last is the current one
	meetings []meeting
	live     lane.Mask
	yielded  lane.Mask // lanes that yielded since they last blocked
	waiting
	quantum int // 0: no path yields
	steps   int // branches of the current path since another path ran
	most    int
}

// prepareBarrier makes barrier without options, and volta with a quantum.
func prepareBarrier(_ *Kernel, chosen []string) (newFlow func() Flow, err error) {
	quantum := 0
	if len(chosen) > 0 {
		quantum, err = strconv.Atoi(chosen[0])
	}
	return func() Flow { return &barrier{quantum: quantum} }, err
}

func (f *barrier) Start(mask lane.Mask) {
	f.list, f.meetings = append(f.list[:0], joinedPath{path: path{0, mask}}), f.meetings[:0]
	f.live, f.yielded, f.steps, f.most = mask, 0, 0, 1
	f.waiting.reset()
}

func (f *barrier) top() *joinedPath { return &f.list[len(f.list)-1] }

// Pick lets the engine skip branches unless lanes may go on because a path yields.
func (f *barrier) Pick() (uint32, lane.Mask, uint32, Kinds) {
	skippable := choices
	if f.quantum > 0 && f.top().mask != f.live {
		skippable &^= KindsOf(Branch)
	}
	return f.top().pc, f.top().mask, NoStop, skippable
}

// idle implements barred: a path that waits begins its quantum anew.
func (f *barrier) idle() bool { return f.quantum == 0 }

// passed implements barred.
func (f *barrier) passed() bool { return false }

func (f *barrier) Advance(pc uint32) { f.top().pc = pc }
func (f *barrier) Live() lane.Mask   { return f.live }
func (f *barrier) Depth() int        { return f.most }
func (f *barrier) Status() Status    { return f.status(f.live) }

// meet makes a barrier of the active lanes.
func (f *barrier) meet(kind EventKind, pc uint32) error {
	if len(f.meetings) == stackLimit {
		return fmt.Errorf("convergence barrier overflow: more than %d", stackLimit)
	}
	f.meetings = append(f.meetings, meeting{kind: kind, pc: pc, members: f.top().mask})
	f.most = max(f.most, len(f.meetings))
	return nil
}

func (f *barrier) Annotate(kind EventKind, target, next uint32) error {
	f.Advance(next)
	switch kind {
	case QuadOn, QuadPop:
		return nil
	case PreReturn:
		kind = Call
	}
	return f.meet(kind, target)
}

func (f *barrier) Call(target, next uint32) error {
	f.Advance(target)
	return f.meet(Call, next)
}

// Join blocks the active lanes that announced this join. When the last member has arrived, all
// members execute the instruction. Lanes that announced no join execute it at once.
func (f *barrier) Join(pc uint32) (bool, error) {
	f.Advance(pc)
	if t := f.top(); !t.joined {
		m := t.mask
		rest := f.block(m, JoinAt, pc)
		t.joined = true
		if rest != m {
			f.drop(m&^rest, pc)
			f.open()
		}
	}
	if len(f.list) == 0 {
		return false, nil
	}
	t := f.top()
	execute := t.joined && t.pc == pc
	t.joined = t.joined && !execute
	return execute, nil
}

// Branch runs the taken lanes first.
func (f *barrier) Branch(taken lane.Mask, target, next uint32) error {
	switch t := f.top(); taken {
	case 0:
		t.pc = next
	case t.mask:
		t.pc = target
	default:
		t.mask, t.pc = t.mask&^taken, next
		f.list = append(f.list, joinedPath{path: path{target, taken}})
		f.most = max(f.most, len(f.list))
	}
	if f.quantum > 0 {
		if f.steps++; f.steps >= f.quantum {
			f.yield()
		}
	}
	return nil
}

// counts implements countingFlow.
func (f *barrier) counts() bool { return f.quantum > 0 }

// branched counts branches of all live lanes together.
func (f *barrier) branched(n int) {
	if f.steps += n; f.steps >= f.quantum {
		f.steps %= f.quantum
		f.yielded |= f.live
	}
}

// yield puts the running path under all others and lets lanes that wait for it go on.
func (f *barrier) yield() {
	f.steps = 0
	t := *f.top()
	f.yielded |= t.mask
	f.list = slices.Insert(f.list[:len(f.list)-1], 0, t)
	f.open()
}

func (f *barrier) Break(taken lane.Mask, next uint32) error {
	if f.block(taken, BreakAddr, 0) != 0 {
		return errUnannounced
	}
	f.drop(taken, next)
	f.open()
	return nil
}

// Return ends lanes outside any call.
func (f *barrier) Return(taken lane.Mask, next uint32) error {
	f.leave(f.block(taken, Call, 0))
	f.drop(taken, next)
	f.open()
	return nil
}

func (f *barrier) Exit() error {
	m := f.top().mask
	f.leave(m)
	f.drop(m, 0)
	f.open()
	return nil
}

func (f *barrier) Arrive(barrier uint8, next uint32) error {
	m := f.top().mask
	f.arrive(barrier, next, m)
	f.drop(m, 0)
	f.open()
	return nil
}

func (f *barrier) Release() {
	for _, p := range f.paths {
		f.list = append(f.list, joinedPath{path: p})
	}
	f.waiting.reset()
}

// block makes the lanes of m arrive at their innermost barrier of a kind (a join barrier: at pc)
// and leave the barriers inside it. It returns the lanes without such a barrier. Joins and breaks
// do not look beyond the lane's call.
func (f *barrier) block(m lane.Mask, kind EventKind, pc uint32) (none lane.Mask) {
	f.yielded &^= m
	var passed, inner lane.Mask // lanes with a barrier; lanes whose call began inside it
	for i := len(f.meetings) - 1; i >= 0 && passed|inner != m; i-- {
		b := &f.meetings[i]
		here := b.members & m &^ (passed | inner)
		switch {
		case b.kind == kind && (kind != JoinAt || b.pc == pc):
			b.blocked |= here
			passed |= here
			for j := i + 1; j < len(f.meetings); j++ {
				f.meetings[j].members &^= here
			}
		case b.kind == Call:
			inner |= here
		}
	}
	return m &^ passed
}

// drop takes the lanes of m out of the running path; its other lanes go on at next.
func (f *barrier) drop(m lane.Mask, next uint32) {
	if t := f.top(); t.mask != m {
		t.mask &^= m
		t.pc = next
		return
	}
	f.list = f.list[:len(f.list)-1]
	f.steps = 0
}

// leave takes lanes that ended out of all barriers.
func (f *barrier) leave(m lane.Mask) {
	f.live &^= m
	for i := range f.meetings {
		f.meetings[i].members &^= m
	}
}

// open lets the blocked lanes of a barrier go on if the other members have left, yielded, or wait
// at a barrier of the block. Members that yielded or wait keep the barrier, which knows where they
// return to. If no path runs, one barrier opens: the innermost with blocked lanes, because members
// that were blocked elsewhere would be blocked inside it.
func (f *barrier) open() {
	away := f.yielded | f.waiting.lanes
	for i := len(f.meetings) - 1; i >= 0; i-- {
		b := &f.meetings[i]
		if b.blocked != 0 && b.members&^b.blocked&^away == 0 {
			f.list = append(f.list, joinedPath{path{b.pc, b.blocked}, b.kind == JoinAt})
			f.most = max(f.most, len(f.list))
			b.members, b.blocked = b.members&^b.blocked, 0
		}
		if b.members == 0 {
			f.meetings = slices.Delete(f.meetings, i, i+1)
		}
	}
}

func (f *barrier) Places(to []Place) []Place {
	for _, s := range f.list {
		to = appendPlace(to, s.pc, s.mask)
	}
	for _, b := range f.meetings {
		to = appendPlace(to, b.pc, b.blocked)
	}
	return f.waiting.places(to)
}

// meetingEntries has the entry kind of each kind of meeting.
var meetingEntries = [...]EntryKind{JoinAt: JoinEntry, BreakAddr: BreakEntry, Call: CallEntry}

func (f *barrier) State(to State) State {
	for _, b := range f.meetings {
		to = append(to, entryOf(meetingEntries[b.kind], b.pc, b.members))
		if b.blocked != 0 {
			to = append(to, entryOf(BlockedEntry, b.pc, b.blocked))
		}
	}
	if f.yielded != 0 || f.steps != 0 {
		to = append(to, Entry{Kind: YieldedEntry, PC: NoStop, Mask: f.yielded, Number: uint32(f.steps)})
	}
	to = f.waiting.state(to)
	for i, s := range f.list {
		if s.joined {
			to = append(to, entryOf(JoinedEntry, NoStop, s.mask))
		}
		to = append(to, running(PathEntry, s.pc, s.mask, i == len(f.list)-1))
	}
	return to
}
