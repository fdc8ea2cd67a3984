package bench

import (
	"fmt"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/tesla"
)

// code writes a kernel by hand, for workloads that no compiler compiled.
type code struct{ asm.Builder }

func newCode() *code { return &code{asm.Builder{Arch: tesla.SM13}} }

const (
	parameters   = 0x10 // address in shared memory of a kernel's parameters
	blockIndex   = 0x0c // address in shared memory of the block's index along x
	globalWindow = 14   // window of flat global memory
)

// kernel returns the kernel, with the code decoded for a device.
func (c *code) kernel(name string, registers, shared int) (simt.Kernel, error) {
	words, err := c.Code()
	if err != nil {
		return simt.Kernel{}, fmt.Errorf("%s: %w", name, err)
	}
	return simt.Kernel{
		Name: name, Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words),
		Registers: registers, Shared: shared,
	}, nil
}

func reg(n int) tesla.Operand       { return tesla.Operand{Kind: tesla.Reg, Index: uint8(n)} }
func pair(n int) tesla.Operand      { return tesla.Operand{Kind: tesla.Pair, Index: uint8(n)} }
func quadruple(n int) tesla.Operand { return tesla.Operand{Kind: tesla.Quadruple, Index: uint8(n)} }
func imm(v uint32) tesla.Operand    { return tesla.Operand{Kind: tesla.Imm, Value: v} }

func minus(o tesla.Operand) tesla.Operand {
	o.Neg = true
	return o
}

// shared is a word of s[] at an address register plus an offset; base 0 means no register.
func shared(base int, offset uint32) tesla.Operand {
	return tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: uint8(base), Value: offset}
}

// global is memory at the address in a register.
func global(address int) tesla.Operand {
	return tesla.Operand{Kind: tesla.Global, Index: globalWindow, Value: uint32(address)}
}

// op is d = op(src...) in type t.
func op(o tesla.Op, t tesla.Type, d tesla.Operand, src ...tesla.Operand) tesla.Instruction {
	in := tesla.Instruction{Op: o, Type: t, Dst: d}
	copy(in.Src[:], src)
	return in
}

// cvt is d = a converted.
func cvt(to, from tesla.Type, d, a tesla.Operand) tesla.Instruction {
	in := op(tesla.OpCvt, to, d, a)
	in.From = from
	return in
}

// store is memory = data.
func store(o tesla.Op, t tesla.Type, memory, data tesla.Operand) tesla.Instruction {
	return op(o, t, tesla.Operand{}, memory, data)
}

// address copies a register to an address register.
func (c *code) address(a, from int) {
	c.Add(asm.ToAddr(uint8(a), uint8(from), 0))
}

// thread extracts the thread's index along x to a register; the hardware packs all three in $r0.
func (c *code) thread(d int) {
	c.Add(op(tesla.OpLogic, tesla.B32, reg(d), reg(0), imm(0xffff)))
}

// barrier waits for all warps of the block.
func (c *code) barrier() {
	c.Add(tesla.Instruction{Op: tesla.OpBar, Barrier: tesla.Barrier{All: true, Inc: true, Wait: true}})
}

// again decrements a counter and branches to the label unless it is 0. All threads have the same
// count.
func (c *code) again(counter int, target asm.Label) {
	c.Add(op(tesla.OpIAdd, tesla.B32, reg(counter), reg(counter), imm(^uint32(0))))
	set := op(tesla.OpISet, tesla.U32, tesla.Operand{Kind: tesla.Discard}, reg(counter), reg(zeroRegister))
	set.Cmp, set.CDst = tesla.Less|tesla.Greater, tesla.C0
	c.Add(set)
	c.Jump(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: isSet}}, target)
}

const (
	zeroRegister = 63           // not allocated, so reads return zero
	isSet        = tesla.CondLG // the result was not zero
)
