package simt

import (
	"iter"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Observer watches a launch. It changes nothing: a launch leaves the same memory and the
// same statistics with it and without.
type Observer interface {
	// Block is called when a block starts and returns what watches it, nil for nobody: then the
	// block runs as fast as without an observer.
	Block(b *Block) BlockObserver
}

// BlockObserver watches one block.
type BlockObserver interface {
	// Issue is called after every issue of the block, in order of time, then warp. What other
	// blocks do between two calls is not told: a block's issues never depend on them. The
	// issue belongs to the engine and changes after the call. An instruction that faults is not
	// reported: the launch's error names it.
	Issue(i *Issue)

	// End is called when the block has ended, or was given up because the launch faulted.
	End()
}

// Issue is one instruction issued for a cohort: lanes of one block that stand together.
type Issue struct {
	Block       *Block             // registers hold what the issue left
	Time        uint64             // rounds since the block's wave began
	PC          uint32             // byte address
	Instruction *tesla.Instruction // not to be changed
	Active      lane.Sel           // lanes that issued

	// Executed are the lanes whose guard held, or all if the instruction heeds none: those that did
	// what the instruction does, or took the branch. None of a vetoed warp did. Executed[i] belongs to Active.Warp[i].
	Executed [lane.MaxWarps]lane.Mask

	// Mixed says that all of Active is one warp-instruction, put together of lanes of several home
	// warps, no two in one column: see branch.Policy. Otherwise it is one a warp.
	Mixed bool

	// Vetoed are the warps that the join marker sent elsewhere before they could execute.
	Vetoed branch.WarpSet

	accesses  bool
	addresses [lane.MaxWarps]lane.Row
}

// WarpIssue is one warp's part of an issue: a single warp-instruction unless the issue is mixed.
type WarpIssue struct {
	Warp     int
	Active   lane.Mask
	Executed lane.Mask // lanes whose guard held: of a branch, those that took it
	Vetoed   bool      // the join marker sent the warp elsewhere before it could execute

	// Addresses are where the lanes that executed accessed memory; nil if the instruction is
	// no load, store or atomic. Operands in memory do not count.
	Addresses *lane.Row
}

// Warps takes the issue apart, lowest warp first.
func (i *Issue) Warps() iter.Seq[WarpIssue] {
	return func(yield func(WarpIssue) bool) {
		for k := range i.Active.N {
			w := WarpIssue{Warp: int(i.Active.Warp[k]), Active: i.Active.Mask[k], Executed: i.Executed[k]}
			w.Vetoed = i.Vetoed>>w.Warp&1 != 0
			if i.accesses && !w.Vetoed {
				w.Addresses = &i.addresses[k]
			}
			if !yield(w) {
				return
			}
		}
	}
}

// watched is a block's observer with the issue under way.
type watched struct {
	BlockObserver
	issue Issue
}

// watch asks the launch's observer about a block that is ready to start, for it may look at registers, and reports
// whether it is watched.
func (b *Block) watch() bool {
	o := b.c.g.l.Observer.Block(b)
	if o == nil {
		return false
	}
	b.watched = &watched{BlockObserver: o, issue: Issue{Block: b, Mixed: b.c.mixes}}
	return true
}

// watchControl begins the issue of control instruction u, whose join marker was evaluated.
func (c *convoy) watchControl(u *program.Op, execute bool) {
	f := &c.front
	active, executing := &f.Sel, &f.Sel
	if u.Marker == tesla.MarkerJoin {
		active = &c.arriving
		if !execute {
			executing = &lane.Sel{}
		}
	}
	c.watched().begin(c.st, u, c.timeOf(int(active.Warp[0])), active, executing)
}

// begin notes what must be known of an issue of u before it executes. Warps of active that
// are not in executing are vetoed.
func (o *watched) begin(st *machine.State, u *program.Op, time uint64, active, executing *lane.Sel) {
	i := &o.issue
	i.Time, i.PC, i.Instruction = time, u.PC, u.Ins
	i.Vetoed, i.accesses = 0, u.Accesses()
	i.Active.N, i.Active.Full = 0, true
	k := 0
	for j := range active.N {
		w, m := int(active.Warp[j]), active.Mask[j]
		vetoed := k == executing.N || int(executing.Warp[k]) != w
		if vetoed {
			i.Vetoed |= 1 << w
			i.Executed[j] = 0
		} else {
			m = executing.Mask[k]
			k++
			i.Executed[j] = m
			if u.Guarded && u.HeedsGuard() {
				i.Executed[j] &= lane.Condition(&st.Flags[u.Guard.Reg][w], uint8(u.Guard.Cond))
			}
		}
		i.Active.Add(w, m)
		if i.accesses && !vetoed {
			i.addresses[j] = st.AddressesOf(u, w)
		}
	}
}

// Lanes returns the lanes in use of every warp of the block. It must not be changed.
func (b *Block) Lanes() []lane.Mask { return b.c.g.masks }

// Register returns register r of warp w, zeros for one that the kernel does not have. Idle
// lanes may hold anything.
func (b *Block) Register(r, w int) lane.Row { return *b.RegisterRow(r, w) }

// RegisterRow is Register without copying: what it returns must not be changed, and changes when the block
// goes on.
func (b *Block) RegisterRow(r, w int) *lane.Row {
	rows := b.c.st.Register(int32(r))
	return rows.At(b.own.First + w)
}

// AddressRegister returns address register a (1 to 7) of warp w.
func (b *Block) AddressRegister(a uint8, w int) lane.Row {
	rows := b.c.st.Address(a)
	return *rows.At(b.own.First + w)
}

// Condition returns condition register c of warp w.
func (b *Block) Condition(c uint8, w int) lane.Flags { return b.c.st.Flags[c][b.own.First+w] }

// Number returns the block's number in the grid, x fastest.
func (b *Block) Number() int { return b.own.Number }

// Index returns the block's place in the grid, x and y.
func (b *Block) Index() [2]int { return b.own.Index }

// Program returns what the block runs.
func (b *Block) Program() *Program { return b.c.p }
