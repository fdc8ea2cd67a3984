package ssabuild

import (
	"slices"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// The carry is the carry of the machine: the carry of a sum, and for a subtraction the complement
// of its borrow. A subtraction that takes the carry adds the complement of its operand, so chains
// of sums and chains of subtractions are as PTX defines them. For a mixed chain PTX says that the
// borrow is added, but the code of NVIDIA's assembler adds the flag of the machine. Both bodies do
// the latter.
//
// Between blocks, and under a guard, the carry is a Word of the frame: 1 or 0. It begins as 0, and
// calls leave it as it was.

// takesCarry reports whether an instruction of a function takes the carry.
func takesCarry(fn *ptx.Func) bool {
	return slices.ContainsFunc(fn.Body, func(s ptx.Stmt) bool {
		in, ok := s.(*ptx.Instr)
		return ok && (in.Op == ptx.OpAddc || in.Op == ptx.OpSubc || in.Op == ptx.OpMadc)
	})
}

// carryOut notes that an instruction sets the carry to the carry of v, a sum. The Word of a carry
// that only the block reads is unused, and removed.
func (b *builder) carryOut(in *ptx.Instr, v *ir.Value) {
	if in.Mods&ptx.CarryOut == 0 {
		return
	}
	b.carry = v
	if b.inLibrary == 0 {
		b.set(b.frame.carry, b.do(ir.AddC, b.word(0), b.word(0), v))
	}
}

// carryIn returns the sum whose carry an instruction takes.
func (b *builder) carryIn() *ir.Value {
	if b.carry == nil {
		b.carry = b.do(ir.Add, b.get(b.frame.carry), b.word(^uint32(0)))
	}
	return b.carry
}
