package program

import (
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// mostParams is how many words of parameters are told apart.
const mostParams = 64 - paramBit

// origin finds the parameters that addresses of device memory are made of: pointers that a register
// got by moves and sums, in code to which no other way leads.
type origin struct {
	p       *Program
	least   uint32  // the lowest offset of a store to shared memory: words below are parameters
	values  []reads // by register: the parameters that are summands of it, none if it is no pointer
	leaders []bool  // by Op: a way leads there from elsewhere
	lines   lines
	spans   map[reads]*span // by origin
}

// origins returns the origin of the device memory that each Op accesses, and how threads access each
// origin. All branches have targets.
func (p *Program) origins(least uint32) ([]reads, map[reads]*span) {
	o := origin{p: p, least: least, values: make([]reads, p.Kernel.Registers+8), leaders: make([]bool, len(p.Code)+1)}
	o.lines, o.spans = lines{p: p, least: least, values: make([]linear, len(o.values))}, map[reads]*span{}
	o.findLeaders()
	o.forget()
	o.values[0], o.lines.values[0] = 0, thread
	of := make([]reads, len(p.Code))
	for i := range p.Code {
		u := &p.Code[i]
		if o.leaders[i] {
			o.forget()
		}
		if u.Refusal != nil {
			continue
		}
		if u.Memory && (u.Space == SpaceGlobal || u.Words == 0) {
			of[i] = o.access(u)
		}
		o.write(u)
		o.lines.write(u)
	}
	return of, o.spans
}

// forget makes the values of all registers unknown.
func (o *origin) forget() {
	for r := range o.values {
		o.values[r] = readsGlobal
	}
	clear(o.lines.values)
}

// access returns the origin of the device memory that u accesses.
func (o *origin) access(u *Op) reads {
	set, address, bytes := reads(0), linear{}, 0
	if u.Words > 0 { // else a texture
		r := int(u.Ins.Src[0].Value)
		set, bytes = o.register(r), mem.Size(u.Ins.Type)
		if r < len(o.values) {
			address = o.lines.values[r]
		}
	}
	if set == 0 || set&readsGlobal != 0 {
		set = readsGlobal
	}
	if o.spans[set] == nil {
		o.spans[set] = &span{address: address, apart: true}
	}
	o.spans[set].add(address, bytes)
	return set
}

// findLeaders finds the Ops to which ways lead from elsewhere.
func (o *origin) findLeaders() {
	for i := range o.p.Code {
		u := &o.p.Code[i]
		if u.Ins.Op.HasTarget() && u.To >= 0 {
			o.leaders[u.To] = true
		}
		if u.Event == branch.Call {
			o.leaders[i+1] = true
		}
	}
	if slices.ContainsFunc(o.p.Code, func(u Op) bool { return u.Ins.Op == tesla.OpBraIndirect }) {
		for i := range o.leaders {
			o.leaders[i] = true
		}
	}
}

// register returns the value of a register.
func (o *origin) register(r int) reads {
	if r >= len(o.values) {
		return readsGlobal
	}
	return o.values[r]
}

// write gives the registers that u writes their values.
func (o *origin) write(u *Op) {
	set := o.result(u)
	for r := range u.Ins.Defs().General() {
		switch {
		case r >= len(o.values):
		case u.partial():
			o.values[r] |= set
		default:
			o.values[r] = set
		}
	}
}

// partial reports whether u may leave some of its destination as it is, in some lanes.
func (u *Op) partial() bool {
	return u.Guarded || u.Ins.Idle != 0 || u.Dst.Mode == DstLow || u.Dst.Mode == DstHigh
}

// result returns the value of what u computes.
func (o *origin) result(u *Op) (set reads) {
	first := 0
	switch u.Ins.Op {
	case tesla.OpMov, tesla.OpIAdd, tesla.OpLogic, tesla.OpCvt:
	case tesla.OpIMad:
		first = 2 // a product is no pointer
	case tesla.OpShl, tesla.OpShr, tesla.OpIMul:
		return 0
	default:
		return readsGlobal
	}
	for i := first; i < len(u.Src); i++ {
		switch x := &u.Src[i]; x.Mode {
		case SrcNone, SrcLow, SrcHigh: // a half is an index
		case SrcReg:
			set |= o.register(int(x.Index))
		case SrcShared:
			set |= o.param(x.Offset)
		case SrcRow:
			if o.p.Rows[x.Index].Bank >= 0 { // a constant may be a pointer
				set |= readsGlobal
			}
		default:
			set |= readsGlobal
		}
	}
	return set
}

// param returns the value of a word of s[].
func (o *origin) param(offset uint32) reads {
	switch {
	case offset < tesla.HeaderBytes: // of the launch
		return 0
	case offset >= o.least, offset >= tesla.HeaderBytes+4*mostParams:
		return readsGlobal
	}
	return firstParam << ((offset - tesla.HeaderBytes) / 4)
}
