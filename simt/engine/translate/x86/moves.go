package x86

// Mov is dst = src. Of an immediate and a register it takes the shortest encoding; of 64 bits, any
// immediate goes into a register, and one of 32 bits that is sign-extended into memory.
func (a *Assembler) Mov(size int, dst, src Operand) {
	switch {
	case src.kind == immediate && dst.kind == general:
		a.movImm(size, dst.reg, src.val)
	case src.kind == immediate:
		checkImm(size, src.val)
		n := immSize(size)
		a.sized(size, 0, 0xC6, 0, false, &dst, uint8(n))
		a.imm(src.val, n)
	case src.kind == general:
		a.sized(size, 0, 0x88, src.reg, true, &dst, 0)
	case dst.kind == general:
		a.sized(size, 0, 0x8A, dst.reg, true, &src, 0)
	default:
		panic("x86: two memory operands")
	}
}

// movImm is reg = v.
func (a *Assembler) movImm(size int, reg uint8, v int64) {
	if size == 64 && v == int64(uint32(v)) {
		size = 32 // clears the upper half
	}
	if size == 64 && fits32(v) {
		a.legacy(64, 0, 0xC7, 0, &Operand{kind: general, reg: reg}, 4)
		a.imm(v, 4)
		return
	}
	rex := reg >> 3
	op := byte(0xB8)
	switch size {
	case 8:
		op = 0xB0
		if reg >= 4 {
			rex |= 0x40
		}
	case 16:
		a.byte1(0x66)
	case 64:
		rex |= 8
	}
	if size != 64 {
		checkImm(size, v)
	}
	if rex != 0 {
		a.byte1(0x40 | rex)
	}
	a.byte1(op | reg&7)
	a.imm(v, size/8)
}

// MovZX is dst = src, zero-extended from the given number of bits: 8, 16 or 32. From 32 bits it is
// a plain move, which clears the upper half.
func (a *Assembler) MovZX(size int, dst Reg, from int, src Operand) {
	switch checkExtend(size, from); from {
	case 8:
		a.extend(size, 0xB6, dst, &src, true)
	case 16:
		a.extend(size, 0xB7, dst, &src, false)
	case 32:
		a.legacy(32, 0, 0x8B, uint8(dst), &src, 0)
	}
}

// MovSX is dst = src, sign-extended from the given number of bits: 8, 16 or 32.
func (a *Assembler) MovSX(size int, dst Reg, from int, src Operand) {
	switch checkExtend(size, from); from {
	case 8:
		a.extend(size, 0xBE, dst, &src, true)
	case 16:
		a.extend(size, 0xBF, dst, &src, false)
	case 32:
		a.legacy(64, 0, 0x63, uint8(dst), &src, 0)
	}
}

// extend appends a move from a byte or a word.
func (a *Assembler) extend(size int, op byte, dst Reg, src *Operand, bytes bool) {
	bytes = bytes && src.kind == general && src.reg >= 4
	a.prefixed(size, 0, m0F, op, uint8(dst), src, 0, bytes)
}

// checkExtend panics if there is no extension from one size to the other.
func checkExtend(size, from int) {
	if from >= size || from != 8 && from != 16 && from != 32 {
		panic("x86: no extension between these sizes")
	}
}

// Lea is dst = the address of mem, of 16, 32 or 64 bits.
func (a *Assembler) Lea(size int, dst Reg, mem Operand) {
	if mem.kind != memory {
		panic("x86: address of an operand that is not memory")
	}
	a.legacy(wide(size), 0, 0x8D, uint8(dst), &mem, 0)
}

// Prefetch asks for the line of mem in the nearest cache. It never faults.
func (a *Assembler) Prefetch(mem Operand) { a.prefetch(0x18, mem) }

// PrefetchW is Prefetch of a line that will be written.
func (a *Assembler) PrefetchW(mem Operand) { a.prefetch(0x0D, mem) }

func (a *Assembler) prefetch(op byte, mem Operand) {
	if mem.kind != memory {
		panic("x86: prefetch of an operand that is not memory")
	}
	a.legacy(32, m0F, op, 1, &mem, 0)
}

// Setcc sets a byte to 1 if the condition holds, and to 0 otherwise.
func (a *Assembler) Setcc(c Cond, dst Operand) {
	bytes := dst.kind == general && dst.reg >= 4
	a.prefixed(8, 0, m0F, 0x90|byte(c), 0, &dst, 0, bytes)
}

// Cmovcc is dst = src if the condition holds. Of 32 bits it clears the upper half in any case.
func (a *Assembler) Cmovcc(size int, c Cond, dst Reg, src Operand) {
	a.legacy(wide(size), m0F, 0x40|byte(c), uint8(dst), &src, 0)
}

// Push puts 64 bits on the stack: a register, memory, or a sign-extended immediate of 32 bits.
func (a *Assembler) Push(src Operand) {
	switch {
	case src.kind == general:
		if src.reg >= 8 {
			a.byte1(0x41)
		}
		a.byte1(0x50 | src.reg&7)
	case src.kind == immediate && fits8(src.val):
		a.buf = append(a.buf, 0x6A, byte(src.val))
	case src.kind == immediate:
		checkImm(64, src.val)
		a.byte1(0x68)
		a.imm(src.val, 4)
	default:
		a.legacy(32, 0, 0xFF, 6, &src, 0)
	}
}

// Pop takes 64 bits from the stack, into a register or memory.
func (a *Assembler) Pop(dst Operand) {
	if dst.kind == general {
		if dst.reg >= 8 {
			a.byte1(0x41)
		}
		a.byte1(0x58 | dst.reg&7)
		return
	}
	a.legacy(32, 0, 0x8F, 0, &dst, 0)
}

// Xchg exchanges dst and reg. With memory it is atomic.
func (a *Assembler) Xchg(size int, dst Operand, reg Reg) {
	a.sized(size, 0, 0x86, uint8(reg), true, &dst, 0)
}

// LockCmpxchg compares memory with RAX, atomically. If they are equal it writes reg there and sets
// the zero flag; otherwise it reads the memory into RAX.
func (a *Assembler) LockCmpxchg(size int, mem Operand, reg Reg) { a.locked(size, 0xB0, mem, reg) }

// LockXadd adds reg to memory, atomically, and leaves memory's old value in reg.
func (a *Assembler) LockXadd(size int, mem Operand, reg Reg) { a.locked(size, 0xC0, mem, reg) }

// locked appends a read-modify-write instruction with the LOCK prefix.
func (a *Assembler) locked(size int, op byte, mem Operand, reg Reg) {
	if mem.kind != memory {
		panic("x86: a lock on an operand that is not memory")
	}
	if size != 8 {
		op |= 1
	}
	a.prefixed(size, 0xF0, m0F, op, uint8(reg), &mem, 0, size == 8)
}
