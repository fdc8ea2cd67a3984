package machine

import (
	"fmt"
	"strings"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// FaultKind is a kind of fault.
type FaultKind uint8

// The kinds of fault. The driver turns each into a CUDA error in one table.
const (
	FaultIllegalInstruction FaultKind = iota + 1
	FaultIllegalAddress               // unmapped or out of range: g[], s[], l[]
	FaultMisaligned
	FaultInvalidPC
	FaultStack   // token stack overflow, underflow, wrong entry
	FaultTrap    // the trap instruction
	FaultBarrier // barrier deadlock
	FaultLivelock
	FaultWatchdog
	FaultInterrupt
	FaultUnsupported // a valid instruction that Jacquard does not model
	FaultInternal    // a bug of ours
)

var faultNames = [...]string{
	FaultIllegalInstruction: "illegal instruction",
	FaultIllegalAddress:     "illegal address",
	FaultMisaligned:         "misaligned address",
	FaultInvalidPC:          "invalid program counter",
	FaultStack:              "control stack error",
	FaultTrap:               "trap",
	FaultBarrier:            "barrier deadlock",
	FaultLivelock:           "livelock",
	FaultWatchdog:           "watchdog",
	FaultInterrupt:          "interrupted",
	FaultUnsupported:        "unsupported instruction",
	FaultInternal:           "internal error",
}

// String returns the kind in words.
func (k FaultKind) String() string { return tesla.NameOf(faultNames[:], "FaultKind", k) }

// Fault is the error of a kernel that ends its launch.
type Fault struct {
	Kind   FaultKind
	Kernel string
	Block  [2]int // block index x, y
	Warp   int    // warp within the block
	Lanes  lane.Mask
	PC     uint32 // byte address of the instruction
	Source string // "file:line" of its source; "" if not known
	Time   uint64 // warp time
	Text   string // the instruction, disassembled
	Space  string // "g", "s", "l" for address faults, else ""
	Addr   uint32 // address faults: the lowest faulting lane's address
	Detail string // more, in words; may be empty
}

// Error returns one line that names kernel, block, warp, lanes, pc, source and instruction.
func (f *Fault) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in kernel %s, block (%d,%d), warp %d, lanes %08x, %s",
		f.Kind, f.Kernel, f.Block[0], f.Block[1], f.Warp, uint32(f.Lanes), program.Place(f.PC, f.Source))
	if f.Text != "" {
		fmt.Fprintf(&b, ": %s", f.Text)
	}
	if f.Space != "" {
		fmt.Fprintf(&b, ", address %s[0x%x]", f.Space, f.Addr)
	}
	if f.Detail != "" {
		fmt.Fprintf(&b, " (%s)", f.Detail)
	}
	return b.String()
}

// RefusedKind returns the kind of fault of an instruction that cannot run.
func RefusedKind(r *program.Refusal) FaultKind {
	if r.Unsupported {
		return FaultUnsupported
	}
	return FaultIllegalInstruction
}

// Raise sets Raised: warp w faults in the current instruction. It returns false, for an engine's
// function to return. Locate completes the fault.
func (s *State) Raise(kind FaultKind, w int, lanes lane.Mask, detail string) bool {
	s.Raised = &Fault{Kind: kind, Kernel: s.Program.Kernel.Name, Block: s.Index, Warp: w, Lanes: lanes, Detail: detail}
	return false
}

// RaiseAccess is Raise for a forbidden memory access.
func (s *State) RaiseAccess(w int, v *mem.Violation) bool {
	kind := FaultIllegalAddress
	if v.Kind == mem.Misaligned {
		kind = FaultMisaligned
	}
	s.Raise(kind, w, v.Lanes, v.Kind.String())
	s.Raised.Space, s.Raised.Addr = string(v.Space), v.Addr
	return false
}

// Locate sets the instruction and the time of Raised.
func (s *State) Locate(u *program.Op, time uint64) {
	s.Raised.PC, s.Raised.Time = u.PC, time
	if !u.OffCode {
		s.Raised.Source = s.Program.Kernel.SourceOf(u.PC)
		s.Raised.Text = u.Ins.String()
	}
}

// FaultAt returns the fault of warp w at u, at a time.
func (s *State) FaultAt(u *program.Op, time uint64, kind FaultKind, w int, lanes lane.Mask, detail string) *Fault {
	s.Raise(kind, w, lanes, detail)
	s.Locate(u, time)
	return s.Caught()
}

// Caught returns Raised and clears it; nil is no fault.
func (s *State) Caught() *Fault {
	f := s.Raised
	s.Raised = nil
	return f
}
