package reference

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// values are a source's values in the threads of a selection, by position of the warp and lane.
type values [][lane.Width]uint64

// fetch reads the sources, one after the other, each for all threads. Modifiers are left to the
// operation. It reports false if a source in memory may not be read.
func (x *step) fetch() (sources [3]values, ok bool) {
	all := make(values, len(sources)*x.s.N)
	for i := range x.in.Src {
		sources[i] = all[i*x.s.N:][:x.s.N]
		switch o := &x.in.Src[i]; o.Kind {
		case tesla.None:
		case tesla.Shared, tesla.Const:
			if !x.readMemory(o, x.width(i), sources[i]) {
				return sources, false
			}
		default:
			for k, t := range threads(x.State, x.s) {
				sources[i][k][t.lane] = x.read(t, i)
			}
		}
	}
	return sources, true
}

// width returns the bits of source i. Operations on halves read 16, and the addends of sums of
// products and differences have 32.
func (x *step) width(i int) int {
	t := x.in.Type
	switch {
	case x.in.Op == tesla.OpCvt:
		t = x.in.From
	case i == 2 && x.in.Op != tesla.OpDFma:
		return 32
	}
	switch t {
	case tesla.U8, tesla.S8, tesla.B16, tesla.U16, tesla.S16, tesla.F16:
		return 16
	case tesla.U64, tesla.S64, tesla.F64:
		return 64
	}
	return 32
}

// read returns source i of a thread; the source is not in memory.
func (x *step) read(t thread, i int) uint64 {
	o := &x.in.Src[i]
	if x.in.Op == tesla.OpQuadOp && i == 0 {
		t.lane = t.lane&^3 | int(x.in.QuadLane&3)
	}
	switch o.Kind {
	case tesla.Imm:
		return uint64(o.Value)
	case tesla.Half:
		return uint64(t.half(int(o.Index)))
	case tesla.CondReg:
		return uint64(t.cond(o.Index))
	case tesla.AddrReg:
		return uint64(t.addr(o.Index))
	case tesla.Special:
		return uint64(x.special(t, o.Index))
	}
	if x.width(i) == 64 {
		return t.pair(int(o.Index))
	}
	return uint64(t.reg(int(o.Index)))
}

// special returns a special register (docs/isa/machine.md, Special registers).
func (x *step) special(t thread, n uint8) uint32 {
	const (
		physid = 0
		clock  = 1
	)
	switch n {
	case physid:
		number := ((x.Slot*x.Warps+t.warp)*lane.Width + t.lane) / x.Lanes
		return uint32(t.lane%x.Lanes | number<<8)
	case clock:
		return uint32(x.Clock + uint64(x.u.At))
	}
	return 0
}

// readMemory reads a source in s[] or c[] of a number of bits, extended as its type says.
func (x *step) readMemory(o *tesla.Operand, width int, into values) bool {
	a := access{step: x, space: program.SpaceShared, t: o.Type, size: mem.Size(o.Type), fixed: o.Base == 0 && !o.Post, source: true}
	if o.Kind == tesla.Const {
		a.space, a.bank = program.SpaceConst, o.Index
	}
	a.aim(o)
	for k := range x.s.N {
		if !a.begin(k) {
			return false
		}
		for t := range a.lanes(k) {
			v := a.element(t, a.at[k][t.lane]).extended(o.Type)
			into[k][t.lane] = uint64(v) & (1<<width - 1)
		}
	}
	return true
}
