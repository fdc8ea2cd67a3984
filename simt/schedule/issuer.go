package schedule

import (
	"jacquard/simt/branch"
	"jacquard/simt/count"
	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// issuer issues code for the warps of a convoy: it executes straight code for the front, counts it
// and notes it for recorders. If a warp faults, raised of its block has the fault.
type issuer struct {
	p      *Program
	code   []program.Op
	engine engine.Engine
	st     *machine.State // of the engine
	meter  count.Meter    // counts for the worker that runs the convoy
	members
	table table
	front front
	divergence
	recording
}

// divergence is an issuer's view of the policy, and of how lanes of the front part.
type divergence struct {
	next     *branch.Warps // the policy's; nil if it mixes warps
	forks    branch.Forks  // the policy, if it knows forks and they are enabled
	known    []bool        // by instruction: a fork begins there that the policy knows
	ev       branch.Event  // the present event; its Lanes are those that take the branch
	sides    [2]lane.Sel   // of a fork: the lanes that take the branch, and the others
	arriving lane.Sel      // at a join marker
}

// timeOf returns when warp w of the front issues next.
func (x *issuer) timeOf(w int) uint64 { return x.table.time[w] + x.front.steps }

// runLocal executes code that touches registers only.
func (x *issuer) runLocal(s *lane.Sel, from, to int32) { x.engine.Run(s, int(from), int(to)) }

// runAt executes the front's instruction for the lanes of s, and returns the fault of a warp, or
// nil.
func (x *issuer) runAt(s *lane.Sel) *machine.Fault {
	at := int(x.front.at)
	x.st.Clock = x.timeOf(int(s.Warp[0])) - uint64(at)
	x.engine.Run(s, at, at+1)
	return x.st.Caught()
}

// together reports whether one call of the engine can execute u for several blocks: u does not read
// the clock, and no hook needs blocks one by one.
func (x *issuer) together(u *program.Op) bool { return u.LeadRun > 0 && x.st.Hook == nil }

// execute executes n instructions from u on for the front, fewer if a warp faults, and returns the
// index after the last. It reports false if blocks faulted.
func (x *issuer) execute(u *program.Op, n int32) (end int32, sound bool) {
	f := &x.front
	if len(x.blocks) > 1 && u.LocalRun == 0 && !x.together(u) {
		return f.at + 1, x.inTurn(0)
	}
	x.st.Clock = x.timeOf(int(f.Warp[0])) - uint64(f.at)
	end = int32(x.engine.Run(&f.Sel, int(f.at), int(f.at+n)))
	if x.st.Raised == nil {
		return end, true
	}
	f.steps += uint64(end - 1 - f.at)
	f.at = end - 1
	if len(x.blocks) > 1 {
		return end, x.findFaulty()
	}
	x.blocks[0].raised = x.st.Caught()
	return end, false
}

// findFaulty assigns the fault of an instruction executed for all blocks to the block of the warp.
// Blocks before it are past the instruction, blocks after it have not begun it. Only loads and
// stores have had effects by then; other instructions are executed again, block by block.
func (x *issuer) findFaulty() (sound bool) {
	u, fault, next := &x.code[x.front.at], x.st.Caught(), 0
	if u.Memory {
		b := x.block(x.st.RaisedBy)
		fault.Time = x.timeOf(x.st.RaisedBy)
		b.raised = fault
		next = b.ordinal() + 1
	}
	x.undo(u, next)
	return x.inTurn(next)
}

// undo takes back the counts of u, which was executed for all blocks: blocks from number first of
// the convoy on execute it again.
func (x *issuer) undo(u *program.Op, first int) {
	x.uncountOff(u, first*x.blocks[0].own.Warps, x.warps)
	if u.Memory || !u.TouchesMemory() || !x.meter.Priced {
		return
	}
	// Some operands in memory were read before a warp faulted. Executing u again gives their cost.
	off, cost := x.meter.Off[u.At], &x.meter.Access[u.Slot].Cost
	counted := *cost
	*cost = mem.Cost{}
	x.runAt(&x.front.Sel)
	counted.Sub(cost)
	*cost, x.meter.Off[u.At] = counted, off
}

// uncountOff takes back the lanes that were counted as kept off by u's guard, in warps from first
// up to but not including end, which did not execute it.
func (x *issuer) uncountOff(u *program.Op, first, end int) {
	if !u.Guarded {
		return
	}
	s := x.front.Sel
	s.Keep(first, end)
	for k, w := range s.Warp[:s.N] {
		off := s.Mask[k] &^ lane.Condition(&x.st.Flags[u.Guard.Reg][w], uint8(u.Guard.Cond))
		x.meter.Off[u.At] -= uint64(bitCount(off))
	}
}

// inTurn executes the front's instruction for one block after the other, from number first of the
// convoy on. It reports false if a block faulted, now or before.
func (x *issuer) inTurn(first int) (sound bool) {
	x.divide(&x.front)
	sound = true
	for k, b := range x.blocks {
		if s := &x.shares[k]; s.N > 0 {
			if k >= first {
				b.raised = x.runAt(s)
			}
			sound = sound && b.raised == nil
		}
	}
	return sound
}

// redo executes the front's instruction for the warps from first up to but not including end, which
// did not execute it because another warp faulted. Its cost is counted already; loads and stores
// have happened.
func (x *issuer) redo(first, end int) {
	at := int(x.front.at)
	passed := x.front.Sel
	passed.Keep(first, end)
	if passed.N == 0 || x.code[at].Memory {
		return
	}
	counts := x.st.Counts
	off, priced := counts.Off[at], counts.Priced
	counts.Priced = false
	x.runAt(&passed)
	counts.Off[at], counts.Priced = off, priced
}

// issued counts the front's straight run up to an index, and notes it. Only the lanes of executed
// are noted as executing the last instruction.
func (x *issuer) issued(to int32, executed *[lane.MaxWarps]lane.Mask) {
	f := &x.front
	x.meter.Issue(f.from, to, &f.Sel)
	if x.recorded != 0 {
		x.note(f.from, to, f.steps-uint64(f.at-f.from), &f.Sel, executed, false)
	}
}

// flush counts the front's straight run and brings its pc up to date.
func (x *issuer) flush() {
	if f := &x.front; f.from != f.at {
		x.issued(f.at, &f.Mask)
		f.from, f.PC = f.at, x.code[f.at].PC
	}
}

// way reports whether the lanes of the front take branch u, and whether all agree.
func (x *issuer) way(u *program.Op) (taken, same bool) {
	f := &x.front
	if !u.Guarded {
		return true, true
	}
	lane.Conditions(&x.ev.Lanes, x.st.Flags[u.Guard.Reg], uint8(u.Guard.Cond), &f.Sel)
	var some, others lane.Mask
	for k, m := range f.Mask[:f.N] {
		some |= m & x.ev.Lanes[k]
		others |= m &^ x.ev.Lanes[k]
	}
	return some != 0, some == 0 || others == 0
}

// uniform issues control instruction u if all lanes agree, so the policy need not be told. It
// reports false if lanes differ; then nothing has happened.
func (x *issuer) uniform(u *program.Op) bool {
	f := &x.front
	to := u.At + 1
	if u.Event == branch.Branch || u.Event == branch.Break {
		taken, same := x.way(u)
		if !same || taken && (u.Event == branch.Break || u.To < 0 || f.passes(u)) {
			return false
		}
		x.meter.Uniform(u.At, &f.Sel, taken)
		if taken {
			to = u.To
		} else {
			x.noteUntaken(u.At)
		}
	}
	if to == u.At+1 { // the straight run goes on
		f.at = to
		f.steps++
		return true
	}
	x.issued(u.At+1, &f.Mask)
	f.steps++
	f.at, f.from, f.PC = to, to, x.code[to].PC
	if to <= u.At {
		f.meet = x.table.ahead(f)
	}
	return true
}

// scatter puts the warps of the front back into the table.
func (x *issuer) scatter() {
	x.flush()
	t, f := &x.table, &x.front
	for _, w := range f.Warp[:f.N] {
		t.at[w], t.pc[w] = f.at, f.PC
		t.time[w] += f.steps
	}
	f.N, f.set = 0, 0
}

// park returns the warps of the front to the table, to wait for their turn. Warps of a stopped
// block have no turn: they wait only before visible instructions.
func (x *issuer) park() {
	warps := x.front.set
	if !x.code[x.front.at].Visible {
		warps &^= x.table.stopped
	}
	x.table.parked |= warps
	x.scatter()
}

// regroup moves warps of the front to the policy's places in the table, and empties the front.
func (x *issuer) regroup(warps branch.WarpSet) {
	f := &x.front
	moved := warps
	if x.mixes { // the block has one time
		moved = 1<<x.warps - 1
	}
	for m := moved; m != 0; m &= m - 1 {
		x.table.time[lowestWarp(m)] += f.steps
	}
	f.N, f.set = 0, 0
	x.put(warps)
}

// put moves warps, which are in no front, to the policy's places in the table.
func (x *issuer) put(warps branch.WarpSet) {
	if x.mixes {
		return
	}
	t := &x.table
	t.ready = t.ready&^warps | x.next.Ready&warps
	for m := x.next.Ready & warps; m != 0; m &= m - 1 {
		w := lowestWarp(m)
		at, _ := x.p.Index(x.next.PC[w])
		t.at[w], t.pc[w] = int32(at), x.next.PC[w]
	}
}
