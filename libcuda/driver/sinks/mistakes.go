package sinks

import (
	"cmp"
	"errors"
	"math/bits"

	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/tesla"
)

// Mistakes returns what the end of a launch tells without a checker: a fault, and the first access
// into slack. Waits that never end are check.Sync's.
func Mistakes(l *Launch) (list []check.Finding) {
	if l.Stats != nil && l.Stats.Overrun != nil {
		list = append(list, overran(l, l.Stats.Overrun))
	}
	if fault, ok := errors.AsType[*simt.Fault](l.Err); ok {
		if f, ok := faulted(l, fault); ok {
			list = append(list, f)
		}
	}
	return list
}

// overran is the finding for an access beyond an allocation that a board does not refuse.
func overran(l *Launch, o *simt.Overrun) check.Finding {
	f := l.finding(check.KindMemory, "out-of-bounds", "global", o.PC, "access", check.Thread{Block: o.Block, Warp: o.Warp, Lanes: o.Lanes})
	f.At.Addr = &o.Addr
	f.Text = "an access to memory that is not there: it lies behind an allocation"
	f.Advice = "Compare the index with the size of the object."
	return f
}

// spaceNames are the words for the letters of a fault's space.
var spaceNames = map[string]string{"g": "global", "s": "shared", "l": "local", "c": "constant", "t": "texture"}

// firstPage is the part of memory in which no allocation lies.
const firstPage = 1 << 12

// faulted is the finding for a fault; ok is false if the fault is none of the program's.
func faulted(l *Launch, fault *simt.Fault) (f check.Finding, ok bool) {
	f = l.finding(check.KindMemory, "out-of-bounds", spaceNames[fault.Space], fault.PC, "access",
		check.Thread{Block: fault.Block, Warp: fault.Warp, Lanes: fault.Lanes})
	if fault.Space != "" {
		f.At.Addr = &fault.Addr
	}
	switch fault.Kind {
	case simt.FaultIllegalAddress:
		f.Text = "an access to memory that is not there: " + fault.Detail
		f.Advice = "Compare the index with the size of the object."
		if fault.Space == "g" && fault.Addr < firstPage {
			f.What, f.Text = "null", "an access through a null pointer"
			f.Advice = "Give the kernel the address of allocated memory."
		}
	case simt.FaultMisaligned:
		f.What, f.Text = "misaligned", "an access to an address that is no multiple of its size"
		f.Advice = "Align the pointer to the size of the type that is read or written."
	default:
		return f, false
	}
	return f, true
}

// finding returns a finding of one instruction of a launch. Of an instruction that accesses memory,
// the role is what it does there.
func (l *Launch) finding(k check.Kind, what, space string, pc uint32, role string, where check.Thread) check.Finding {
	p := l.Request.Program.Program
	f := check.Finding{Kind: k, What: what, Space: space, Level: check.Error, Kernel: p.Kernel.Name, Launch: l.Number, Count: uint64(bits.OnesCount32(uint32(where.Lanes)))}
	if i, ok := p.Index(pc); ok && i < p.Instructions() {
		u := &p.Code[i]
		f.At = check.SiteOf(p, u, cmp.Or(accesses[u.Ins.Op], role), where)
		if u.Accesses() {
			f.At.Size = uint32(u.Ins.Type.Bytes())
		}
		return f
	}
	f.At = check.Site{Role: role, Device: &check.Point{PC: pc}, Where: []check.Thread{where}}
	return f
}

// accesses are the roles of instructions that access memory alone.
var accesses = map[tesla.Op]string{
	tesla.OpLdGlobal: "read", tesla.OpLdLocal: "read", tesla.OpLdShared: "read", tesla.OpLdConst: "read",
	tesla.OpStGlobal: "write", tesla.OpStLocal: "write", tesla.OpStShared: "write",
	tesla.OpAtom: "atomic", tesla.OpRed: "atomic",
}
