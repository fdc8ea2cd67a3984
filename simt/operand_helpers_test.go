package simt_test

import "jacquard/tesla"

// oracleInstruction makes an instruction of its operands.
func oracleInstruction(op tesla.Op, typ tesla.Type, dst tesla.Operand, src ...tesla.Operand) tesla.Instruction {
	in := tesla.Instruction{Op: op, Type: typ, Dst: dst}
	copy(in.Src[:], src)
	return in
}

func oracleReg(n int) tesla.Operand  { return tesla.Operand{Kind: tesla.Reg, Index: uint8(n)} }
func oracleImm(v int) tesla.Operand  { return tesla.Operand{Kind: tesla.Imm, Value: uint32(v)} }
func oracleAddr(n int) tesla.Operand { return tesla.Operand{Kind: tesla.AddrReg, Index: uint8(n)} }
func oracleGlobal(register int) tesla.Operand {
	return tesla.Operand{Kind: tesla.Global, Index: 14, Value: uint32(register)}
}
