package machine

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// Raise notes that warp w misbehaves in the instruction being executed, and returns false
// for an engine's function to return. Locate completes the fault.
func (s *State) Raise(kind FaultKind, w int, lanes lane.Mask, detail string) bool {
	b := s.Home(w)
	s.RaisedBy = w
	s.Raised = &Fault{Kind: kind, Kernel: s.Program.Kernel.Name, Block: b.Index, Warp: w - b.First, Lanes: lanes, Detail: detail}
	return false
}

// RaiseAccess notes a memory access that may not happen.
func (s *State) RaiseAccess(w int, v *mem.Violation) bool {
	kind := FaultIllegalAddress
	if v.Kind == mem.Misaligned {
		kind = FaultMisaligned
	}
	s.Raise(kind, w, v.Lanes, v.Kind.String())
	s.Raised.Space, s.Raised.Addr = string(v.Space), v.Addr
	return false
}

// Locate says where in the program and when the noted fault happened.
func (s *State) Locate(u *program.Op, time uint64) {
	s.Raised.PC, s.Raised.Time = u.PC, time
	if !u.OffCode {
		s.Raised.Text = u.Ins.String()
	}
}

// Caught returns the fault raised by what was executed, which is forgotten; nil if there is none.
func (s *State) Caught() *Fault {
	f := s.Raised
	s.Raised = nil
	return f
}
