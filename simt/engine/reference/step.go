package reference

import (
	"fmt"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// step is one instruction in progress through the warps of a selection.
type step struct {
	*machine.State
	u  *program.Op
	in *tesla.Instruction
	s  *lane.Sel // the lanes that execute it
}

// Step executes u for the lanes of s in which its guard holds. It reports false if a warp faults:
// then Raised of st has the fault, and nothing of the instruction has happened for that warp and
// later ones. Earlier warps are past a load, store or atomic, and have done nothing of another
// instruction.
func Step(st *machine.State, u *program.Op, s *lane.Sel) (sound bool) {
	x := &step{State: st, u: u, in: u.Ins, s: s}
	switch {
	case u.OffCode:
		return x.fail(machine.FaultInvalidPC, fmt.Sprintf("no instruction starts at this address: 0x%x", u.PC))
	case u.Refusal != nil:
		return x.fail(machine.RefusedKind(u.Refusal), u.Refusal.Reason)
	}
	if act := actions[u.Ins.Op]; act != nil {
		return act(x)
	}
	return x.compute()
}

// actions are the instructions that do more than compute a value from their sources.
var actions = map[tesla.Op]func(*step) bool{
	tesla.OpLdConst:     (*step).load,
	tesla.OpLdShared:    (*step).loadShared,
	tesla.OpLdLocal:     (*step).load,
	tesla.OpLdGlobal:    (*step).load,
	tesla.OpStShared:    (*step).storeShared,
	tesla.OpStLocal:     (*step).store,
	tesla.OpStGlobal:    (*step).store,
	tesla.OpRed:         (*step).atomic,
	tesla.OpAtom:        (*step).atomic,
	tesla.OpTexFetch:    (*step).texture,
	tesla.OpTexAuto:     (*step).texture,
	tesla.OpTexBias:     (*step).texture,
	tesla.OpTexLod:      (*step).texture,
	tesla.OpTexSize:     (*step).texture,
	tesla.OpVote:        (*step).vote,
	tesla.OpBraIndirect: (*step).indirect,
	tesla.OpTrap:        func(x *step) bool { return x.fail(machine.FaultTrap, "") },
	tesla.OpNop:         nothing,
	tesla.OpPmEvent:     nothing,
	tesla.OpBrkpt:       nothing,
}

func nothing(*step) bool { return true }

// fail raises a fault of the lowest warp.
func (x *step) fail(kind machine.FaultKind, detail string) bool {
	return x.Raise(kind, int(x.s.Warp[0]), x.s.Mask[0], detail)
}

// compute fetches the sources of all threads, then computes and writes one thread after the other.
func (x *step) compute() bool {
	x.leaveOut()
	if x.s.N == 0 {
		return true
	}
	sources, ok := x.fetch()
	if !ok {
		return false
	}
	for k, t := range threads(x.State, x.s) {
		o := Operation{In: x.in, Kernel: &x.Program.Kernel, Lane: t.lane}
		o.A, o.B, o.C = sources[0][k][t.lane], sources[1][k][t.lane], sources[2][k][t.lane]
		if x.in.CarryIn != tesla.NoCond {
			o.Flags = t.cond(x.in.CarryIn.Index())
		}
		t.write(x.in, o.Compute())
	}
	x.advance(x.s)
	return true
}

// leaveOut drops the lanes that the lane mask of a move excludes (docs/isa/operations.md, Mov).
func (x *step) leaveOut() {
	if x.in.Op != tesla.OpMov || x.in.Idle == 0 {
		return
	}
	chosen := lane.Sel{Full: true}
	for k, w := range x.s.Warp[:x.s.N] {
		m := x.s.Mask[k]
		for i := range lane.Width {
			if x.in.Idle>>(i%4)&1 != 0 {
				m &^= 1 << i
			}
		}
		if m != 0 {
			chosen.Add(int(w), m)
		}
	}
	x.s = &chosen
}

// write puts a result in the destination, and its flags in the condition register that in writes,
// if any.
func (t thread) write(in *tesla.Instruction, r Result) {
	d := &in.Dst
	switch d.Kind {
	case tesla.Reg:
		t.setReg(int(d.Index), uint32(r.Value))
	case tesla.Half:
		t.setHalf(int(d.Index), uint32(r.Value))
	case tesla.Pair:
		t.setPair(int(d.Index), r.Value)
	case tesla.AddrReg:
		t.setAddr(d.Index, uint32(r.Value))
	}
	if in.CDst != tesla.NoCond {
		t.setCond(in.CDst.Index(), r.Flags)
	}
}

// advance does the post-increments of the threads of s (docs/isa/memory.md, Addresses).
func (x *step) advance(s *lane.Sel) {
	for i := range x.in.Src {
		o := &x.in.Src[i]
		if !o.Post {
			continue
		}
		for _, t := range threads(x.State, s) {
			t.setAddr(o.Base, t.addr(o.Base)+o.Value)
		}
	}
}
