package simt_test

import (
	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// oracleLane is one thread carrying out one instruction.
type oracleLane struct {
	m    *oracle
	b    *oracleBlock
	t    *oracleThread
	lane int
	warp int            // of the multiprocessor
	quad []oracleThread // the warp as it was before the instruction
	stop *oracleStop
}

// fault notes the first thing that goes wrong; the instruction goes on with zeros.
func (x *oracleLane) fault(kind simt.FaultKind, space string, addr uint32) {
	if x.stop == nil {
		x.stop = &oracleStop{kind: kind, space: space, addr: addr}
	}
}

// reg reads a register; those beyond the kernel's read 0.
func (x *oracleLane) reg(n int) uint32 {
	if n >= x.m.registers {
		return 0
	}
	return x.t.regs[n]
}

// setReg writes a register; writes beyond the kernel's are dropped.
func (x *oracleLane) setReg(n int, v uint32) {
	if n < x.m.registers {
		x.t.regs[n] = v
	}
}

func (x *oracleLane) half(n int) uint32 { return x.reg(n/2) >> (16 * (n % 2)) & 0xffff }

func (x *oracleLane) setHalf(n int, v uint32) {
	shift := 16 * (n % 2)
	x.setReg(n/2, x.reg(n/2)&^(0xffff<<shift)|v&0xffff<<shift)
}

func (x *oracleLane) pair(n int) uint64 { return uint64(x.reg(n+1))<<32 | uint64(x.reg(n)) }

// address returns the byte address of an s[], c[] or l[] operand.
func (x *oracleLane) address(o *tesla.Operand) uint32 {
	a := x.t.addr[o.Base]
	if !o.Post {
		a += uint16(o.Value)
	}
	return uint32(a)
}

// advance does the post-increments of an instruction.
func (x *oracleLane) advance(in *tesla.Instruction) {
	for i := range in.Src {
		if o := &in.Src[i]; o.Post {
			x.t.addr[o.Base] += uint16(o.Value)
		}
	}
}

// constant reads n bytes of a constant bank; what is not there is 0.
func (x *oracleLane) constant(o *tesla.Operand, n uint32) uint32 {
	a := x.address(o)
	if a%n != 0 {
		x.fault(simt.FaultMisaligned, "c", a)
		return 0
	}
	bank := x.m.consts[o.Index]
	var v uint32
	for i := range n {
		if int(a+i) < len(bank) {
			v |= uint32(bank[a+i]) << (8 * i)
		}
	}
	return v
}

// sharedWord reads an element of shared memory and extends it to 32 bits.
func (x *oracleLane) sharedWord(o *tesla.Operand) uint32 {
	at, ok := x.sharedBytes(o)
	if !ok {
		return 0
	}
	return oracleExtend(o.Type, uint32(oracleBytes(at)))
}

// sharedBytes returns the element of shared memory an operand names.
func (x *oracleLane) sharedBytes(o *tesla.Operand) ([]byte, bool) {
	return x.element("s", x.b.shared, 0, x.address(o), oracleSize(o.Type))
}

// element checks an access and returns the bytes it means.
func (x *oracleLane) element(space string, data []byte, base, addr, size uint32) ([]byte, bool) {
	if addr%size != 0 {
		x.fault(simt.FaultMisaligned, space, addr)
		return nil, false
	}
	if addr < base || uint64(addr)+uint64(size) > uint64(base)+uint64(len(data)) {
		x.fault(simt.FaultIllegalAddress, space, addr)
		return nil, false
	}
	return data[addr-base:][:size], true
}

func oracleBytes(p []byte) (v uint64) {
	for i := range min(len(p), 8) {
		v |= uint64(p[i]) << (8 * i)
	}
	return v
}

func oraclePut(p []byte, v uint64) {
	for i := range p {
		p[i] = byte(v >> (8 * i))
	}
}

// oracleSize is the bytes an access of a type takes.
func oracleSize(t tesla.Type) uint32 {
	switch t {
	case tesla.U8, tesla.S8:
		return 1
	case tesla.B16, tesla.U16, tesla.S16:
		return 2
	case tesla.B64, tesla.U64:
		return 8
	case tesla.B128:
		return 16
	}
	return 4
}

// oracleExtend extends what was read as a type to 32 bits.
func oracleExtend(t tesla.Type, v uint32) uint32 {
	switch t {
	case tesla.S8:
		return lane.RefExtend(v, 8, true)
	case tesla.S16:
		return lane.RefExtend(v, 16, true)
	}
	return v
}

// word fetches a 32-bit source; float modifiers are not looked at.
func (x *oracleLane) word(o *tesla.Operand) uint32 {
	switch o.Kind {
	case tesla.Reg:
		return x.reg(int(o.Index))
	case tesla.Imm:
		return o.Value
	case tesla.Shared:
		return x.sharedWord(o)
	case tesla.Const:
		return x.constant(o, 4)
	}
	panic("no such 32-bit source: " + o.String())
}

// short fetches a 16-bit source, zero-extended.
func (x *oracleLane) short(o *tesla.Operand) uint32 {
	switch o.Kind {
	case tesla.Half:
		return x.half(int(o.Index))
	case tesla.Imm:
		return o.Value & 0xffff
	case tesla.Shared:
		return x.sharedWord(o) & 0xffff
	case tesla.Const:
		return x.constant(o, 2)
	}
	panic("no such 16-bit source: " + o.String())
}

// source fetches an integer source of the width.
func (x *oracleLane) source(o *tesla.Operand, width int) uint32 {
	if width == 16 {
		return x.short(o)
	}
	return x.word(o)
}

// float fetches an f32 source with its modifiers.
func (x *oracleLane) float(o *tesla.Operand) uint32 {
	v := x.word(o)
	if o.Abs {
		v &^= 1 << 31
	}
	if o.Neg {
		v ^= 1 << 31
	}
	return v
}

// write puts a result where it belongs and its flags into the $c, if one is written.
func (x *oracleLane) write(in *tesla.Instruction, v uint64, flags uint8) {
	if x.stop != nil {
		return
	}
	switch d := &in.Dst; d.Kind {
	case tesla.Reg:
		x.setReg(int(d.Index), uint32(v))
	case tesla.Half:
		x.setHalf(int(d.Index), uint32(v))
	case tesla.Pair:
		x.setReg(int(d.Index), uint32(v))
		x.setReg(int(d.Index)+1, uint32(v>>32))
	case tesla.AddrReg:
		if d.Index != 0 {
			x.t.addr[d.Index] = uint16(v)
		}
	case tesla.None, tesla.Discard:
	default:
		panic("no such destination: " + d.String())
	}
	if in.CDst != tesla.NoCond {
		x.t.cond[in.CDst.Index()] = flags
	}
}
