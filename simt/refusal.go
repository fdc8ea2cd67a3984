package simt

import "jacquard/simt/lane"

// Refusal is an instruction that faults whenever a warp reaches it, whatever its guard:
// no instruction of the device, or one that Jacquard does not model. Lower knows it
// before anything runs.
type Refusal struct {
	PC     uint32    // byte address
	Kind   FaultKind // FaultIllegalInstruction or FaultUnsupported
	Reason string    // in words
}

// Refusals returns the instructions of p that cannot run, in address order.
func (p *Program) Refusals() []Refusal { return p.refusals }

// refuse makes a Refusal of u.
func (l *lowerer) refuse(u *uop, kind FaultKind, why string) {
	l.p.refusals = append(l.p.refusals, Refusal{u.pc, kind, why})
	u.stop(func(b *Block, _ *uop, s *lane.Sel) bool {
		return b.raise(kind, int(s.Warp[0]), s.Mask[0], why)
	})
}

// stop makes a control instruction of u that does exec and nothing else: no guard, no
// marker, no flags.
func (u *uop) stop(exec execFunc) {
	*u = uop{exec: exec, control: true, lone: true, pc: u.pc, next: u.next, at: u.at, ins: u.ins}
}
