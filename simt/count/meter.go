package count

import (
	"math/bits"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Meter counts into a Ledger the issues of a block and the outcomes of its branches: one issue per
// warp, or one for all warps if the policy mixes them.
type Meter struct {
	*Ledger      // of the worker that runs the block, or of the block
	Silent  bool // parting and meeting are not counted
	policy  branch.Policy
	mixes   bool
	width   int                      // lanes per warp
	parting []parting                // by warp; a home warp is several warps if they are narrow
	last    [lane.MaxWarps]lane.Mask // the last issue of a home warp
	parted  branch.WarpSet           // home warps whose last issue lacked some of the 32 lanes
}

// NewMeter makes a Meter for a policy and a number of home warps. width is the lanes per warp.
func NewMeter(policy branch.Policy, homes, width int) Meter {
	return Meter{policy: policy, mixes: branch.Mixes(policy), width: width, parting: make([]parting, homes*lane.Width/width)}
}

// of returns the parting of the warp that has the lowest lane of mask, in home warp w.
func (m *Meter) of(w uint8, mask lane.Mask) *parting {
	return &m.parting[(int(w)*lane.Width+bits.TrailingZeros32(uint32(mask)))/m.width]
}

// Start begins with the lanes of each warp together.
func (m *Meter) Start(masks []lane.Mask) {
	m.parted = 0
	for w, mask := range masks {
		m.last[w] = mask
		for ; mask != 0; mask &^= lane.Group(mask, m.width) {
			m.of(uint8(w), mask).start(mask & lane.Group(mask, m.width))
		}
	}
}

// End adds the depth of the policy's stacks, and its predictions.
func (m *Meter) End() {
	m.Depth = max(m.Depth, m.policy.Depth())
	if p, ok := m.policy.(branch.Predicting); ok {
		made, wrong := p.Predicted()
		m.predictions += made
		m.mispredictions += wrong
	}
}

// Issue counts the issue of the instructions [from, to) by the lanes of s.
func (m *Meter) Issue(from, to int32, s *lane.Sel) {
	m.Tally(from, to, s)
	if !s.Full || m.parted != 0 {
		for k, mask := range s.Mask[:s.N] {
			if w := s.Warp[k]; mask != m.last[w] {
				m.part(w, mask, 0)
			}
		}
	}
}

// Tally is Issue without parting and meeting.
func (m *Meter) Tally(from, to int32, s *lane.Sel) {
	switch {
	case m.mixes:
		m.TallyWarp(from, to, s.Columns(m.width))
	case s.Full:
		list := m.IssuesOf(lane.Width)
		list[from] += int64(s.N)
		list[to] -= int64(s.N)
		m.Issued += uint64(to-from) * uint64(s.N)
	default:
		for _, mask := range s.Mask[:s.N] {
			m.TallyWarp(from, to, mask)
		}
	}
}

// TallyWarp counts one issue of the instructions [from, to), without parting and meeting.
func (m *Meter) TallyWarp(from, to int32, mask lane.Mask) {
	m.Counts.Issue(lanes(mask), from, to)
	m.count(uint64(to-from), mask)
}

// Ran counts steps issues of warp w by the lanes of mask that are in the Counts already. more is
// the number of places of other lanes that the policy does not know.
func (m *Meter) Ran(w uint8, mask lane.Mask, steps uint64, more int) {
	m.count(steps, mask)
	if mask != m.last[w] {
		m.part(w, mask, more)
	}
}

// count counts issues that are in the Counts.
func (m *Meter) count(steps uint64, mask lane.Mask) {
	m.Issued += steps
	if mask != lane.All { // Stats counts issues of all lanes
		m.countSome(steps, mask)
	}
}

// countSome counts the slots and quads of issues of some lanes.
func (m *Meter) countSome(steps uint64, mask lane.Mask) {
	slots, quads := slotsAndQuads(mask)
	m.some[slots][quads] += steps
}

// Next records that the lanes of mask issue next in warp w, without the others of the last issue.
func (m *Meter) Next(w uint8, mask lane.Mask) { m.part(w, mask, 0) }

// Veto counts the issue of the join carrier at index i by lanes that its marker sent elsewhere.
func (m *Meter) Veto(i int32, mask lane.Mask) {
	m.TallyWarp(i, i+1, mask)
	m.Kept(i, mask)
}

// Kept is Veto of an issue that is counted already.
func (m *Meter) Kept(i int32, mask lane.Mask) {
	m.Each[i].vetoed++
	m.Each[i].kept += uint64(lanes(mask))
}

// Vetoed counts the issues of the join carrier at index i by the warps of s, which its marker sent
// elsewhere.
func (m *Meter) Vetoed(i int32, s *lane.Sel) {
	for k, mask := range s.Mask[:s.N] {
		m.Veto(i, mask)
		m.part(s.Warp[k], mask, 0)
	}
}

// Uniform counts that all lanes of a warp go the same way at the branch at index i.
func (m *Meter) Uniform(i int32, mask lane.Mask, taken bool) {
	if taken {
		m.TakenBy(lanes(mask))[i]++
	} else {
		m.NotTaken[i]++
	}
}

// Diverged counts that only the lanes of taken take the branch at index i.
func (m *Meter) Diverged(i int32, taken lane.Mask) {
	o := &m.Each[i].Branch
	o.Divergent++
	o.Threads += uint64(lanes(taken))
}

// Outcome counts the outcome of the instruction at index i for the lanes of s, if it is a branch,
// break or return.
func (m *Meter) Outcome(i int32, e *branch.Event, s *lane.Sel) {
	switch e.Kind {
	case branch.Branch, branch.Break, branch.Return:
	default:
		return
	}
	o := &m.Each[i].Branch
	all, went := 0, 0
	for k := range s.N {
		n, some := lanes(s.Mask[k]), lanes(e.Lanes[k])
		if m.mixes { // one issue of all warps
			all, went = all+n, went+some
			continue
		}
		o.count(n, some)
	}
	o.count(all, went)
}

// part counts how lanes of home warp w part or meet as the lanes of mask issue: not at all if they
// issued last. more is the number of places of other lanes that the policy does not know.
func (m *Meter) part(w uint8, mask lane.Mask, more int) {
	if mask == 0 || mask == m.last[w] {
		return
	}
	m.last[w] = mask
	if m.Silent {
		return
	}
	m.parted |= 1 << w
	if mask == lane.All {
		m.parted &^= 1 << w
	}
	if m.width == lane.Width {
		m.partWarp(&m.parting[w], w, mask, more)
		return
	}
	for rest := mask; rest != 0; { // once unless narrow warps are mixed
		group := lane.Group(rest, m.width)
		m.partWarp(m.of(w, rest), w, rest&group, more)
		rest &^= group
	}
}

// partWarp is part for the lanes of one warp, with parting p.
func (m *Meter) partWarp(p *parting, w uint8, mask lane.Mask, more int) {
	if mask == p.last { // other narrow warps issued in between
		return
	}
	if p.last&mask == 0 {
		m.swaps++
	}
	met, parted := p.issue(mask)
	m.merges += uint64(met)
	if met > 1 {
		m.multi++
	}
	if parted && p.look(len(p.sets)) {
		m.countPlaces(p, w, mask, more)
	}
}

// Forget drops lanes of s that have ended.
func (m *Meter) Forget(s *lane.Sel) {
	for k, w := range s.Warp[:s.N] {
		live := m.policy.Live(int(w))
		for rest := s.Mask[k]; rest != 0; rest &^= lane.Group(rest, m.width) {
			m.of(w, rest).end(live)
		}
	}
}

// PartAndMeet counts that the lanes of warp w's last issue part at a branch and meet again. swaps
// is 1 if the warp issued for both sides, 0 if one side is empty.
func (m *Meter) PartAndMeet(w uint8, swaps uint64) { m.partAndMeet(w, 1, swaps, 0) }

// partAndMeet is PartAndMeet for so many times, with the sum of swaps. more is the number of places
// of other lanes that the policy does not know.
func (m *Meter) partAndMeet(w uint8, times int, swaps uint64, more int) {
	if m.Silent {
		return
	}
	m.swaps += swaps
	m.merges += uint64(times)
	p := m.of(w, m.last[w])
	if len(p.sets) < p.most {
		return
	}
	after, next := p.partings+times, p.nextLook()
	if p.partings = min(next, after); next > after {
		return
	}
	m.countPlaces(p, w, m.last[w], 1+more)
	if len(p.sets) >= p.most { // further looks find the same: the policy is told nothing in between
		p.partings = after
	}
}

// PartFrom counts that the lanes of warp w's last issue part: some issue, and then the rest.
func (m *Meter) PartFrom(w uint8, some, rest lane.Mask) {
	m.last[w] = rest
	if m.Silent {
		return
	}
	m.swaps++
	m.parted |= 1 << w
	p := m.of(w, rest)
	p.last = rest
	p.sets[len(p.sets)-1] = some
	p.sets = append(p.sets, rest)
	if p.look(len(p.sets)) {
		m.countPlaces(p, w, rest, 1)
	}
}

// countPlaces counts the places of the lanes of one warp, which mask has a lane of, in home warp w:
// the places in the policy, and more that the policy does not know.
func (m *Meter) countPlaces(p *parting, w uint8, mask lane.Mask, more int) {
	p.places = m.policy.Places(int(w), p.places[:0])
	group := lane.Group(mask, m.width)
	for _, place := range p.places {
		if place.Lanes&group != 0 {
			more++
		}
	}
	p.most = max(p.most, more)
	m.paths = max(m.paths, p.most)
}

func lanes(m lane.Mask) int { return bits.OnesCount32(uint32(m)) }
