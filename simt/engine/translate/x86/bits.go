package x86

// shift appends a shift or a rotation; digit is its number.
func (a *Assembler) shift(size int, digit uint8, dst, count Operand) {
	switch {
	case count.kind == general && Reg(count.reg) == RCX:
		a.sized(size, 0, 0xD2, digit, false, &dst, 0)
	case count.kind == immediate && count.val == 1:
		a.sized(size, 0, 0xD0, digit, false, &dst, 0)
	case count.kind == immediate && count.val >= 0 && count.val < int64(max(size, 32)):
		a.sized(size, 0, 0xC0, digit, false, &dst, 1)
		a.imm(count.val, 1)
	default:
		panic("x86: a shift count is CL or an immediate below the size")
	}
}

// Rol rotates dst to the left by an immediate, or by CL if the count is R(RCX).
func (a *Assembler) Rol(size int, dst, count Operand) { a.shift(size, 0, dst, count) }

// Ror rotates dst to the right. The count is R(RCX) or an immediate.
func (a *Assembler) Ror(size int, dst, count Operand) { a.shift(size, 1, dst, count) }

// Shl shifts dst to the left. The count is R(RCX) or an immediate.
func (a *Assembler) Shl(size int, dst, count Operand) { a.shift(size, 4, dst, count) }

// Shr shifts dst to the right and fills with zeros. The count is R(RCX) or an immediate.
func (a *Assembler) Shr(size int, dst, count Operand) { a.shift(size, 5, dst, count) }

// Sar shifts dst to the right and fills with the sign. The count is R(RCX) or an immediate.
func (a *Assembler) Sar(size int, dst, count Operand) { a.shift(size, 7, dst, count) }

// bitTest appends a bit operation: op with a register, digit with an immediate.
func (a *Assembler) bitTest(size int, op byte, digit uint8, dst, bit Operand) {
	wide(size)
	if bit.kind == immediate {
		a.legacy(size, m0F, 0xBA, digit, &dst, 1)
		a.imm(bit.val, 1)
		return
	}
	a.legacy(size, m0F, op, bit.general(), &dst, 0)
}

// Bt copies a bit of dst into the carry. The bit is a register or an immediate. Bits beyond memory
// of the size reach the memory around it if the bit is a register.
func (a *Assembler) Bt(size int, dst, bit Operand) { a.bitTest(size, 0xA3, 4, dst, bit) }

// Bts is Bt, and sets the bit.
func (a *Assembler) Bts(size int, dst, bit Operand) { a.bitTest(size, 0xAB, 5, dst, bit) }

// Btr is Bt, and clears the bit.
func (a *Assembler) Btr(size int, dst, bit Operand) { a.bitTest(size, 0xB3, 6, dst, bit) }

// Tzcnt counts the zero bits below the lowest set bit; the size if there is none (BMI1).
func (a *Assembler) Tzcnt(size int, dst Reg, src Operand) { a.count(size, 0xBC, dst, &src) }

// Lzcnt counts the zero bits above the highest set bit; the size if there is none (LZCNT).
func (a *Assembler) Lzcnt(size int, dst Reg, src Operand) { a.count(size, 0xBD, dst, &src) }

// Popcnt counts the set bits (POPCNT).
func (a *Assembler) Popcnt(size int, dst Reg, src Operand) { a.count(size, 0xB8, dst, &src) }

// count appends a bit count.
func (a *Assembler) count(size int, op byte, dst Reg, src *Operand) {
	a.prefixed(wide(size), 0xF3, m0F, op, uint8(dst), src, 0, false)
}

// bmi appends a VEX-encoded operation on general registers of 32 or 64 bits.
func (a *Assembler) bmi(size int, p prefix, op byte, reg, vvvv uint8, rm *Operand) {
	if rm.kind != general && (rm.kind != memory || rm.flags&(hasVector|broadcast) != 0) {
		panic("x86: operand is no general register and no memory")
	}
	w := uint8(0)
	switch size {
	case 64:
		w = 1
	case 32:
	default:
		panic("x86: BMI operations have 32 or 64 bits")
	}
	a.putVEX(p, m38, w, 0, op, reg, vvvv, rm, 0)
}

// Andn is dst = ^x & y (BMI1).
func (a *Assembler) Andn(size int, dst, x Reg, y Operand) {
	a.bmi(size, pNo, 0xF2, uint8(dst), uint8(x), &y)
}

// Blsr is dst = src without its lowest set bit (BMI1).
func (a *Assembler) Blsr(size int, dst Reg, src Operand) {
	a.bmi(size, pNo, 0xF3, 1, uint8(dst), &src)
}

// Blsi is dst = the lowest set bit of src (BMI1).
func (a *Assembler) Blsi(size int, dst Reg, src Operand) {
	a.bmi(size, pNo, 0xF3, 3, uint8(dst), &src)
}

// Bextr is dst = the bits of src from ctl&0xFF on, ctl>>8&0xFF of them (BMI1).
func (a *Assembler) Bextr(size int, dst Reg, src Operand, ctl Reg) {
	a.bmi(size, pNo, 0xF7, uint8(dst), uint8(ctl), &src)
}

// Shlx is dst = src << count, and leaves the flags (BMI2).
func (a *Assembler) Shlx(size int, dst Reg, src Operand, count Reg) {
	a.bmi(size, p66, 0xF7, uint8(dst), uint8(count), &src)
}

// Shrx is dst = src >> count, filled with zeros, and leaves the flags (BMI2).
func (a *Assembler) Shrx(size int, dst Reg, src Operand, count Reg) {
	a.bmi(size, pF2, 0xF7, uint8(dst), uint8(count), &src)
}

// Sarx is dst = src >> count, filled with the sign, and leaves the flags (BMI2).
func (a *Assembler) Sarx(size int, dst Reg, src Operand, count Reg) {
	a.bmi(size, pF3, 0xF7, uint8(dst), uint8(count), &src)
}

// Pdep spreads the low bits of x to the set bits of the mask (BMI2).
func (a *Assembler) Pdep(size int, dst, x Reg, bits Operand) {
	a.bmi(size, pF2, 0xF5, uint8(dst), uint8(x), &bits)
}

// Pext collects the bits of x at the set bits of the mask (BMI2).
func (a *Assembler) Pext(size int, dst, x Reg, bits Operand) {
	a.bmi(size, pF3, 0xF5, uint8(dst), uint8(x), &bits)
}
