package costs

import (
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/watch"
)

// Observer counts the costs of a launch.
type Observer struct {
	program *simt.Program
	replays []uint64 // of accesses to device memory, by instruction
	costs   simt.Costs
}

// Attach makes l count its costs, besides any observer that it has.
func Attach(l *simt.Launch) *Observer {
	o := &Observer{program: l.Program, replays: make([]uint64, l.Program.Instructions())}
	l.Observer = watch.Tee(l.Observer, o)
	return o
}

// Block returns the observer of a block.
func (o *Observer) Block(*simt.Block) simt.BlockObserver { return &block{Observer: o} }

// Count adds the counts to the launch's statistics, nothing if the launch faulted: blocks after the
// fault do not count. It must be called once, after the launch.
func (o *Observer) Count(s *simt.Stats) {
	if len(s.ByInstruction) == 0 || s.Incomplete {
		return
	}
	s.Costs = o.costs
	for i := range s.ByInstruction {
		in := &s.ByInstruction[i]
		in.Replays = o.replays[i] + in.Memory.Shared.Conflicts() + in.Memory.Const.Conflicts()
		s.Costs.Replays += in.Replays
	}
	s.Costs.ArbiterSteps = s.Arbiter.PC + s.Arbiter.Memory + s.Costs.Replays
}

// block counts the costs of a block.
type block struct {
	*Observer
	caches [lane.MaxWarps]cache
	lines  lines
	places []branch.Place // scratch
}

// Issue counts an issue.
func (b *block) Issue(i *simt.Issue) {
	at, ok := b.program.Index(i.PC)
	if !ok {
		return
	}
	u := &b.program.Code[at]
	if i.Accesses {
		b.replays[at] += b.lines.replays(u, i)
	}
	if i.Mixed {
		return
	}
	w := int(i.Active.Warp[0])
	if u.Steers() && i.Vetoed == 0 && b.choice(i.Block, w) {
		b.costs.Contested++
	}
	if n, ok := i.Block.Entries(w); ok {
		spills, fills := b.caches[w].hold(n)
		b.costs.StackSpills += spills
		b.costs.StackFills += fills
		if n > chipBlocks*blockEntries {
			b.costs.StackBeyond++
		}
	}
}

// choice reports whether lanes of warp w can go on at more than one pc.
func (b *block) choice(view *simt.Block, w int) bool {
	b.places = view.Places(w, b.places[:0])
	pc, some := uint32(0), false
	for _, p := range b.places {
		switch {
		case p.Blocked:
		case some && p.PC != pc:
			return true
		default:
			pc, some = p.PC, true
		}
	}
	return false
}

// End does nothing: the counts are the launch's.
func (b *block) End() {}
