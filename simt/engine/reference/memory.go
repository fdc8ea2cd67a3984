package reference

import (
	"iter"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// access is a load, store or atomic, or a source in memory, in progress through the warps.
type access struct {
	*step
	space  program.Space
	bank   uint8      // of c[]
	t      tesla.Type // of an element
	size   int        // of an element, in bytes
	stores bool
	fixed  bool // a source whose address is in the instruction
	silent bool // the hook is not told of a load or store
	source bool // it is a source of an operation

	at []lane.Row // addresses, by position of the warp
}

// access returns the access of a load, store or atomic.
func (x *step) access() *access {
	o := &x.in.Src[0]
	a := &access{step: x, t: x.in.Type, size: mem.Size(x.in.Type), bank: o.Index}
	switch o.Kind {
	case tesla.Const:
		a.space = program.SpaceConst
	case tesla.Shared:
		a.space = program.SpaceShared
	case tesla.Local:
		a.space = program.SpaceLocal
	default:
		switch o.Index {
		case program.WindowGlobal:
			a.space = program.SpaceGlobal
		case program.WindowFence:
			a.space = program.SpaceFence
		default:
			a.space, a.silent = program.SpaceUnmapped, true
		}
	}
	a.aim(o)
	return a
}

// aim computes the addresses (docs/isa/memory.md, Addresses).
func (a *access) aim(o *tesla.Operand) {
	a.at = make([]lane.Row, a.s.N)
	for k, t := range threads(a.State, a.s) {
		switch {
		case o.Kind == tesla.Global:
			a.at[k][t.lane] = t.reg(int(o.Value))
		case o.Post:
			a.at[k][t.lane] = t.addr(o.Base)
		default:
			a.at[k][t.lane] = (t.addr(o.Base) + o.Value) & 0xffff
		}
	}
	if a.fixed && a.Hook != nil && a.space == program.SpaceShared {
		a.Hook.LoadWord(a.State, a.u, a.s, o.Value, a.size)
	}
}

// lanes yields the threads of the warp at position k.
func (a *access) lanes(k int) iter.Seq[thread] {
	return func(yield func(thread) bool) {
		for i := range lane.Width {
			if a.s.Mask[k]>>i&1 != 0 && !yield(thread{a.State, int(a.s.Warp[k]), i}) {
				return
			}
		}
	}
}

// begin checks and counts the access of the warp at position k. It reports false if the warp may
// not make it; then the fault is raised.
func (a *access) begin(k int) bool {
	w := int(a.s.Warp[k])
	if !a.stores && !a.fixed && !a.silent && a.Hook != nil && (a.u.Memory || a.source) {
		a.Hook.Load(a.State, a.u, a.space, w, &a.at[k], a.s.Mask[k], a.size)
	}
	if v := a.violation(k); v != nil && !a.Overran(a.u, w, v) {
		return a.RaiseAccess(w, v)
	}
	a.price(k)
	return true
}

// end does the post-increments of the warp at position k.
func (a *access) end(k int) {
	warp := lane.Sel{}
	warp.Add(int(a.s.Warp[k]), a.s.Mask[k])
	a.advance(&warp)
}

// violation returns why the access of the warp at position k is refused, or that it reaches slack;
// nil if the access is within bounds (docs/isa/memory.md, Alignment, Bounds, Slack).
func (a *access) violation(k int) *mem.Violation {
	var refused, slack *mem.Violation
	for t := range a.lanes(k) {
		addr := a.at[k][t.lane]
		kind := a.probe(t, addr)
		into := &refused
		switch kind {
		case 0:
			continue
		case mem.Overrun:
			into = &slack
		}
		if *into == nil {
			*into = &mem.Violation{Kind: kind, Space: a.letter(), Addr: addr}
		}
		(*into).Lanes |= 1 << t.lane
	}
	switch {
	case refused != nil:
		return refused
	case slack == nil && a.space == program.SpaceGlobal:
		return a.Global.Crossed(&a.at[k], a.s.Mask[k], uint32(a.size))
	}
	return slack
}

// letter is the name of the space.
func (a *access) letter() byte {
	switch a.space {
	case program.SpaceConst:
		return 'c'
	case program.SpaceShared:
		return 's'
	case program.SpaceLocal:
		return 'l'
	}
	return 'g'
}

// load is docs/isa/operations.md, LdConst, LdShared, LdLocal and LdGlobal.
func (x *step) load() bool { return x.access().load() }

func (a *access) load() bool {
	for k := range a.s.N {
		if !a.begin(k) {
			return false
		}
		for t := range a.lanes(k) {
			t.keep(a.in, a.element(t, a.at[k][t.lane]), a.t)
		}
		a.end(k)
	}
	return true
}

// keep writes a loaded element to the destination.
func (t thread) keep(in *tesla.Instruction, e element, typ tesla.Type) {
	n := int(in.Dst.Index)
	switch in.Dst.Kind {
	case tesla.Half:
		t.setHalf(n, e.extended(typ))
	case tesla.Reg, tesla.Pair, tesla.Quadruple:
		t.setReg(n, e.extended(typ))
		for i := 1; i < mem.Size(typ)/4; i++ {
			t.setReg(n+i, e[i])
		}
	}
}

// store is docs/isa/operations.md, StShared, StLocal and StGlobal.
func (x *step) store() bool {
	a := x.access()
	a.stores = true
	for k := range a.s.N {
		if a.Hook != nil && !a.silent {
			data := a.rows(k)
			a.Hook.Store(a.State, a.u, int(a.s.Warp[k]), &data, &a.at[k], a.s.Mask[k], a.size)
		}
		if !a.begin(k) {
			return false
		}
		for t := range a.lanes(k) {
			a.put(t, a.at[k][t.lane], t.data(&a.in.Src[1]))
		}
		a.end(k)
	}
	return true
}

// rows returns the data of the warp at position k for a hook.
func (a *access) rows(k int) (data mem.Data) {
	for i := range data {
		data[i] = new(lane.Row)
	}
	for t := range a.lanes(k) {
		for i, word := range t.data(&a.in.Src[1]) {
			data[i][t.lane] = word
		}
	}
	return data
}

// data returns the element in a register operand.
func (t thread) data(o *tesla.Operand) (e element) {
	n := int(o.Index)
	switch o.Kind {
	case tesla.Half:
		e[0] = t.half(n)
	case tesla.None:
	default:
		for i := range e {
			e[i] = t.reg(n + i)
		}
	}
	return e
}
