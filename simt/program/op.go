package program

import (
	"jacquard/simt/branch"
	"jacquard/tesla"
)

// Event is the control event of an instruction, 0 for none.
type Event = branch.EventKind

// NoCond stands for no condition register.
const NoCond = 0xff

// Op is one instruction after lowering.
type Op struct {
	At int32 // index in the program
	// Acts means an effect besides the control event: on registers or memory, or a fault.
	Acts    bool
	Guarded bool // the guard is not "always"
	OffCode bool // the Op at which all addresses without an instruction fault
	Guard   tesla.Guard
	PC      uint32 // byte address
	Next    uint32 // byte address after it
	Flow
	Access
	Operands
	Ins       *tesla.Instruction
	Exactness tesla.Exactness // of the operation
	Refusal   *Refusal        // why it faults for any warp, or nil
}

// Flow tells where an Op leads, and how much code runs with it.
type Flow struct {
	Control  bool // it ends a run of straight-line code: events, markers, barriers, illegal instructions
	MayFault bool // a control instruction that can fault
	Marker   tesla.Marker
	Event    Event
	End      int32 // index of the first control Op at or after this one
	// Overwrites is set if the Op changes memory of a kind that the warp may have read before, and
	// comes before any barrier: other warps of the block may have yet to read that memory.
	Overwrites bool
	Shown      int32 // index of the first Op at or after this one that overwrites, at most End
	To         int32 // index of the target of a branch, -1 if no instruction starts there
	Fork       *Fork // the fork that begins here, or nil
}

// Access describes how an Op accesses memory.
type Access struct {
	Memory bool // it is a load, store, atomic or texture fetch
	Space  Space
	Words  int32 // loads, stores and atomics: registers of the data
	Slot   int32 // index of its access counts, also for operands in memory
	Addr   Addressing
}

// Operands are the resolved operands of an Op.
type Operands struct {
	CDst  uint8 // $c written, NoCond for none
	CIn   uint8 // $c read by carry-in and by mov from $c
	Width uint8 // 16 or 32: the operation's width, for flags and saturation
	Arith tesla.Arith
	Sat   bool // integer: clamp the sum
	Clamp bool // float: clamp the result to [0, 1]
	Dst   Dest
	Src   [3]Source
}

// TouchesMemory reports whether u accesses memory that others can write, or that may fault when
// read. Constants that are rows of the launch do not count.
func (u *Op) TouchesMemory() bool {
	for i := range u.Src {
		if m := u.Src[i].Mode; m == SrcShared || m == SrcSharedAt || m == SrcConstAt {
			return true
		}
	}
	return u.Memory
}

// Steps reports whether u changes the address register of an access. It does so for all warps
// before the first access.
func (u *Op) Steps() bool {
	for i := range u.Src {
		if u.Src[i].At.Post {
			return true
		}
	}
	return u.Addr.Post
}

// Spreads reports whether u accesses memory at one address per lane.
func (u *Op) Spreads() bool {
	for i := range u.Src {
		if m := u.Src[i].Mode; m == SrcSharedAt || m == SrcConstAt {
			return true
		}
	}
	return u.Memory
}

// Annotates reports whether u is an annotation: it only tells the divergence policy something.
func (u *Op) Annotates() bool {
	switch u.Event {
	case branch.JoinAt, branch.BreakAddr, branch.PreReturn:
		return true
	}
	return u.Ins.Op == tesla.OpNop && u.Marker == tesla.MarkerJoin
}

// Steers reports whether u may move lanes away from the next instruction, or make them wait.
func (u *Op) Steers() bool {
	switch u.Event {
	case branch.Branch, branch.Break, branch.Call, branch.Return, branch.Arrive:
		return true
	}
	return u.Marker == tesla.MarkerExit
}

// HeedsGuard reports whether u heeds its guard. Most control instructions do not: compilers set
// "never" in joinat, call and bar, and in nops with a marker.
func (u *Op) HeedsGuard() bool {
	return u.Acts || u.Event == branch.Branch || u.Event == branch.Break || u.Event == branch.Return
}

// Accesses reports whether u is a load, store or atomic: it has one address per lane.
func (u *Op) Accesses() bool { return u.Memory && u.Words > 0 }

// stop makes u an Op that only faults: no guard, no marker, no flags.
func (u *Op) stop() {
	*u = Op{Acts: true, Flow: Flow{Control: true, MayFault: true}, PC: u.PC, Next: u.Next, At: u.At, Ins: u.Ins, Exactness: u.Exactness}
}

// Refusal is an instruction that faults for any warp and guard: the device has no such instruction,
// or Jacquard does not model it.
type Refusal struct {
	PC          uint32 // byte address
	Unsupported bool   // Jacquard does not model it
	Reason      string // in words
}

// Special register numbers (docs/isa/machine.md, Special registers).
const (
	SpecialPhysID = 0
	SpecialClock  = 1
)
