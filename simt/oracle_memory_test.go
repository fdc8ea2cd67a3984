package simt_test

import (
	"fmt"

	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// move carries out what is no arithmetic: moves, loads, stores and atomics.
func (x *oracleLane) move(in *tesla.Instruction) {
	a := &in.Src[0]
	switch in.Op {
	case tesla.OpMov:
		width, _ := oracleWidth(in.Type)
		x.write(in, uint64(x.source(a, width)), 0)
	case tesla.OpMovFromCond:
		x.write(in, uint64(x.t.cond[a.Index]), 0)
	case tesla.OpMovFromAddr:
		x.write(in, uint64(x.t.addr[a.Index]), 0)
	case tesla.OpMovFromSpecial:
		x.write(in, uint64(x.special(a.Index)), 0)
	case tesla.OpMovToCond:
		x.write(in, 0, uint8(x.word(a)&0xf))
	case tesla.OpShlToAddr:
		x.write(in, uint64(x.word(a)<<in.Src[1].Value), 0)
	case tesla.OpAddAddr:
		x.write(in, uint64(x.t.addr[a.Index])+uint64(in.Src[1].Value), 0)
	case tesla.OpLdConst:
		x.write(in, uint64(oracleExtend(a.Type, x.constant(a, oracleSize(a.Type)))), 0)
	case tesla.OpLdShared:
		x.loadShared(in)
	case tesla.OpStShared:
		x.storeShared(in)
	case tesla.OpLdLocal, tesla.OpLdGlobal:
		if p, ok := x.memory(in); ok {
			x.load(in, p)
		}
	case tesla.OpStLocal, tesla.OpStGlobal:
		if p, ok := x.memory(in); ok {
			x.store(in, p)
		}
	case tesla.OpRed, tesla.OpAtom:
		x.atomic(in)
	default:
		panic("the oracle has no " + in.Op.String())
	}
}

// special is the special registers that the description gives a value.
func (x *oracleLane) special(n uint8) uint32 {
	if n == 0 {
		return uint32(x.lane | x.warp<<8)
	}
	return 0
}

func (x *oracleLane) loadShared(in *tesla.Instruction) {
	o := &in.Src[0]
	v := x.sharedWord(o)
	flags := uint8(0)
	if in.Mods&tesla.Lock != 0 && x.stop == nil {
		lock := &x.b.locked[x.address(o)/4]
		flags = oracleTruth(!*lock)
		*lock = true
	}
	x.write(in, uint64(v), flags)
}

func (x *oracleLane) storeShared(in *tesla.Instruction) {
	p, ok := x.sharedBytes(&in.Src[0])
	if !ok {
		return
	}
	v := uint32(0)
	if d := &in.Src[1]; d.Kind == tesla.Half {
		v = x.half(int(d.Index))
	} else {
		v = x.reg(int(d.Index))
	}
	oraclePut(p, uint64(v))
	if in.Mods&tesla.Unlock != 0 {
		x.b.locked[x.address(&in.Src[0])/4] = false
	}
}

// memory returns the bytes of a local or global access.
func (x *oracleLane) memory(in *tesla.Instruction) ([]byte, bool) {
	o, size := &in.Src[0], oracleSize(in.Type)
	if o.Kind == tesla.Local {
		return x.element("l", x.t.local[:(x.m.local+15)/16*16], 0, x.address(o), size)
	}
	addr := x.reg(int(o.Value))
	switch o.Index {
	case 14:
		return x.element("g", x.m.global, x.m.base, addr, size)
	case 15:
		if in.Op == tesla.OpLdGlobal {
			return x.element("g", make([]byte, 4096), 0, addr, size)
		}
	}
	x.fault(simt.FaultIllegalAddress, "g", addr)
	x.stop.mixed = addr%size != 0 // either would do
	return nil, false
}

func (x *oracleLane) load(in *tesla.Instruction, p []byte) {
	n := int(in.Dst.Index)
	if len(p) <= 4 {
		x.setReg(n, oracleExtend(in.Type, uint32(oracleBytes(p))))
		return
	}
	for i := range len(p) / 4 {
		x.setReg(n+i, uint32(oracleBytes(p[4*i:][:4])))
	}
}

func (x *oracleLane) store(in *tesla.Instruction, p []byte) {
	n := int(in.Src[1].Index)
	if len(p) <= 4 {
		oraclePut(p, uint64(x.reg(n)))
		return
	}
	for i := range len(p) / 4 {
		oraclePut(p[4*i:][:4], uint64(x.reg(n+i)))
	}
}

func (x *oracleLane) atomic(in *tesla.Instruction) {
	p, ok := x.memory(in)
	if !ok {
		return
	}
	old := oracleBytes(p)
	value := func(o *tesla.Operand) uint64 {
		switch {
		case o.Kind == tesla.None:
			return 0
		case len(p) == 8:
			return x.pair(int(o.Index))
		}
		return uint64(x.reg(int(o.Index)))
	}
	name := map[tesla.AtomOp]string{
		tesla.AtomAdd: "add", tesla.AtomExch: "exch", tesla.AtomCas: "cas", tesla.AtomInc: "inc", tesla.AtomDec: "dec",
		tesla.AtomMax: "max", tesla.AtomMin: "min", tesla.AtomAnd: "and", tesla.AtomOr: "or", tesla.AtomXor: "xor",
	}[in.Atom]
	typ := map[tesla.Type]string{tesla.U64: "u64", tesla.B64: "b64", tesla.U32: "u32", tesla.S32: "s32", tesla.B32: "b32"}[in.Type]
	now, err := lane.RefAtomic("atom."+name, typ, old, value(&in.Src[1]), value(&in.Src[2]))
	if err != nil {
		panic(err)
	}
	oraclePut(p, now)
	x.write(in, old, 0)
}

// oracleOpen says what about an instruction the description leaves open, "" if nothing.
func oracleOpen(in *tesla.Instruction) string {
	if in.Op == tesla.OpMovFromSpecial && in.Src[0].Index == 1 {
		return "the clock"
	}
	for i := range in.Src {
		o := &in.Src[i]
		if o.Base > 4 || o.Kind == tesla.AddrReg && o.Index > 4 {
			return "$a5 to $a7"
		}
		if o.Post && in.Dst.Kind == tesla.AddrReg && in.Dst.Index == o.Base {
			return "which write to the address register is last"
		}
	}
	if in.Dst.Kind == tesla.AddrReg && in.Dst.Index > 4 {
		return "$a5 to $a7"
	}
	return ""
}

// oracleIllegal says why the hardware refuses the instruction, "" if it does not.
func oracleIllegal(in *tesla.Instruction) string {
	for _, o := range []*tesla.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		switch {
		case o.Kind == tesla.Pair && o.Index%2 != 0, o.Kind == tesla.Quadruple && o.Index%4 != 0:
			return fmt.Sprintf("%s is not aligned", o)
		case o.Post && o.Base == 0:
			return "a post-increment of $a0"
		}
	}
	if o := &in.Src[0]; o.Kind == tesla.Shared && in.Op != tesla.OpLdShared && in.Op != tesla.OpStShared && !oracleAccepts(in, o.Type) {
		return "the access type of s[]"
	}
	return ""
}

// oracleAccepts tells whether an operation takes an s[] operand of an access type. That
// signed 16-bit ones take u8 is open.
func oracleAccepts(in *tesla.Instruction, access tesla.Type) bool {
	operand := in.Type
	if in.Op == tesla.OpCvt {
		operand = in.From
	} else if in.Op == tesla.OpIMul && operand == tesla.B16 {
		operand = in.Src[0].As
	}
	return map[tesla.Type]map[tesla.Type]bool{
		tesla.U8:  {tesla.U8: true},
		tesla.S8:  {tesla.U8: true},
		tesla.B16: {tesla.U8: true, tesla.U16: true, tesla.S16: true},
		tesla.F16: {tesla.U8: true, tesla.U16: true, tesla.S16: true},
		tesla.U16: {tesla.U8: true, tesla.U16: true},
		tesla.S16: {tesla.U8: true, tesla.S16: true},
	}[operand][access] || oracleSourceWidth(operand) == 32
}

// oracleSourceWidth is the width of an operand of a type: halves may hold bytes.
func oracleSourceWidth(t tesla.Type) int {
	switch t {
	case tesla.U8, tesla.S8, tesla.B16, tesla.U16, tesla.S16, tesla.F16:
		return 16
	}
	return 32
}
