package simt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// newFault returns a fault of warp w with what the block knows of it.
func (b *Block) newFault(kind FaultKind, w int, lanes lane.Mask) *Fault {
	return &Fault{Kind: kind, Kernel: b.p.Kernel.Name, Block: b.Index(), Warp: w, Lanes: lanes}
}

// raise notes that warp w misbehaves in the instruction being executed, and returns false
// for an execFunc to return. locate completes the fault.
func (b *Block) raise(kind FaultKind, w int, lanes lane.Mask, detail string) bool {
	home, w := b.home(w)
	b.raised = home.newFault(kind, w, lanes)
	b.raised.Detail = detail
	return false
}

// raiseAccess notes a memory access that may not happen.
func (b *Block) raiseAccess(w int, v *mem.Violation) bool {
	kind := FaultIllegalAddress
	if v.Kind == mem.Misaligned {
		kind = FaultMisaligned
	}
	b.raise(kind, w, v.Lanes, v.Kind.String())
	b.raised.Space, b.raised.Addr = string(v.Space), v.Addr
	return false
}

// locate says where in the program and when the noted fault happened.
func (b *Block) locate(u *uop, time uint64) {
	b.raised.PC, b.raised.Time = u.pc, time
	if u.ins != &offTheEnd {
		b.raised.Text = u.ins.String()
	}
}

// caught returns the fault raised by what was executed, which is forgotten; nil if there is none.
func (b *Block) caught() *Fault {
	f := b.raised
	b.raised = nil
	return f
}

// deadlock faults a block whose live warps all wait at barriers that cannot open, and says
// which lanes wait where.
func (c *convoy) deadlock(b *Block, alive branch.WarpSet) {
	at := map[uint32]*[lane.MaxWarps]lane.Mask{} // by the pc where they go on
	first := -1
	for w := range b.warps {
		if alive>>(b.first+w)&1 == 0 {
			continue
		}
		if first < 0 {
			first = w
		}
		for _, p := range b.Places(w, nil) {
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
	b.raise(FaultBarrier, first, b.Live(first), "no barrier can open; "+strings.Join(where, "; "))
	b.fault = b.caught()
	b.fault.PC = c.barrierPC[b.first+first]
	for _, t := range c.barrierTime[b.first : b.first+b.warps] {
		b.fault.Time = max(b.fault.Time, t)
	}
	if i, ok := b.p.index(b.fault.PC); ok {
		b.fault.Text = b.code[i].ins.String()
	}
}

// barrierBefore says where lanes wait that go on at pc.
func (b *Block) barrierBefore(pc uint32) string {
	if i, ok := b.p.index(pc); ok && i > 0 && b.code[i-1].event == branch.Arrive {
		u := &b.code[i-1]
		return fmt.Sprintf("at barrier %d, pc 0x%x", u.ins.Barrier.ID, u.pc)
	}
	return fmt.Sprintf("on the way to pc 0x%x", pc) // the warp arrived without these lanes
}

// noteArrival remembers where warps wait, and counts those that arrive with only part of
// their live lanes: legal, but a sign of trouble.
func (c *convoy) noteArrival(u *uop) {
	f := &c.front
	for k, w := range f.Warp[:f.N] {
		c.barrierPC[w], c.barrier[w], c.barrierTime[w] = u.pc, u.ins.Barrier.ID, c.timeOf(int(w))
		if !c.mixes && f.Mask[k] != c.masks[w] {
			c.partial++
		}
	}
}

// noteRelease counts the rounds in which warp w did not issue because it waited at a barrier, that
// where it last arrived, and lets it go on at a time.
func (c *convoy) noteRelease(w int, time uint64) {
	if i, ok := c.p.index(c.barrierPC[w]); ok {
		c.each[i].waited += time - c.table.time[w]
	}
	c.table.time[w] = time
}

// stopped reports whether the launch must end before its kernel does.
func (c *convoy) stopped() bool {
	l := c.g.l
	return l.Watchdog > 0 && c.issued >= l.Watchdog || l.Interrupt != nil && l.Interrupt.Load()
}

// stop ends the blocks of the front, whose launch was stopped, naming what each was about to do.
func (c *convoy) stop(u *uop) {
	c.settle()
	kind, detail := FaultWatchdog, fmt.Sprintf("%d warp-instructions issued: the limit is %d", c.issued, c.g.l.Watchdog)
	if c.g.l.Interrupt != nil && c.g.l.Interrupt.Load() {
		kind, detail = FaultInterrupt, "the launch was told to end"
	}
	f := &c.front
	for f.N > 0 {
		w := int(f.Warp[0])
		b := c.block(w)
		if b.fault == nil {
			b.raise(kind, w-b.first, f.Mask[0], detail)
			b.locate(u, c.timeOf(w))
			b.fault = b.caught()
			b.fault.PC = f.PC
		}
		c.drop(b)
	}
}
