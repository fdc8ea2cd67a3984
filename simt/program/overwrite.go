package program

import (
	"math"

	"jacquard/simt/branch"
	"jacquard/tesla"
)

// reads are the memories that a warp may have read since its block began.
type reads uint8

// The memories that warps share; way alone is a way on which none was read.
const (
	readsShared reads = 1 << iota
	readsGlobal
	way
)

// overwriting finds the Ops that overwrite (Flow.Overwrites). It follows every way through the code
// up to barriers. Breaks, returns and indirect branches lead wherever one may lead.
type overwriting struct {
	p     *Program
	least uint32              // the lowest offset of a store to shared memory
	in    []reads             // by Op, 0 if no way leads there
	due   []int32             // Ops to follow
	left  map[leaving]reads   // by all that leave so
	to    map[leaving][]int32 // where breaks and returns lead
}

// leaving is how code goes on where the instruction does not say.
type leaving uint8

const (
	byBreak leaving = iota
	byReturn
	anywhere
)

// findOverwrites finds the Ops that overwrite, in linear time.
func (p *Program) findOverwrites() {
	o := overwriting{p: p, least: math.MaxUint32, left: map[leaving]reads{}, to: map[leaving][]int32{}}
	stores := false
	for i := range p.Code {
		u := &p.Code[i]
		stores = stores || u.stores() != 0
		switch {
		case u.stores() != readsShared:
		case u.Addr.Post:
			o.least = 0
		default:
			o.least = min(o.least, u.Addr.Offset)
		}
		o.leads(u)
	}
	if !stores {
		return
	}
	o.in = make([]reads, len(p.Code))
	o.reach(0, way)
	for len(o.due) > 0 {
		at := o.due[len(o.due)-1]
		o.due = o.due[:len(o.due)-1]
		o.follow(&p.Code[at])
	}
	for i := range p.Code {
		u := &p.Code[i]
		u.Overwrites = o.in[i]&u.stores() != 0
		p.Overwrites = p.Overwrites || u.Overwrites
	}
}

// leads notes where code may lead because of u.
func (o *overwriting) leads(u *Op) {
	switch u.Event {
	case branch.BreakAddr:
		o.to[byBreak] = append(o.to[byBreak], u.To)
	case branch.PreReturn:
		o.to[byReturn] = append(o.to[byReturn], u.To)
	case branch.Call:
		o.to[byReturn] = append(o.to[byReturn], u.At+1)
	}
}

// follow goes on from u to all Ops that may be next.
func (o *overwriting) follow(u *Op) {
	out := o.in[u.At] | o.loads(u)
	ends := u.Marker == tesla.MarkerExit || u.Refusal != nil
	switch {
	case u.Ins.Op == tesla.OpBraIndirect:
		o.leave(anywhere, out)
	case u.Event == branch.Arrive:
		ends = true
	case u.Event == branch.Break:
		o.leave(byBreak, out)
		ends = ends || !u.Guarded
	case u.Event == branch.Return:
		o.leave(byReturn, out)
		ends = ends || !u.Guarded
	case u.Event == branch.Branch:
		o.reach(u.To, out)
		ends = ends || !u.Guarded
	case u.Event == branch.Call:
		o.reach(u.To, out)
	}
	if !ends {
		o.reach(u.At+1, out)
	}
}

// leave goes on wherever code may lead that leaves so.
func (o *overwriting) leave(how leaving, out reads) {
	if o.left[how]|out == o.left[how] {
		return
	}
	o.left[how] |= out
	if how == anywhere {
		for i := range o.in {
			o.reach(int32(i), out)
		}
	}
	for _, at := range o.to[how] {
		o.reach(at, out)
	}
}

// reach adds what may have been read before the Op at an index.
func (o *overwriting) reach(at int32, out reads) {
	if at >= 0 && int(at) < len(o.in) && o.in[at]|out != o.in[at] {
		o.in[at] |= out
		o.due = append(o.due, at)
	}
}

// loads returns the memories that u reads. Words of s[] below all stores are parameters.
func (o *overwriting) loads(u *Op) (set reads) {
	for i := range u.Src {
		x := &u.Src[i]
		if x.Mode == SrcSharedAt || x.Mode == SrcShared && x.Offset >= o.least {
			set |= readsShared
		}
	}
	switch {
	case !u.Memory || u.Ins.Mods&tesla.Lock != 0:
	case u.Ins.Op == tesla.OpStGlobal, u.Ins.Op == tesla.OpStShared, u.Ins.Op == tesla.OpRed:
	case u.Words == 0, u.Space == SpaceGlobal: // without words: of a texture
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
