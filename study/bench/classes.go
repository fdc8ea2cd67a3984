package bench

import (
	"jacquard/simt"
	"jacquard/tesla"
)

// Class is a class of instructions whose cost is measured alone, by a kernel that executes little
// else, in blocks of eight warps that never diverge.
type Class struct {
	Name string
	host string // the equivalent operation of package host; "" for none
	emit func(c *code, k int)
	// rounds is the number of loop iterations; slow classes have few.
	rounds int
}

// The shape of a class's launch.
const (
	classThreads  = 256 // per block
	classBlocks   = 16
	classUnrolled = 32 // instructions of the class per loop iteration
)

// The registers of a class's kernel. Results rotate through eight registers, or four pairs, that no
// instruction reads: every instruction has the same operands. All data fits a host core's
// first-level cache.
const (
	classCounter = 1
	classSlot    = 2 // address in global memory
	classWord    = 4 // three integers
	classResult  = 8
	classFloat   = 16 // three f32
	classAngle   = 19 // a valid operand for the sine
	classDouble  = 20 // three f64
	classRegs    = 26
	classShared  = 0x20 + 4*classThreads
)

// Classes lists the classes whose cost is measured.
func Classes() []Class {
	const slow, normal = 8, 32
	word, single, double := reg(classWord), reg(classFloat), pair(classDouble)
	result := func(k int) tesla.Operand { return reg(classResult + k%8) }
	results := func(k int) tesla.Operand { return pair(classResult + 2*(k%4)) }
	// each returns a writer of an instruction whose sources are consecutive registers.
	each := func(o tesla.Op, t tesla.Type, src ...tesla.Operand) func(c *code, k int) {
		return func(c *code, k int) { c.Add(op(o, t, result(k), src...)) }
	}
	after := func(o tesla.Operand, n uint8) tesla.Operand {
		o.Index += n
		return o
	}
	return []Class{
		{"integer add", "add", each(tesla.OpIAdd, tesla.B32, word, after(word, 1)), normal},
		{"integer mul", "mul24", each(tesla.OpIMul, tesla.U24, word, after(word, 1)), normal},
		{"integer mad", "mad24", each(tesla.OpIMad, tesla.U24, word, after(word, 1), after(word, 2)), normal},
		{"f32 add", "fadd", each(tesla.OpFAdd, tesla.F32, single, after(single, 1)), normal},
		{"f32 mul", "fmul", each(tesla.OpFMul, tesla.F32, single, after(single, 1)), normal},
		{"f32 mad", "fmad", each(tesla.OpFMad, tesla.F32, single, after(single, 1), after(single, 2)), normal},
		{"logic", "and", each(tesla.OpLogic, tesla.B32, word, after(word, 1)), normal},
		{"shift", "shl", each(tesla.OpShl, tesla.B32, word, after(word, 1)), normal},
		{"convert s32 to f32", "itof", func(c *code, k int) { c.Add(cvt(tesla.F32, tesla.S32, result(k), word)) }, normal},
		{"convert f32 to s32", "ftoi", func(c *code, k int) { c.Add(cvt(tesla.S32, tesla.F32, result(k), single)) }, normal},
		{"rcp", "rcp", each(tesla.OpRcp, tesla.F32, single), slow},
		{"sin", "", each(tesla.OpSin, tesla.F32, reg(classAngle)), slow},
		{"f64 add", "dadd", func(c *code, k int) { c.Add(op(tesla.OpDAdd, tesla.F64, results(k), double, after(double, 2))) }, slow},
		{"f64 fma", "dfma", func(c *code, k int) {
			c.Add(op(tesla.OpDFma, tesla.F64, results(k), double, after(double, 2), after(double, 4)))
		}, slow},
		{"load shared", "copy", func(c *code, k int) { c.Add(op(tesla.OpLdShared, tesla.B32, result(k), shared(1, 0x20))) }, normal},
		{"store shared", "copy", func(c *code, k int) { c.Add(store(tesla.OpStShared, tesla.B32, shared(1, 0x20), word)) }, normal},
		{"load global", "copy", func(c *code, k int) { c.Add(op(tesla.OpLdGlobal, tesla.B32, result(k), global(classSlot))) }, normal},
		{"store global", "copy", func(c *code, k int) { c.Add(store(tesla.OpStGlobal, tesla.B32, global(classSlot), word)) }, normal},
		{"branch", "", func(c *code, k int) {
			next := c.Label()
			c.Jump(tesla.Instruction{Op: tesla.OpBra}, next)
			c.Place(next)
		}, normal},
	}
}

// Workload returns the kernel that measures the class.
func (c *Class) Workload() Workload {
	return Workload{
		Name: c.Name, Grid: [2]int{classBlocks, 1}, Block: [3]int{classThreads, 1, 1},
		params: []param{output(classBlocks * classThreads)}, code: c.kernel,
	}
}

// kernel writes the code: operands, then the loop.
func (c *Class) kernel() (simt.Kernel, error) {
	w := newCode()
	w.thread(classWord)
	w.Add(op(tesla.OpShl, tesla.B32, reg(classSlot), reg(classWord), imm(2)))
	w.address(1, classSlot)
	w.Add(cvt(tesla.U32, tesla.U16, reg(classCounter), tesla.Operand{Kind: tesla.Shared, Type: tesla.U16, Value: blockIndex}))
	// 4*classThreads
	w.Add(op(tesla.OpShl, tesla.B32, reg(classCounter), reg(classCounter), imm(10)))
	w.Add(op(tesla.OpIAdd, tesla.B32, reg(classSlot), reg(classSlot), reg(classCounter)))
	w.Add(op(tesla.OpIAdd, tesla.B32, reg(classSlot), shared(0, parameters), reg(classSlot)))
	for i := range 3 {
		if i > 0 {
			w.Add(op(tesla.OpIAdd, tesla.B32, reg(classWord+i), reg(classWord), imm(uint32(i)*3)))
		}
		w.Add(cvt(tesla.F32, tesla.U32, reg(classFloat+i), reg(classWord+i)))
		// 1.1
		w.Add(op(tesla.OpFAdd, tesla.F32, reg(classFloat+i), reg(classFloat+i), imm(0x3f8ccccd)))
		w.Add(op(tesla.OpMov, tesla.B32, reg(classDouble+2*i), reg(classWord+i)))
		// the high word of 1.5
		w.Add(op(tesla.OpIAdd, tesla.B32, reg(classDouble+2*i+1), reg(classWord+i), imm(0x3ff80000)))
	}
	w.Add(op(tesla.OpPreSin, tesla.F32, reg(classAngle), reg(classFloat)))
	w.Add(op(tesla.OpMov, tesla.B32, reg(classCounter), imm(uint32(c.rounds))))
	loop := w.PlaceHere()
	for k := range classUnrolled {
		c.emit(w, k)
	}
	w.again(classCounter, loop)
	w.Exit()
	return w.kernel(c.Name, classRegs, classShared)
}
