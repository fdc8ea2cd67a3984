package simt

import (
	"math"
	"math/bits"
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// journal collects what a recorded block does, as the engine gets to it: a front may run far
// ahead of another. It tells that in order of time, then warp.
type journal struct {
	BlockRecorder
	mixed bool
	warps int
	*log         // being noted
	told  *log   // being told
	fault *Fault // nothing is told of what would come behind it

	strands [lane.MaxWarps]strand  // scratch of merge
	runs    [lane.MaxWarps]Stretch // scratch of merge
	logs    [2]log
}

// log is what a block did in a while.
type log struct {
	entries  []entry
	masks    []lane.Mask // of the entries' warps
	partials [lane.MaxWarps]partials
	soon     uint64 // when the next of them is, never if there is none
	ordered  bool   // no entry begins before the one noted before has ended
	end      uint64 // when the last entry ends
}

// clear forgets everything, of so many warps.
func (l *log) clear(warps int) {
	l.entries, l.masks = l.entries[:0], l.masks[:0]
	for w := range warps {
		p := &l.partials[w]
		p.list, p.told = p.list[:0], 0
	}
	l.ordered, l.end, l.soon = true, 0, never
}

// entry is straight code that warps issued together.
type entry struct {
	time   uint64 // of the first instruction
	from   int32
	n      int32 // instructions
	masks  int32 // index of the lowest warp's
	warps  branch.WarpSet
	vetoed bool // the join marker sent all of them elsewhere
}

// partial is an issue of a warp that not all its active lanes executed.
type partial struct {
	time     uint64
	executed lane.Mask
}

// partials are those of one warp, in order of time.
type partials struct {
	list []partial
	told int // so many are
}

// next returns when the next of them is, never if there is none.
func (p *partials) next() uint64 {
	if p.told == len(p.list) {
		return never
	}
	return p.list[p.told].time
}

// strand is what one warp does.
type strand struct {
	entries []int32
	begun   int    // of the entries
	time    uint64 // of the next issue, never if there is none
	at      int32
	left    int32 // instructions of the entry under way
	mask    lane.Mask
	vetoed  bool
}

const never = math.MaxUint64

// open begins the journal of a block.
func (j *journal) open(r BlockRecorder, warps int, mixed bool) {
	j.BlockRecorder, j.warps, j.mixed, j.fault = r, warps, mixed, nil
	j.log, j.told = &j.logs[0], &j.logs[1]
	j.log.clear(warps)
	j.told.clear(warps)
}

// note adds straight code [from, to) that the lanes of s issued from a time on.
func (l *log) note(from, to int32, time uint64, s *lane.Sel, vetoed bool) {
	if from == to {
		return
	}
	e := entry{time: time, from: from, n: to - from, masks: int32(len(l.masks)), vetoed: vetoed}
	for _, w := range s.Warp[:s.N] {
		e.warps |= 1 << w
	}
	if n := len(l.entries) - 1; n >= 0 && l.entries[n].warps == e.warps && slices.Equal(l.masks[l.entries[n].masks:], s.Mask[:s.N]) {
		e.masks = l.entries[n].masks
	} else {
		l.masks = append(l.masks, s.Mask[:s.N]...)
	}
	l.entries = append(l.entries, e)
	l.ordered = l.ordered && time >= l.end
	l.end = time + uint64(e.n)
}

// partial adds that only some of the active lanes of warp w execute what it issues at a time.
func (l *log) partial(w int, time uint64, executed lane.Mask) {
	p := &l.partials[w]
	p.list = append(p.list, partial{time, executed})
	l.soon = min(l.soon, time)
}

// turn makes what was noted what is to be told. Everything has been told that was.
func (j *journal) turn() {
	j.log, j.told = j.told, j.log
	j.Turn()
}

// tell tells everything that is to be told, and forgets it.
func (j *journal) tell() {
	if j.told.ordered && j.fault == nil {
		r := &j.runs[0]
		masks := int32(-1) // of the entry before
		for i := range j.told.entries {
			e := &j.told.entries[i]
			if r.Same = e.masks == masks && !e.vetoed; !r.Same {
				masks = e.masks
				j.begin(r)
				for k, rest := 0, e.warps; rest != 0; k, rest = k+1, rest&(rest-1) {
					r.Active.Add(bits.TrailingZeros16(uint16(rest)), j.told.masks[int(e.masks)+k])
				}
			}
			if e.vetoed {
				r.Vetoed = e.warps
				masks = -1
			}
			j.issue(r, e.time, e.from, e.n)
		}
	} else {
		j.merge()
	}
	j.told.clear(j.warps)
}

// begin empties a run.
func (j *journal) begin(r *Stretch) {
	r.Active.N, r.Active.Full, r.Vetoed, r.Mixed, r.Same = 0, true, 0, j.mixed, false
}

// issue tells that r, of which all but the lanes of it that execute is known, issues n instructions.
func (j *journal) issue(r *Stretch, time uint64, from, n int32) {
	for n > 0 {
		m := n
		r.Partial = r.Vetoed != 0
		if time+uint64(n) > j.told.soon {
			m = j.whole(r, time, n)
		}
		if r.Partial {
			j.execute(r, time)
		}
		r.Time, r.From, r.To = time, int(from), int(from+m)
		j.Run(r)
		r.Same = true
		time, from, n = time+uint64(m), from+m, n-m
	}
}

// whole returns how many instructions from a time on, of n, all active lanes of r execute. If
// there is none it says that r is partial, and returns 1.
func (j *journal) whole(r *Stretch, time uint64, n int32) int32 {
	next := uint64(never)
	for _, w := range r.Active.Warp[:r.Active.N] {
		next = min(next, j.told.partials[w].next())
	}
	if next == time {
		r.Partial = true
		return 1
	}
	return int32(min(uint64(n), next-time))
}

// execute fills in which lanes of the partial run r execute.
func (j *journal) execute(r *Stretch, time uint64) {
	taken := false
	for k, w := range r.Active.Warp[:r.Active.N] {
		r.Executed[k] = r.Active.Mask[k]
		if p := &j.told.partials[w]; p.next() == time {
			r.Executed[k] = p.list[p.told].executed
			p.told++
			taken = true
		}
		if r.Vetoed>>w&1 != 0 {
			r.Executed[k] = 0
		}
	}
	if taken {
		j.told.soon = never
		for w := range j.warps {
			j.told.soon = min(j.told.soon, j.told.partials[w].next())
		}
	}
}

// merge tells entries that are not in order.
func (j *journal) merge() {
	for i := range j.told.entries {
		for rest := j.told.entries[i].warps; rest != 0; rest &= rest - 1 {
			s := &j.strands[bits.TrailingZeros16(uint16(rest))]
			s.entries = append(s.entries, int32(i))
		}
	}
	for w := range j.warps {
		j.load(w)
	}
	for {
		now, rounds, groups := j.round()
		if now == never || j.fault != nil && now > j.fault.Time {
			break
		}
		if j.fault != nil {
			rounds = 1
		}
		if !j.rounds(now, rounds, groups) {
			break
		}
		for w := range j.warps {
			if s := &j.strands[w]; s.time == now {
				s.time += uint64(rounds)
				s.at += rounds
				if s.left -= rounds; s.left == 0 {
					j.load(w)
				}
			}
		}
	}
	for w := range j.warps {
		s := &j.strands[w]
		s.entries, s.begun = s.entries[:0], 0
	}
}

// load takes up the next entry of warp w.
func (j *journal) load(w int) {
	s := &j.strands[w]
	if s.begun == len(s.entries) {
		s.time = never
		return
	}
	e := &j.told.entries[s.entries[s.begun]]
	s.begun++
	k := bits.OnesCount16(uint16(e.warps & (1<<w - 1)))
	s.time, s.at, s.left, s.mask, s.vetoed = e.time, e.from, e.n, j.told.masks[int(e.masks)+k], e.vetoed
}

// round returns the time of the next round, how many rounds go on like it, and makes a run of each
// group of warps that issue together in it.
func (j *journal) round() (now uint64, rounds int32, groups int) {
	now = never
	later := uint64(never)
	for w := range j.warps {
		switch t := j.strands[w].time; {
		case t < now:
			now, later = t, now
		case t > now:
			later = min(later, t)
		}
	}
	if now == never {
		return now, 0, 0
	}
	rounds = int32(min(later-now, math.MaxInt32))
	var last *strand
	for w := range j.warps {
		s := &j.strands[w]
		if s.time != now {
			continue
		}
		rounds = min(rounds, s.left)
		if last == nil || !j.mixed && (s.at != last.at || (s.mask == 0) != (last.mask == 0)) {
			j.begin(&j.runs[groups])
			groups++
		}
		last = s
		r := &j.runs[groups-1]
		r.Active.Add(w, s.mask)
		if s.vetoed {
			r.Vetoed |= 1 << w
		}
	}
	return now, rounds, groups
}

// rounds tells rounds in which the groups that round made issue. It reports false at a fault.
func (j *journal) rounds(now uint64, rounds int32, groups int) bool {
	at := func(g int) int32 { return j.strands[j.runs[g].Active.Warp[0]].at }
	if groups == 1 && j.fault == nil {
		j.issue(&j.runs[0], now, at(0), rounds)
		return true
	}
	for k := range rounds {
		for g := range groups {
			r := &j.runs[g]
			if j.fault != nil && now == j.fault.Time && int(r.Active.Warp[r.Active.N-1]) >= j.fault.Warp {
				return false
			}
			r.Same = false
			j.issue(r, now+uint64(k), at(g)+k, 1)
		}
	}
	return true
}
