package program

import (
	"math"

	"jacquard/simt/branch"
	"jacquard/tesla"
)

// reads are the memories that a warp may have read since its block began.
type reads uint8

// The memories that warps share.
const (
	readsShared reads = 1 << iota
	readsGlobal
)

// overwriting finds the Ops that overwrite (Flow.Overwrites). It follows every way through the code
// up to barriers. Breaks and returns lead wherever one may lead.
type overwriting struct {
	p     *Program
	least uint32  // the lowest offset of a store to shared memory
	in    []reads // by Op
	seen  []bool  // by Op: a way leads there
	due   []int32 // Ops to follow
	broke reads   // of all breaks
	left  reads   // of all returns
}

// findOverwrites finds the Ops that overwrite, in linear time.
func (p *Program) findOverwrites() {
	o := overwriting{p: p, least: math.MaxUint32, in: make([]reads, len(p.Code)), seen: make([]bool, len(p.Code)), due: []int32{0}}
	stores := false
	for i := range p.Code {
		u := &p.Code[i]
		stores = stores || u.stores() != 0
		if u.stores() == readsShared {
			o.least = min(o.least, u.Addr.Offset)
		}
	}
	if !stores {
		return
	}
	for len(o.due) > 0 {
		at := o.due[len(o.due)-1]
		o.due = o.due[:len(o.due)-1]
		o.follow(&p.Code[at])
	}
	for i := range p.Code {
		p.Code[i].Overwrites = o.in[i]&p.Code[i].stores() != 0
		p.Overwrites = p.Overwrites || p.Code[i].Overwrites
	}
}

// follow goes on from u to all Ops that may be next.
func (o *overwriting) follow(u *Op) {
	out := o.in[u.At] | o.loads(u)
	switch {
	case u.Event == branch.Arrive:
		return
	case u.Ins.Op == tesla.OpBraIndirect:
		for i := range o.p.Code {
			o.reach(int32(i), out)
		}
	case u.Event == branch.Break && o.broke|out != o.broke, u.Event == branch.Return && o.left|out != o.left:
		o.leave(u.Event, out)
	case u.Event == branch.Branch, u.Event == branch.Call:
		o.reach(u.To, out)
	}
	goesOn := u.Guarded || u.Event != branch.Branch && u.Event != branch.Break && u.Event != branch.Return
	if goesOn && u.Marker != tesla.MarkerExit && u.Refusal == nil {
		o.reach(u.At+1, out)
	}
}

// leave goes on wherever a break or a return may lead.
func (o *overwriting) leave(by Event, out reads) {
	for i := range o.p.Code {
		switch u := &o.p.Code[i]; {
		case by == branch.Break && u.Event == branch.BreakAddr, by == branch.Return && u.Event == branch.PreReturn:
			o.reach(u.To, out)
		case by == branch.Return && u.Event == branch.Call:
			o.reach(u.At+1, out)
		}
	}
	if by == branch.Break {
		o.broke |= out
	} else {
		o.left |= out
	}
}

// reach adds what may have been read before the Op at an index.
func (o *overwriting) reach(at int32, out reads) {
	switch {
	case at < 0 || int(at) >= len(o.in):
	case o.seen[at] && o.in[at]|out == o.in[at]:
	default:
		o.seen[at] = true
		o.in[at] |= out
		o.due = append(o.due, at)
	}
}

// loads returns the memories that u reads. Words of s[] below all stores are parameters.
func (o *overwriting) loads(u *Op) (set reads) {
	for i := range u.Src {
		switch x := &u.Src[i]; {
		case x.Mode == SrcSharedAt, x.Mode == SrcShared && x.Offset >= o.least:
			set |= readsShared
		}
	}
	switch {
	case !u.Memory || u.Ins.Mods&tesla.Lock != 0 || u.Ins.Op == tesla.OpStGlobal || u.Ins.Op == tesla.OpStShared || u.Ins.Op == tesla.OpRed:
	case u.Words == 0, u.Space == SpaceGlobal: // of a texture
		set |= readsGlobal
	case u.Space == SpaceShared:
		set |= readsShared
	}
	return set
}

// stores returns the memory that u changes, if warps share that. A lock and what it guards change
// memory in one step, where the lock is taken.
func (u *Op) stores() reads {
	switch {
	case u.Ins.Mods&tesla.Unlock != 0:
	case u.Ins.Mods&tesla.Lock != 0:
		return readsShared
	case !u.Memory || !u.Ins.Op.HandsOver(1):
	case u.Space == SpaceShared:
		return readsShared
	case u.Space == SpaceGlobal:
		return readsGlobal
	}
	return 0
}
