package code_test

import (
	"jacquard/ptx/compile/code"
	"jacquard/tesla"
)

// builder writes functions for tests.
type builder struct {
	f *code.Func
	b *code.Block // the block that is being written
}

func newBuilder(maxRegs int) *builder {
	w := &builder{f: &code.Func{Name: "k", Arch: tesla.SM13, MaxRegs: maxRegs, Regs: make([]code.RegInfo, 1), Constant: 0x20, Verify: true}}
	w.block(0)
	return w
}

// block begins another block.
func (w *builder) block(depth int) *code.Block {
	w.b = &code.Block{ID: len(w.f.Blocks), Depth: depth, End: code.End{Kind: code.Exit}}
	w.f.Blocks = append(w.f.Blocks, w.b)
	return w.b
}

func (w *builder) word() code.Reg { return w.f.NewReg(code.Word) }

func reg(r code.Reg) code.Operand { return code.Operand{Regs: [4]code.Reg{r}} }

// operand is a source of the builder: a code.Reg, an imm, or a tesla.Operand.
func operand(x any) (tesla.Operand, code.Operand) {
	switch x := x.(type) {
	case code.Reg:
		return tesla.Operand{Kind: tesla.Reg}, reg(x)
	case []code.Reg:
		v := code.Operand{}
		copy(v.Regs[:], x)
		return tesla.Operand{Kind: map[int]tesla.OperandKind{2: tesla.Pair, 4: tesla.Quadruple}[len(x)]}, v
	case int:
		return tesla.Operand{Kind: tesla.Imm, Value: uint32(x)}, code.Operand{}
	case uint32:
		return tesla.Operand{Kind: tesla.Imm, Value: x}, code.Operand{}
	case tesla.Operand:
		return x, code.Operand{}
	}
	panic("operand")
}

// do appends an instruction.
func (w *builder) do(op tesla.Op, d code.Reg, sources ...any) *code.Instr {
	in := code.Instr{}
	in.In = tesla.Instruction{Op: op, Type: tesla.B32}
	if d != 0 {
		in.In.Dst.Kind = tesla.Reg
		in.Dst = reg(d)
	}
	for k, s := range sources {
		in.In.Src[k], in.Src[k] = operand(s)
	}
	w.b.Code = append(w.b.Code, in)
	return &w.b.Code[len(w.b.Code)-1]
}

func (w *builder) logic(l tesla.Logic, d code.Reg, a, b any) *code.Instr {
	in := w.do(tesla.OpLogic, d, a, b)
	in.In.Logic = l
	return in
}

func (w *builder) copy(d, s code.Reg) *code.Instr {
	in := w.do(tesla.OpMov, d, s)
	in.Copy = true
	return in
}

// mad is d = a * b + c of 24-bit factors.
func (w *builder) mad(d, a code.Reg, b any, c code.Reg) *code.Instr {
	in := w.do(tesla.OpIMad, d, a, b, c)
	in.In.Type = tesla.U24
	return in
}

// compare returns flags of a signed comparison.
func (w *builder) compare(a, b code.Reg, c tesla.Cmp) code.Reg {
	in := w.do(tesla.OpISet, 0, a, b)
	in.In.Type, in.In.Cmp, in.In.Dst.Kind = tesla.S32, c, tesla.Discard
	in.CDst = w.f.NewReg(code.Cond)
	return in.CDst
}

// memory returns the operand of global memory.
func memory() tesla.Operand { return tesla.Operand{Kind: tesla.Global, Index: 14} }

func accessType(n int) tesla.Type {
	return map[int]tesla.Type{1: tesla.B32, 2: tesla.B64, 4: tesla.B128}[n]
}

// load fills registers from the address in a register.
func (w *builder) load(at code.Reg, d ...code.Reg) *code.Instr {
	in := w.do(tesla.OpLdGlobal, d[0], memory())
	in.Src[0] = reg(at)
	if len(d) > 1 {
		in.In.Dst, in.Dst = operand(d)
	}
	in.In.Type = accessType(len(d))
	return in
}

// store puts registers at the address in a register.
func (w *builder) store(at code.Reg, s ...code.Reg) *code.Instr {
	var data any = s
	if len(s) == 1 {
		data = s[0]
	}
	in := w.do(tesla.OpStGlobal, 0, memory(), data)
	in.Src[0] = reg(at)
	in.In.Type = accessType(len(s))
	return in
}

func (w *builder) jump(to *code.Block) { w.b.End = code.End{Kind: code.Jump, To: [2]*code.Block{to}} }

func (w *builder) branch(r code.Reg, c tesla.Cond, to, other *code.Block) {
	w.b.End = code.End{Kind: code.Branch, Guard: code.Guard{Reg: r, Cond: c}, To: [2]*code.Block{to, other}}
}

// slotBytes is the memory of a thread.
const slotBytes = 512

// entry returns the number of the thread, and the address of its memory.
func (w *builder) entry() (thread, slot code.Reg) {
	thread, slot = w.word(), w.word()
	w.f.Regs[thread].Fixed = 1
	scaled := w.word()
	w.do(tesla.OpShl, scaled, thread, 9)
	w.do(tesla.OpIAdd, slot, tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x10}, scaled)
	return thread, slot
}
