package schedule

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
)

// deadlock faults a block whose live warps all wait at barriers that cannot open, and says
// which lanes wait where.
func (c *convoy) deadlock(b *block, alive branch.WarpSet) {
	at := map[uint32]*[lane.MaxWarps]lane.Mask{} // by the pc where they go on
	first := -1
	for w := range b.own.Warps {
		if alive>>(b.own.First+w)&1 == 0 {
			continue
		}
		if first < 0 {
			first = w
		}
		for _, p := range c.policy.Places(b.own.First+w, nil) {
			if at[p.PC] == nil {
				at[p.PC] = new([lane.MaxWarps]lane.Mask)
			}
			at[p.PC][w] |= p.Lanes
		}
	}
	var where []string
	for _, pc := range slices.Sorted(maps.Keys(at)) {
		var who []string
		for w, m := range at[pc] {
			if m != 0 {
				who = append(who, fmt.Sprintf("warp %d lanes %08x", w, uint32(m)))
			}
		}
		where = append(where, b.barrierBefore(pc)+": "+strings.Join(who, ", "))
	}
	c.st.Raise(machine.FaultBarrier, b.own.First+first, c.policy.Live(b.own.First+first), "no barrier can open; "+strings.Join(where, "; "))
	b.fault = c.st.Caught()
	b.fault.PC = c.barrierPC[b.own.First+first]
	for _, t := range c.barrierTime[b.own.First : b.own.First+b.own.Warps] {
		b.fault.Time = max(b.fault.Time, t)
	}
	if i, ok := c.p.Index(b.fault.PC); ok {
		b.fault.Text = c.code[i].Ins.String()
	}
}

// barrierBefore says where lanes wait that go on at pc.
func (b *block) barrierBefore(pc uint32) string {
	if i, ok := b.c.p.Index(pc); ok && i > 0 && b.c.code[i-1].Event == branch.Arrive {
		u := &b.c.code[i-1]
		return fmt.Sprintf("at barrier %d, pc 0x%x", u.Ins.Barrier.ID, u.PC)
	}
	return fmt.Sprintf("on the way to pc 0x%x", pc) // the warp arrived without these lanes
}

// noteArrival remembers where warps wait, and counts those that arrive with only part of
// their live lanes: legal, but a sign of trouble.
func (c *convoy) noteArrival(u *program.Op) {
	f := &c.front
	for k, w := range f.Warp[:f.N] {
		c.barrierPC[w], c.barrier[w], c.barrierTime[w] = u.PC, u.Ins.Barrier.ID, c.timeOf(int(w))
		if !c.mixes && f.Mask[k] != c.masks[w] {
			c.meter.Partial++
		}
	}
}

// noteRelease counts the rounds in which warp w did not issue because it waited at a barrier, that
// where it last arrived, and lets it go on at a time.
func (c *convoy) noteRelease(w int, time uint64) {
	if i, ok := c.p.Index(c.barrierPC[w]); ok {
		c.meter.Each[i].Waited += time - c.table.time[w]
	}
	c.table.time[w] = time
}

// stopped reports whether the launch must end before its kernel does.
func (c *convoy) stopped() bool {
	l := c.g.l
	return l.Watchdog > 0 && c.meter.Issued >= l.Watchdog || l.Interrupt != nil && l.Interrupt.Load()
}

// stop ends the blocks of the front, whose launch was stopped, naming what each was about to do.
func (c *convoy) stop(u *program.Op) {
	c.flush()
	kind, detail := machine.FaultWatchdog, fmt.Sprintf("%d warp-instructions issued: the limit is %d", c.meter.Issued, c.g.l.Watchdog)
	if c.g.l.Interrupt != nil && c.g.l.Interrupt.Load() {
		kind, detail = machine.FaultInterrupt, "the launch was told to end"
	}
	f := &c.front
	for f.N > 0 {
		w := int(f.Warp[0])
		b := c.block(w)
		if b.fault == nil {
			c.st.Raise(kind, w, f.Mask[0], detail)
			c.st.Locate(u, c.timeOf(w))
			b.fault = c.st.Caught()
			b.fault.PC = f.PC
		}
		c.drop(b)
	}
}
