package program

import (
	"slices"

	"jacquard/simt/branch"
	"jacquard/tesla"
)

// Where parameters begin in s[], and how many words of them are told apart.
const (
	paramsStart = 16
	mostParams  = 59
)

// origin finds the parameters that addresses of device memory are made of: pointers that a register
// got by moves and sums, in code to which no other way leads.
type origin struct {
	p       *Program
	least   uint32  // the lowest offset of a store to shared memory: words below are parameters
	values  []reads // by register: the parameters that are summands of it, none if it is no pointer
	leaders []bool  // by Op: a way leads there from elsewhere
}

// origins returns the origin of the device memory that each Op accesses. All branches have targets.
func (p *Program) origins(least uint32) []reads {
	o := origin{p: p, least: least, values: make([]reads, p.Kernel.Registers+8), leaders: make([]bool, len(p.Code)+1)}
	o.findLeaders()
	of := make([]reads, len(p.Code))
	for i := range p.Code {
		u := &p.Code[i]
		if o.leaders[i] {
			for r := range o.values {
				o.values[r] = readsGlobal
			}
		}
		if u.Refusal != nil {
			continue
		}
		if u.Memory && u.Space == SpaceGlobal && u.Words > 0 {
			if of[i] = o.register(int(u.Ins.Src[0].Value)); of[i] == 0 || of[i]&readsGlobal != 0 {
				of[i] = readsGlobal
			}
		}
		o.write(u)
	}
	return of
}

// findLeaders finds the Ops to which ways lead from elsewhere.
func (o *origin) findLeaders() {
	for i := range o.p.Code {
		u := &o.p.Code[i]
		if u.Control && u.To >= 0 {
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
		case u.Guarded:
			o.values[r] |= set
		default:
			o.values[r] = set
		}
	}
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
	case offset < paramsStart: // of the launch
		return 0
	case offset >= o.least, offset >= paramsStart+4*mostParams:
		return readsGlobal
	}
	return firstParam << ((offset - paramsStart) / 4)
}
