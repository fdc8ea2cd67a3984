package schedule

import (
	"jacquard/simt/branch"
	"jacquard/simt/check"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// beginCheck tells the launch's checker of the launch.
func (g *grid) beginCheck() {
	l := g.l
	if l.Checker == nil {
		return
	}
	shared := l.sharedBytes()
	g.checks = l.Checker.Begin(&check.Launch{
		Program: l.Program.Program, Machine: &g.shared, Grid: l.Grid, Block: l.Block, Params: l.Params,
		Head: uint32(len(g.head)), Static: uint32(shared - l.Dynamic), Shared: uint32(shared), Warps: len(g.masks),
	})
}

// guard makes the checker of the launch look at a block, as far as it wants to.
func (g *grid) guard(b *block) {
	if b.guarded == g.shared.Launch { // an earlier block of the launch ran here
		return
	}
	b.guarded = g.shared.Launch
	b.watcher, b.hook, b.meeting.to = g.checks.Block(b.st), nil, nil
	for i := range b.code {
		u := &b.code[i]
		if b.hook == nil && b.watcher.Wants(u) {
			b.hook = b.watcher
		}
		if u.Event == branch.Arrive {
			b.meeting.to = check.MeetingOf(b.watcher)
		}
	}
}

// meeting tells a checker of the barriers of a block.
type meeting struct {
	to     check.Meeting // nil: nobody
	policy branch.Policy
	live   [lane.MaxWarps]lane.Mask // before the present event
	around []branch.Place           // scratch
}

// begin says that lanes of the front come to u, whose event is about to happen.
func (m *meeting) begin(f *front, u *program.Op, kind branch.EventKind) {
	m.look()
	if kind == branch.Arrive {
		for k, w := range f.Warp[:f.N] {
			if f.Mask[k] != 0 {
				m.to.Arrived(u, int(w), f.Mask[k])
			}
		}
	}
}

// end says which lanes ended at u, after its event.
func (m *meeting) end(u *program.Op) {
	before := m.live
	m.look()
	for w, live := range before {
		if ended := live &^ m.live[w]; ended != 0 {
			m.to.Ended(u, w, ended)
		}
	}
}

// meets says that a barrier is about to open, or that none can.
func (m *meeting) meets(opens bool) {
	if m.to != nil {
		m.look()
		m.to.Meets(opens, &m.live, func(w int) []branch.Place {
			m.around = m.policy.Places(w, m.around[:0])
			return m.around
		})
	}
}

// look finds out which lanes live.
func (m *meeting) look() {
	m.live = [lane.MaxWarps]lane.Mask{}
	for s := m.policy.Alive(); s != 0; s &= s - 1 {
		w := lowestWarp(s)
		m.live[w] = m.policy.Live(w)
	}
}
