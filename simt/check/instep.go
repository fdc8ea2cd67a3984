package check

import (
	"math/bits"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// InStep is the access hook that finds the first Dependence of a block. It goes by the accesses of
// lanes and by barriers, not by their order, so it finds a dependence under a policy that keeps
// lanes in lockstep as well. A store of the value that memory holds already changes nothing.
//
// Not looked at: different values that lanes store to one address by one instruction (any of them
// may stay); lanes of different warps; words read and stored under a lock; atomics; textures; the
// launch's header and parameters, which no compiler stores to.
type InStep struct {
	st     *machine.State
	policy string
	width  int

	scope    Scope
	interval uint32 // counts barriers and starts of blocks
	found    *Dependence
	shared   stepMemory
	global   stepMemory
	votes    stepVotes
}

// clash collects the lanes of one access that rely on running in lockstep, and the access before
// theirs.
type clash struct {
	addr  uint32
	lanes lane.Mask // none: nothing is wrong
	first struct {
		at    *program.Op
		lanes lane.Mask
		store bool
	}
}

// NewInStep makes the hook for the blocks of a state.
func NewInStep(st *machine.State) *InStep {
	x := &InStep{st: st}
	x.shared, x.global = stepMemory{unit: 2}, stepMemory{unit: 2, global: true}
	for i := range st.Program.Code {
		switch u := &st.Program.Code[i]; {
		case u.Refusal != nil: // stores nothing
		case u.Ins.Op == tesla.OpStShared:
			x.shared.narrow(mem.Size(u.Ins.Type))
		case u.Ins.Op == tesla.OpStGlobal:
			x.global.narrow(mem.Size(u.Ins.Type))
		}
	}
	return x
}

// Begin says that a launch begins. The policy is named if it may run lanes apart. Groups of width
// lanes may rely on each other: 1 for none.
func (x *InStep) Begin(policy string, width int, scope Scope) {
	x.policy, x.width, x.scope = policy, width, scope
}

// Start says that the state starts with a block.
func (x *InStep) Start() {
	x.found = nil
	x.Opened()
}

// Opened says that a barrier of the block opened.
func (x *InStep) Opened() {
	x.interval++
	x.shared.recycle()
	x.global.recycle()
	x.votes.recycle()
}

// Found returns the first dependence of the block, nil if there is none.
func (x *InStep) Found() *Dependence { return x.found }

// Wants is for machine.AccessHook.
func (x *InStep) Wants(u *program.Op) bool { return x.scope.Wants(u) }

// Scope is what InStep looks at in a launch.
type Scope struct {
	Contended []bool // by instruction, of accesses of device memory: program.Contended
	Head      uint32 // bytes of the launch's header and parameters, with which shared memory begins
}

// Wants reports whether InStep looks at what u accesses or votes.
func (s Scope) Wants(u *program.Op) bool {
	if u.Ins.Op == tesla.OpVote {
		return true
	}
	for i := range u.Src {
		x := &u.Src[i]
		if x.Mode == program.SrcSharedAt || x.Mode == program.SrcShared && !s.inHead(x.Offset, mem.Size(x.Type)) {
			return true
		}
	}
	if u.Ins.Mods&(tesla.Lock|tesla.Unlock) != 0 || u.Ins.Op == tesla.OpAtom || u.Ins.Op == tesla.OpRed {
		return false
	}
	return u.Memory && (u.Space == program.SpaceShared || u.Space == program.SpaceGlobal && s.Contended[u.At])
}

// inHead reports whether size bytes at addr of shared memory are of the header and parameters.
func (s Scope) inHead(addr uint32, size int) bool { return addr+uint32(size) <= s.Head }

// memory returns the memory that an access goes to, nil if it is not looked at.
func (x *InStep) memory(u *program.Op, space program.Space) *stepMemory {
	switch {
	case u.Ins.Mods&(tesla.Lock|tesla.Unlock) != 0:
	case space == program.SpaceShared:
		return &x.shared
	case space == program.SpaceGlobal && x.scope.Contended[u.At]:
		return &x.global
	}
	return nil
}

// Load is for machine.AccessHook.
func (x *InStep) Load(_ *machine.State, u *program.Op, space program.Space, w int, addr *lane.Row, m lane.Mask, size int) {
	to := x.memory(u, space)
	if to == nil || x.found != nil {
		return
	}
	if p, k := to.line(x.st, w, addr, m, size, x.interval); p != nil {
		for l := range uint32(lane.Width) {
			p.did[k+l] |= didRead
			p.readAt[k+l] = u.At
		}
		return
	}
	var k clash
	c := cursor{to: to, warp: w, whole: size == 1<<to.unit, interval: x.interval}
	for m != 0 {
		l := lowest(m)
		same := m & -m
		if rest := m &^ same; rest == 0 || addr[lowest(rest)] != addr[l] {
			if p, k := c.own(x.st, addr[l], l); p != nil {
				p.did[k] |= didRead
				p.readAt[k] = u.At
				m = rest
				continue
			}
		}
		for rest := m &^ same; size == 1<<to.unit && rest != 0 && addr[lowest(rest)] == addr[l]; rest &= rest - 1 {
			same |= rest & -rest
		}
		x.read(to, u, w, addr[l], same, size, &k)
		m &^= same
	}
	x.report(to, u, w, &k, false)
}

// LoadWord is for machine.AccessHook.
func (x *InStep) LoadWord(_ *machine.State, u *program.Op, sel *lane.Sel, addr uint32, size int) {
	if x.found != nil || x.scope.inHead(addr, size) {
		return
	}
	for i, v := range sel.Warp[:sel.N] {
		var k clash
		w := int(v)
		x.read(&x.shared, u, w, addr, sel.Mask[i], size, &k)
		x.report(&x.shared, u, w, &k, false)
	}
}

// read notes that lanes m of warp w read size bytes at addr.
func (x *InStep) read(from *stepMemory, u *program.Op, w int, addr uint32, m lane.Mask, size int, clash *clash) {
	first, last := from.pieces(addr, size)
	for i := first; i < last; i++ {
		p, k := from.page(w, i, x.interval), i%stepPageCells
		if p == nil {
			return
		}
		if m&(m-1) == 0 && from.touch(x.st, p, k, i, lowest(m)) {
			p.did[k] |= didRead
			p.readAt[k] = u.At
			continue
		}
		x.share(from, p, k, i)
		if others := m &^ x.with(p.stored[k]); p.did[k]&didChange != 0 && others != 0 {
			clash.note(addr, others, x.op(p.storedAt[k]), p.stored[k], true)
		}
		p.read[k] |= m
		p.readAt[k] = u.At
	}
}

// share prepares cell k of a page, which is piece i, for several lanes.
func (x *InStep) share(to *stepMemory, p *stepPage, k, i uint32) {
	if p.who[k] == nobody {
		p.did[k], p.value[k] = 0, to.value(x.st, p, i<<to.unit)
	}
	p.spread(k)
}

// op returns the instruction with an index.
func (x *InStep) op(at int32) *program.Op { return &x.st.Program.Code[at] }

// Store is for machine.AccessHook.
func (x *InStep) Store(_ *machine.State, u *program.Op, w int, data *mem.Data, addr *lane.Row, m lane.Mask, size int) {
	to := x.memory(u, u.Space)
	if to == nil || x.found != nil {
		return
	}
	if p, k := to.line(x.st, w, addr, m, size, x.interval); p != nil {
		for l := range uint32(lane.Width) {
			p.store(k+l, data[0][l], u.At)
		}
		return
	}
	var k clash
	c := cursor{to: to, warp: w, whole: size == 1<<to.unit, interval: x.interval}
	for ; m != 0; m &= m - 1 {
		l := lowest(m)
		if p, k := c.own(x.st, addr[l], l); p != nil {
			p.store(k, data[0][l]&(1<<(8<<to.unit)-1), u.At)
			continue
		}
		first, last := to.pieces(addr[l], size)
		for i := first; i < last; i++ {
			at := (i - first) << to.unit
			v := data[at/4][l] >> (8 * (at % 4)) & (1<<(8<<to.unit) - 1)
			if !x.store(to, u, w, i, l, v, addr[l], &k) {
				break
			}
		}
	}
	x.report(to, u, w, &k, true)
}

// store notes that lane l of warp w stores v to piece i. It reports false if there is no room for a
// note.
func (x *InStep) store(to *stepMemory, u *program.Op, w int, i uint32, l int, v, addr uint32, clash *clash) bool {
	p, k := to.page(w, i, x.interval), i%stepPageCells
	if p == nil {
		return false
	}
	if to.touch(x.st, p, k, i, l) {
		p.store(k, v, u.At)
		return true
	}
	x.share(to, p, k, i)
	who := lane.Mask(1) << l
	if v == p.value[k] {
		p.stored[k] |= who
		p.storedAt[k] = u.At
		return true
	}
	if others := p.read[k] &^ x.with(who); others != 0 {
		clash.note(addr, who, x.op(p.readAt[k]), others, false)
	} else if others := p.stored[k] &^ x.with(who); others != 0 && p.storedAt[k] != u.At {
		clash.note(addr, who, x.op(p.storedAt[k]), others, true)
	}
	p.who[k] = uint8(l + 1)
	p.did[k], p.value[k], p.storedAt[k] = didStore|didChange, v, u.At
	return true
}

// store notes that the only lane that accessed cell k stores v there.
func (p *stepPage) store(k, v uint32, at int32) {
	p.storedAt[k] = at
	if v == p.value[k] {
		p.did[k] |= didStore
		return
	}
	p.did[k], p.value[k] = didStore|didChange, v
}

// with returns the lanes of m and all lanes that run in lockstep with one of them.
func (x *InStep) with(m lane.Mask) (all lane.Mask) {
	if x.width == 1 {
		return m
	}
	for rest := m; rest != 0; rest &^= all {
		all |= lane.Group(rest, x.width)
	}
	return all
}

// note adds lanes whose access comes after others did theirs at an instruction; only the first of
// these is kept.
func (k *clash) note(addr uint32, lanes lane.Mask, at *program.Op, others lane.Mask, store bool) {
	if k.lanes == 0 {
		k.addr, k.first.at, k.first.lanes, k.first.store = addr, at, others, store
	}
	k.lanes |= lanes
}

// report keeps the first dependence of the block.
func (x *InStep) report(to *stepMemory, u *program.Op, w int, k *clash, store bool) {
	if k.lanes != 0 && x.found == nil {
		x.found = x.dependence(w, accessOf(k.first.at, k.first.lanes, k.first.store), accessOf(u, k.lanes, store))
		x.found.Space, x.found.Addr = to.name(), k.addr
	}
}

// Atomic is for machine.AccessHook.
func (x *InStep) Atomic(*machine.State, *program.Op, int, *mem.Data, *lane.Row, lane.Mask, int) {}

// Fetch is for machine.AccessHook.
func (x *InStep) Fetch(*machine.State, *program.Op, int, lane.Mask) {}

// Vote is for machine.AccessHook.
func (x *InStep) Vote(_ *machine.State, u *program.Op, w int, m, yes lane.Mask) {
	if x.found != nil {
		return
	}
	if split := x.votes.note(u, w, m, yes); split != nil {
		x.found = x.dependence(w, accessOf(u, split.yes, false), accessOf(u, split.no, false))
	}
}

// VoteJoined is for machine.AccessHook.
func (x *InStep) VoteJoined(_ *machine.State, u *program.Op, w int, m lane.Mask) {
	if x.found == nil {
		x.found = x.dependence(w, accessOf(u, m, false), accessOf(u, 0, false))
	}
}

// dependence returns a dependence of warp w.
func (x *InStep) dependence(w int, first, then Access) *Dependence {
	k := &x.st.Program.Kernel
	first.Source, then.Source = k.SourceOf(first.PC), k.SourceOf(then.PC)
	return &Dependence{Kernel: k.Name, Policy: x.policy, Block: x.st.Index, Warp: w, First: first, Then: then}
}

func accessOf(u *program.Op, lanes lane.Mask, store bool) Access {
	return Access{PC: u.PC, Text: u.Ins.String(), Lanes: lanes, Store: store}
}

func lowest(m lane.Mask) int { return bits.TrailingZeros32(uint32(m)) }
