package x86

import "fmt"

// The methods of this file take the operand size in bits first: 8, 16, 32 or 64. Operations on 32
// bits clear the upper half of a destination register.

// legacy appends an instruction without VEX: prefixes, opcode, ModRM and displacement. m is the
// opcode map: 0, m0F or m38. tail is the number of immediate bytes that the caller appends.
func (a *Assembler) legacy(size int, m opmap, op byte, reg uint8, rm *Operand, tail uint8) {
	a.prefixed(size, 0, m, op, reg, rm, tail, false)
}

// prefixed is legacy with a prefix: LOCK, a mandatory one, or 0 for none. If bytes is true, a
// register among the operands is one of 8 bits, which needs REX to be SPL, BPL, SIL or DIL.
func (a *Assembler) prefixed(size int, prefix byte, m opmap, op byte, reg uint8, rm *Operand,
	tail uint8, bytes bool) {
	if rm.kind != general && (rm.kind != memory || rm.flags&(hasVector|broadcast) != 0) {
		panic(fmt.Sprintf("x86: operand of opcode %#x is no register and no memory", op))
	}
	rex := reg>>3&1<<2 | rm.x()<<1 | rm.b()
	switch size {
	case 64:
		rex |= 8
	case 16:
		a.byte1(0x66)
	case 8, 32:
	default:
		panic(fmt.Sprintf("x86: operand size of %d bits", size))
	}
	if prefix != 0 {
		a.byte1(prefix)
	}
	if rex != 0 || bytes && (reg >= 4 || rm.kind == general && rm.reg >= 4) {
		a.byte1(0x40 | rex)
	}
	switch m {
	case m0F:
		a.byte1(0x0F)
	case m38:
		a.buf = append(a.buf, 0x0F, 0x38)
	}
	a.byte1(op)
	a.modrm(reg, rm, 0, tail)
}

// sized is legacy for an opcode whose lowest bit selects between 8 bits and the other sizes.
// isReg tells whether reg is a register, not a digit of the opcode.
func (a *Assembler) sized(size int, m opmap, op byte, reg uint8, isReg bool, rm *Operand,
	tail uint8) {
	bytes := size == 8 && (isReg || rm.kind == general && rm.reg >= 4)
	if size != 8 {
		op |= 1
	}
	a.prefixed(size, 0, m, op, reg, rm, tail, bytes)
}

// immSize is the number of bytes of an immediate of an operation: at most 4.
func immSize(size int) int { return min(size/8, 4) }

// checkImm panics if v has no encoding as an immediate of the size. Narrow immediates may be signed
// or unsigned numbers; one for 64 bits is a signed number of 32 bits.
func checkImm(size int, v int64) {
	ok := fits32(v)
	if size < 64 {
		ok = v >= -1<<(size-1) && v < 1<<size
	}
	if !ok {
		panic(fmt.Sprintf("x86: immediate %#x for %d bits", v, size))
	}
}

// signed is the immediate v as the signed number of the size: 0xFFFFFFFF is -1 in 32 bits.
func signed(size int, v int64) int64 {
	shift := 64 - size
	return v << shift >> shift
}

// alu appends one of the eight operations that share a shape; digit is its number.
func (a *Assembler) alu(size int, digit uint8, dst, src Operand) {
	op := digit << 3
	switch {
	case src.kind == immediate:
		checkImm(size, src.val)
		v := signed(size, src.val)
		switch {
		case size == 8:
			a.sized(size, 0, 0x80, digit, false, &dst, 1)
			a.imm(v, 1)
		case fits8(v):
			a.legacy(size, 0, 0x83, digit, &dst, 1)
			a.imm(v, 1)
		default:
			n := immSize(size)
			a.legacy(size, 0, 0x81, digit, &dst, uint8(n))
			a.imm(v, n)
		}
	case src.kind == general:
		a.sized(size, 0, op, src.reg, true, &dst, 0)
	case dst.kind == general:
		a.sized(size, 0, op|2, dst.reg, true, &src, 0)
	default:
		panic("x86: two memory operands")
	}
}

// Add is dst += src.
func (a *Assembler) Add(size int, dst, src Operand) { a.alu(size, 0, dst, src) }

// Or is dst |= src.
func (a *Assembler) Or(size int, dst, src Operand) { a.alu(size, 1, dst, src) }

// Adc is dst += src + carry.
func (a *Assembler) Adc(size int, dst, src Operand) { a.alu(size, 2, dst, src) }

// Sbb is dst -= src + carry.
func (a *Assembler) Sbb(size int, dst, src Operand) { a.alu(size, 3, dst, src) }

// And is dst &= src.
func (a *Assembler) And(size int, dst, src Operand) { a.alu(size, 4, dst, src) }

// Sub is dst -= src.
func (a *Assembler) Sub(size int, dst, src Operand) { a.alu(size, 5, dst, src) }

// Xor is dst ^= src.
func (a *Assembler) Xor(size int, dst, src Operand) { a.alu(size, 6, dst, src) }

// Cmp sets the flags of x - y.
func (a *Assembler) Cmp(size int, x, y Operand) { a.alu(size, 7, x, y) }

// Test sets the flags of x & y. y is a register or an immediate.
func (a *Assembler) Test(size int, x, y Operand) {
	if y.kind == immediate {
		checkImm(size, y.val)
		n := immSize(size)
		a.sized(size, 0, 0xF6, 0, false, &x, uint8(n))
		a.imm(y.val, n)
		return
	}
	a.sized(size, 0, 0x84, y.general(), true, &x, 0)
}

// Imul is dst *= src, the lower half of the product; 16, 32 or 64 bits.
func (a *Assembler) Imul(size int, dst Reg, src Operand) {
	a.legacy(wide(size), m0F, 0xAF, uint8(dst), &src, 0)
}

// ImulImm is dst = src * v, the lower half of the product; 16, 32 or 64 bits.
func (a *Assembler) ImulImm(size int, dst Reg, src Operand, v int32) {
	checkImm(size, int64(v))
	if fits8(signed(wide(size), int64(v))) {
		a.legacy(size, 0, 0x6B, uint8(dst), &src, 1)
		a.imm(int64(v), 1)
		return
	}
	n := immSize(size)
	a.legacy(size, 0, 0x69, uint8(dst), &src, uint8(n))
	a.imm(int64(v), n)
}

// Mul is RDX:RAX = RAX * src, unsigned; of 8 bits, AX = AL * src.
func (a *Assembler) Mul(size int, src Operand) { a.sized(size, 0, 0xF6, 4, false, &src, 0) }

// ImulWide is RDX:RAX = RAX * src, signed; of 8 bits, AX = AL * src.
func (a *Assembler) ImulWide(size int, src Operand) { a.sized(size, 0, 0xF6, 5, false, &src, 0) }

// Div is RAX, RDX = quotient and remainder of RDX:RAX / src, unsigned.
func (a *Assembler) Div(size int, src Operand) { a.sized(size, 0, 0xF6, 6, false, &src, 0) }

// Inc is dst++. It leaves the carry.
func (a *Assembler) Inc(size int, dst Operand) { a.sized(size, 0, 0xFE, 0, false, &dst, 0) }

// Dec is dst--. It leaves the carry.
func (a *Assembler) Dec(size int, dst Operand) { a.sized(size, 0, 0xFE, 1, false, &dst, 0) }

// Not is dst = ^dst. It leaves the flags.
func (a *Assembler) Not(size int, dst Operand) { a.sized(size, 0, 0xF6, 2, false, &dst, 0) }

// Neg is dst = -dst.
func (a *Assembler) Neg(size int, dst Operand) { a.sized(size, 0, 0xF6, 3, false, &dst, 0) }

// general returns the number of a general register.
func (o *Operand) general() uint8 {
	if o.kind != general {
		panic("x86: operand is no general register")
	}
	return o.reg
}

// wide returns size, which must not be 8.
func wide(size int) int {
	if size == 8 {
		panic("x86: no such instruction of 8 bits")
	}
	return size
}
