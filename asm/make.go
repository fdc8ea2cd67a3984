package asm

import "jacquard/tesla"

// Plain returns an instruction of 8 bytes without type, operands, guard and flags.
func Plain(op tesla.Op) tesla.Instruction {
	return tesla.Instruction{Op: op, Size: 8}
}

// Reg is $rN.
func Reg(n uint8) tesla.Operand { return tesla.Operand{Kind: tesla.Reg, Index: n} }

// Imm is an immediate.
func Imm(v uint32) tesla.Operand { return tesla.Operand{Kind: tesla.Imm, Value: v} }

// Param is a word of the parameters, which begin at byte 0x10 of s[].
func Param(offset uint32) tesla.Operand {
	return tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x10 + offset}
}

// Memory is global memory at the address in $rN.
func Memory(n uint8) tesla.Operand {
	return tesla.Operand{Kind: tesla.Global, Index: globalWindow, Value: uint32(n)}
}

// globalWindow is the number of g[] that reaches all of global memory.
const globalWindow = 14

// With is d = op(a, v) on 32 bits with an immediate.
func With(op tesla.Op, d, a uint8, v uint32) tesla.Instruction { return Do(op, d, a, Imm(v)) }

// Do is d = op(a, b) on 32 bits.
func Do(op tesla.Op, d, a uint8, b tesla.Operand) tesla.Instruction {
	in := Plain(op)
	in.Type, in.Dst, in.Src[0], in.Src[1] = tesla.B32, Reg(d), Reg(a), b
	return in
}

// Mov is d = a: a register, an immediate, or a word of memory.
func Mov(d uint8, a tesla.Operand) tesla.Instruction {
	in := Plain(tesla.OpMov)
	in.Type, in.Dst, in.Src[0] = tesla.B32, Reg(d), a
	return in
}

// Load fills four registers from the address in $rAT.
func Load(first, at uint8) tesla.Instruction {
	in := Plain(tesla.OpLdGlobal)
	in.Type, in.Dst, in.Src[0] = tesla.B128, tesla.Operand{Kind: tesla.Quadruple, Index: first}, Memory(at)
	return in
}

// Store stores four registers at the address in $rAT.
func Store(at, first uint8) tesla.Instruction {
	in := Plain(tesla.OpStGlobal)
	in.Type, in.Src[0], in.Src[1] = tesla.B128, Memory(at), tesla.Operand{Kind: tesla.Quadruple, Index: first}
	return in
}

// StoreShared stores data at a place in s[], as wide as the place's type says.
func StoreShared(at, data tesla.Operand) tesla.Instruction {
	in := Plain(tesla.OpStShared)
	in.Type, in.Src[0], in.Src[1] = at.Type, at, data
	return in
}

// ToAddr is $aN = $rFROM << by.
func ToAddr(n, from uint8, by uint32) tesla.Instruction {
	in := With(tesla.OpShlToAddr, 0, from, by)
	in.Dst = tesla.Operand{Kind: tesla.AddrReg, Index: n}
	return in
}

// ToCond is $cN = a register's low four bits.
func ToCond(cond, from uint8) tesla.Instruction {
	in := Plain(tesla.OpMovToCond)
	in.Type, in.CDst, in.Src[0] = tesla.B32, tesla.C0+tesla.CReg(cond), Reg(from)
	return in
}

// FromCond is d = $cN.
func FromCond(d, cond uint8) tesla.Instruction {
	in := Plain(tesla.OpMovFromCond)
	in.Type, in.Dst, in.Src[0] = tesla.B32, Reg(d), tesla.Operand{Kind: tesla.CondReg, Index: cond}
	return in
}

// Barrier is the only form of barrier in compilers' code: all threads arrive and wait.
func Barrier() tesla.Instruction {
	in := Plain(tesla.OpBar)
	in.Barrier = tesla.Barrier{Count: 0xfff, Inc: true, Wait: true}
	return in
}
