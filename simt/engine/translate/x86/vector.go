package x86

import "fmt"

// Ins is a vector or mask instruction.
type Ins struct {
	Op VOp
	// L is the width of the widest operand. Scalar operations, mask operations and moves to and
	// from general registers ignore it.
	L Width
	// D is the destination register: a vector, or, as the operation says, a mask or a general
	// register. In operations that write memory (named ...Store, and scatters) it is the register
	// stored.
	D uint8
	// S is the first source register (VEX.vvvv). Operations with one source ignore it. VEX-encoded
	// gathers and masked moves have their mask vector in S; a gather clears the mask, and wants
	// three different vectors.
	S uint8
	// RM is the last source, or the memory that the operation writes.
	RM Operand
	// K is the opmask: lanes whose bit is clear keep D, or become zero if Zero is set. 0 means all
	// lanes. EVEX only.
	K    uint8
	Zero bool
	// Imm is the immediate byte of operations that have one.
	Imm uint8
	// M is the mask vector of VPBLENDVB, VBLENDVPS and VBLENDVPD.
	M uint8
	// Round overrides the rounding of MXCSR and suppresses exceptions; RM is then a register, and
	// the operation is scalar or of 512 bits, whatever L says. EVEX only.
	Round Round
}

// Round is an embedded rounding. The zero Round means that MXCSR decides.
type Round uint8

// Rounding to nearest, down, up, and to zero, without exceptions. SAE only suppresses exceptions:
// for operations that do not round, or whose immediate tells how.
const (
	RN Round = 1 + iota
	RD
	RU
	RZ
	SAE
)

// V appends a vector or mask instruction.
func (a *Assembler) V(i Ins) {
	if i.RM.kind == general {
		i.Op = i.Op.fromGeneral()
	}
	r := &rows[i.Op]
	e := a.evex && r.enc&evex != 0
	if r.x&lig != 0 {
		i.L = X
		if r.enc&(v1|e1) == 0 {
			i.L = Y
		}
	} else if e && i.Round != 0 {
		i.L = Z
	}
	if !r.valid(&i, e) {
		panic(fmt.Sprintf("x86: no such instruction (EVEX: %v): %+v", e, i))
	}

	reg, vvvv := i.D, i.S
	switch r.form {
	case rm, st, nul:
		vvvv = 0
	case gather:
		if e {
			vvvv = 0
		}
	case mr:
		vvvv = 0
		if i.RM.kind != memory {
			reg, i.RM.reg = i.RM.reg, i.D
		}
	case vm:
		reg, vvvv = uint8(r.x&digits), i.D
	case m:
		reg, vvvv = uint8(r.x&digits), 0
	}
	tail, last := uint8(r.x&imm8/imm8), i.Imm
	if r.form == rvmr {
		tail, last = 1, i.M<<4
	}
	switch {
	case e:
		a.putEVEX(r, &i, reg, vvvv, tail)
	case r.form == nul:
		a.buf = append(a.buf, 0xC5, 0xF8, r.code)
	default:
		a.putVEX(r.pp, r.m, uint8(r.w>>1), uint8(i.L), r.code, reg, vvvv, &i.RM, tail)
	}
	if tail != 0 {
		a.byte1(last)
	}
}

// putVEX appends prefix, opcode and operands of a VEX-encoded instruction. The prefix has two bytes
// if two suffice.
func (a *Assembler) putVEX(p prefix, m opmap, w, l uint8, op byte, reg, vvvv uint8, rm *Operand,
	tail uint8) {
	rxb := ^(reg>>3&1<<2 | rm.x()<<1 | rm.b())
	last := ^vvvv&15<<3 | l<<2 | uint8(p)
	if m == m0F && w == 0 && rxb&3 == 3 {
		a.buf = append(a.buf, 0xC5, rxb&4<<5|last, op)
	} else {
		a.buf = append(a.buf, 0xC4, rxb<<5|uint8(m), w<<7|last, op)
	}
	a.modrm(reg, rm, 0, tail)
}

// putEVEX appends prefix, opcode and operands of an EVEX-encoded instruction.
func (a *Assembler) putEVEX(r *row, i *Ins, reg, vvvv, tail uint8) {
	o := &i.RM
	x, v5 := o.reg>>4&1, vvvv>>4&1 // a register RM has its highest bit in X
	if o.kind == memory {
		x = o.x()
		if o.flags&hasVector != 0 {
			v5 = o.index >> 4 & 1
		}
	}
	first := ^(reg>>3&1<<3|x<<2|o.b()<<1|reg>>4&1)<<4 | uint8(r.m)
	second := ^vvvv&15<<3 | 4 | uint8(r.pp)
	if r.w != w0 {
		second |= 0x80
	}
	bcst := o.flags&broadcast != 0
	third := uint8(i.L)<<5 | (v5^1)<<3 | i.K
	if i.Zero {
		third |= 0x80
	}
	switch {
	case bcst, i.Round == SAE:
		third |= 0x10
	case i.Round != 0:
		third = third&^0x60 | uint8(i.Round-RN)<<5 | 0x10
	}
	a.buf = append(a.buf, 0x62, first, second, third, r.code)
	a.modrm(reg, o, r.mem.shift(i.L, bcst), tail)
}

// valid tells whether the processor has the instruction; e means EVEX-encoded.
func (r *row) valid(i *Ins, e bool) bool {
	width, top := v1<<i.L, uint8(15)
	if e {
		width, top = e1<<i.L, 31
	}
	if r.enc&width == 0 {
		return false
	}
	if i.D > r.topD(e, top, i.RM.kind) || i.S > top || r.x&sK != 0 && i.S > 7 || i.M > 15 {
		return false
	}
	masked := i.K != 0
	if masked && (!e || i.K > 7 || r.x&noK != 0) || e && !masked && r.x&needK != 0 {
		return false
	}
	if i.Zero && (!masked || r.x&(dK|needK) != 0 || r.stores(i)) {
		return false
	}
	if i.Round != 0 {
		want := er
		if i.Round == SAE {
			want = sae
		}
		if !e || i.Round > SAE || r.x&want == 0 || i.RM.kind != vector {
			return false
		}
	}
	if r.form == gather && !r.scatters() {
		// The processor refuses gathers whose registers overlap.
		v := i.RM.index
		if i.D == v || !e && (i.D == i.S || i.S == v) {
			return false
		}
	}
	return r.validRM(i, e, top)
}

// scatters tells whether an operation of the form gather is a scatter.
func (r *row) scatters() bool { return r.code&0xF0 == 0xA0 }

// stores tells whether the instruction writes memory, as a whole and with an opmask.
func (r *row) stores(i *Ins) bool {
	return r.form == st || r.form == mr && i.RM.kind == memory
}

// topD is the highest number of the register D.
func (r *row) topD(e bool, top uint8, rm kind) uint8 {
	switch {
	case r.x&dK != 0 && (e || r.enc&evex == 0):
		return 7
	case r.x&dR != 0 && rm != memory: // in memory, D is the vector stored
		return 15
	}
	return top
}

// validRM is valid for the operand RM.
func (r *row) validRM(i *Ins, e bool, top uint8) bool {
	o := &i.RM
	switch o.kind {
	case none:
		return r.form == nul
	case vector:
		return r.x&(memOnly|rmK|rmR) == 0 && o.reg <= top &&
			r.form != st && r.form != stv && r.form != nul
	case mask:
		return r.x&rmK != 0 && o.reg <= 7
	case general:
		return r.x&rmR != 0
	case memory:
		vsib := o.flags&hasVector != 0
		switch {
		case r.mem == noMem, !e && r.x&vexReg != 0:
			return false
		case vsib != (r.form == gather), vsib && o.index > top:
			return false
		}
		return o.flags&broadcast == 0 || e && r.mem.canBcst()
	}
	return false
}
