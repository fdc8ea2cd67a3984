package watch

import (
	"iter"
	"sync/atomic"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/tesla"
)

// Observer watches a launch and changes nothing.
type Observer interface {
	// Block is called when a block starts and returns its observer. It may return nil: then the
	// block runs as fast as without an observer.
	Block(b *Block) BlockObserver
}

// BlockObserver watches one block.
type BlockObserver interface {
	// Issue is called after every issue of the block, in the order of execution: warps take turns,
	// so the time goes back from the turn of one warp to the turn of the next. The issues of one
	// warp, and all issues of a block under a policy that mixes warps, are in order of time. The
	// blocks of a wave run one after the other, for many rounds each; a block's issues never depend
	// on other blocks. The issue belongs to the caller and changes after the call. An instruction
	// that faults is not reported: the launch's error names it.
	Issue(i *Issue)

	// End is called when the block has ended, or was given up because the launch faulted.
	End()
}

// BlockDebugger is a BlockObserver that is told before each issue, too, and may change what the
// kernel computes. It is the one listener that may.
type BlockDebugger interface {
	BlockObserver

	// Before is called when an issue is about to execute: after its join marker, never for a
	// vetoed warp. The issue has Time, PC, Instruction and Active. Before may wait, may change
	// registers and memory of st, and may panic to give up the launch. Tee does not pass it on.
	Before(i *Issue, st *machine.State)

	// Leaves is called before each turn of warps. If it returns true, the block has no observer any
	// more, and runs at full speed.
	Leaves() bool
}

// Later is an Observer that may come and go while a launch runs. The launch runs as if it had the
// observer First, with all workers if that is nil.
type Later struct {
	First Observer // of blocks when they start; may be nil
	p     atomic.Pointer[Observer]
}

// Set makes o the observer that every running block asks before its next turn of warps; nil is
// none. Several workers may ask at the same time.
func (l *Later) Set(o Observer) {
	if o == nil {
		l.p.Store(nil)
		return
	}
	l.p.Store(&o)
}

// Load returns the observer that Set has set, or nil.
func (l *Later) Load() Observer {
	if p := l.p.Load(); p != nil {
		return *p
	}
	return nil
}

// Block implements Observer: it asks First.
func (l *Later) Block(b *Block) BlockObserver {
	if l.First == nil {
		return nil
	}
	return l.First.Block(b)
}

// Beside returns an observer that is o, with which a debugger of l may come to blocks and leave them.
// Of each issue, o is told first.
func (l *Later) Beside(o Observer) Observer { return &beside{o, l} }

type beside struct {
	stays Observer
	later *Later
}

func (o *beside) Block(b *Block) BlockObserver {
	stays := o.stays.Block(b)
	if stays == nil {
		return o.later.Block(b)
	}
	x := &besideBlock{BlockObserver: stays, later: o.later, view: b}
	x.come(o.later.Block(b))
	return x
}

// besideBlock is a BlockDebugger, whether or not a debugger is there.
type besideBlock struct {
	BlockObserver
	later    *Later
	view     *Block
	comes    BlockObserver // nil: nobody is there
	debugger BlockDebugger // comes, if it is one; else nil
}

func (o *besideBlock) come(c BlockObserver) {
	o.comes = c
	o.debugger, _ = c.(BlockDebugger)
}

func (o *besideBlock) Before(i *Issue, st *machine.State) {
	if o.debugger != nil {
		o.debugger.Before(i, st)
	}
}

func (o *besideBlock) Leaves() bool {
	switch {
	case o.debugger != nil && o.debugger.Leaves():
		o.come(nil)
	case o.comes == nil:
		if asked := o.later.Load(); asked != nil {
			o.come(asked.Block(o.view))
		}
	}
	return false
}

func (o *besideBlock) Issue(i *Issue) {
	o.BlockObserver.Issue(i)
	if o.comes != nil {
		o.comes.Issue(i)
	}
}

func (o *besideBlock) End() {
	o.BlockObserver.End()
	if o.comes != nil {
		o.comes.End()
	}
}

// Issue is one instruction issued for lanes of a warp, or of several warps if it is mixed.
type Issue struct {
	Block       *Block             // its registers hold the results of the issue
	Time        uint64             // rounds since the block's wave began
	PC          uint32             // byte address
	Instruction *tesla.Instruction // must not be changed
	Active      lane.Sel           // lanes that issued

	// Executed are the lanes that executed the instruction, or took the branch: their guard held,
	// or the instruction heeds none. Vetoed warps have none. Executed[i] belongs to Active.Warp[i].
	Executed [lane.MaxWarps]lane.Mask

	// Mixed says that Active may hold lanes of several home warps, which are one warp-instruction:
	// see branch.Policy. Otherwise Active has one warp.
	Mixed bool

	// Vetoed are the warps that the join marker sent elsewhere before they could execute.
	Vetoed branch.WarpSet

	Accesses  bool                    // it is a load, store or atomic
	Addresses [lane.MaxWarps]lane.Row // of the accesses by executing lanes of Active.Warp[i]
}

// WarpIssue is one warp's part of an issue: a single warp-instruction unless the issue is mixed.
type WarpIssue struct {
	Warp     int
	Active   lane.Mask
	Executed lane.Mask // as in Issue
	Vetoed   bool      // the join marker sent the warp elsewhere before it could execute

	// Addresses are the addresses of accesses by executing lanes; nil if the instruction is no
	// load, store or atomic. Operands in memory do not count.
	Addresses *lane.Row
}

// Warps yields the issue of each warp, lowest warp first.
func (i *Issue) Warps() iter.Seq[WarpIssue] {
	return func(yield func(WarpIssue) bool) {
		for k := range i.Active.N {
			w := WarpIssue{Warp: int(i.Active.Warp[k]), Active: i.Active.Mask[k], Executed: i.Executed[k]}
			w.Vetoed = i.Vetoed>>w.Warp&1 != 0
			if i.Accesses && !w.Vetoed {
				w.Addresses = &i.Addresses[k]
			}
			if !yield(w) {
				return
			}
		}
	}
}
