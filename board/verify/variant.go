package verify

import (
	"fmt"

	"jacquard/decoder"
	"jacquard/tesla"
)

// The registers of the kernels that run rows. Values of 64 bits take the register behind
// theirs, too.
const (
	regThread = 0
	regRecord = 1 // address of the thread's record, then of its results
	regMemory = 2 // address of the memory that an atomic works on
	regTable  = 3
	regA      = 4 // operands
	regB      = 6
	regC      = 8
	regFlags  = 10 // value of the condition register that is read
	regIdle   = 11 // 1 if the thread must not execute the instruction
	regResult = 12
	regAfter  = 14 // the condition register that was written
	regWarp   = 15 // bytes from the first warp's records to this one's
	registers = 16
)

// Condition registers, and the address register that holds the thread's place in tables.
const (
	condIn    = 0 // the short forms know no other
	condOut   = 1
	condGuard = 2
	addrTable = 1
)

// tables is the address of the operands of all threads in s[] and c1[], one word per thread.
const tables = 0x400

// variant is one way to give an instruction its operands.
type variant struct {
	name   string
	serial bool                                       // an instruction for each row, executed by all threads of two warps
	idle   bool                                       // some threads must not execute it: by its guard,
	branch bool                                       // or because they branch around it
	quad   int                                        // lane that a quad operation reads
	place  func(in *tesla.Instruction, r *Row, n int) // n counts the rows of a launch
}

// variantsOf lists the ways in which the machine can execute f on operands as wide as
// r's. The first one, registers alone, must be among them.
func variantsOf(f *form, r *Row) ([]variant, error) {
	var all []variant
	switch {
	case f.in.Op == tesla.OpQuadOp:
		for lane := range 4 {
			all = append(all, variant{name: fmt.Sprintf("lane %d", lane), quad: lane, place: func(in *tesla.Instruction, _ *Row, _ int) {
				in.QuadLane = uint8(lane)
			}})
		}
	case f.in.Op == tesla.OpAtom:
		all = []variant{
			{name: "registers", place: keep},
			{name: "guarded", idle: true, place: guarded},
			{name: "divergent", idle: true, branch: true, place: keep},
			{name: "reduction", place: reduction},
		}
	case f.count:
		all = []variant{{name: "constant", serial: true, place: immediate}, {name: "constant, high half", serial: true, place: func(in *tesla.Instruction, r *Row, n int) {
			high(in, r, n)
			immediate(in, r, n)
		}}}
	default:
		all = []variant{
			{name: "registers", place: keep},
			{name: "guarded", idle: true, place: guarded},
			{name: "divergent", idle: true, branch: true, place: keep},
			{name: "high halves", place: high},
			{name: "a in s[]", place: func(in *tesla.Instruction, _ *Row, _ int) { own(&in.Src[0], tesla.Shared); suit(in) }},
			{name: "b in c[]", place: func(in *tesla.Instruction, _ *Row, _ int) { own(&in.Src[1], tesla.Const) }},
			{name: "c in c[]", place: func(in *tesla.Instruction, _ *Row, _ int) { own(&in.Src[2], tesla.Const) }},
			{name: "one a in s[]", serial: true, place: func(in *tesla.Instruction, _ *Row, n int) { common(&in.Src[0], tesla.Shared, n); suit(in) }},
			{name: "one b in c[]", serial: true, place: func(in *tesla.Instruction, _ *Row, n int) { common(&in.Src[1], tesla.Const, n) }},
			{name: "one c in c[]", serial: true, place: func(in *tesla.Instruction, _ *Row, n int) { common(&in.Src[2], tesla.Const, n) }},
			{name: "short", place: short},
			{name: "immediate", serial: true, place: immediateForm},
		}
	}
	var fit []variant
	for i, v := range all {
		in := f.instruction(r, &v, 0)
		_, _, err := decoder.Encode(arch, in)
		switch {
		case err == nil && (i == 0 || v.branch || in != f.instruction(r, &all[0], 0)):
			fit = append(fit, v)
		case i == 0:
			return nil, fmt.Errorf("no instruction does this: %w", err)
		}
	}
	return fit, nil
}

// instruction returns f with its operands for row r, the n-th of a launch.
func (f *form) instruction(r *Row, v *variant, n int) tesla.Instruction {
	in := f.in
	if f.flags {
		in.CDst = tesla.C0 + condOut
	}
	if in.Op == tesla.OpAtom {
		in.Dst = register(in.Dst, regResult, r.Want.R)
		in.Src[0] = tesla.Operand{Kind: tesla.Global, Index: globalWindow, Value: regMemory}
		in.Src[1] = register(in.Src[1], regB, r.B)
		in.Src[2] = register(in.Src[2], regC, r.C)
	} else {
		in.Dst = register(in.Dst, regResult, r.Want.R)
		in.Src[0] = register(in.Src[0], regA, r.A)
		in.Src[1] = register(in.Src[1], regB, r.B)
		in.Src[2] = register(in.Src[2], regC, r.C)
	}
	v.place(&in, r, n)
	return in
}

// text returns an instruction of arch as a disassembler shows it.
func text(arch tesla.Arch, in tesla.Instruction) string {
	w0, w1, err := decoder.Encode(arch, in)
	if err != nil {
		return in.Op.String()
	}
	return decoder.Decode(arch, w0, w1).String()
}

// globalWindow is the number of g[] that reaches all of global memory.
const globalWindow = 14

// register places a value of v's width in register n, the low half if it has 16 bits.
func register(o tesla.Operand, n uint8, v Value) tesla.Operand {
	switch {
	case v.Digits == 0:
		return o
	case v.Digits <= 4:
		o.Kind, o.Index = tesla.Half, 2*n
	case v.Digits <= 8:
		o.Kind, o.Index = tesla.Reg, n
	default:
		o.Kind, o.Index = tesla.Pair, n
	}
	return o
}

func keep(*tesla.Instruction, *Row, int) {}

// notIdle is the guard that only idle threads fail.
var notIdle = tesla.Guard{Reg: condGuard, Cond: tesla.CondLG} // not Z

// isIdle is the opposite.
var isIdle = tesla.Guard{Reg: condGuard, Cond: tesla.CondE} // Z and not S

// guarded makes idle threads pass over the instruction.
func guarded(in *tesla.Instruction, _ *Row, _ int) { in.Guard = notIdle }

// reduction is the atomic that returns nothing.
func reduction(in *tesla.Instruction, _ *Row, _ int) {
	in.Op, in.Dst, in.Src[2] = tesla.OpRed, tesla.Operand{}, tesla.Operand{}
}

// high moves 16-bit operands to the upper halves of their registers.
func high(in *tesla.Instruction, _ *Row, _ int) {
	for _, o := range []*tesla.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		if o.Kind == tesla.Half {
			o.Index++
		}
	}
}

// own moves an operand to the thread's word of a table.
func own(o *tesla.Operand, kind tesla.OperandKind) {
	if inMemory(o, kind) {
		o.Base = addrTable
	}
}

// common moves an operand to the word that all threads share: in s[] the same for every
// row, in c[] the n-th.
func common(o *tesla.Operand, kind tesla.OperandKind, n int) {
	wide := o.Kind == tesla.Reg
	switch {
	case !inMemory(o, kind):
	case kind == tesla.Shared:
		o.Value = commonShared
	case wide:
		o.Value = uint32(4 * n)
	default:
		o.Value = uint32(2 * n)
	}
}

// commonShared is the address of the common word in s[]: behind the launch's header, and in reach
// of byte offsets.
const commonShared = 0x10

// suit gives a narrow s[] source the access type that the operation insists on: the sign of
// 16-bit operands and the size of bytes.
func suit(in *tesla.Instruction) {
	o, t := &in.Src[0], in.Type
	switch {
	case in.Op == tesla.OpCvt:
		t = in.From
	case o.As != tesla.TypeNone:
		t = o.As
	}
	switch {
	case o.Kind != tesla.Shared || o.Type != tesla.U16:
	case t == tesla.U8 || t == tesla.S8:
		o.Type = tesla.U8
	case t == tesla.S16:
		o.Type = tesla.S16
	}
}

// inMemory makes a memory operand of a register, unless that is wide or not there.
func inMemory(o *tesla.Operand, kind tesla.OperandKind) bool {
	switch {
	case kind == tesla.Shared && o.Kind == tesla.Half:
		o.Type = tesla.U16
	case o.Kind == tesla.Half:
		o.Type = tesla.B16
	case o.Kind == tesla.Reg:
		o.Type = tesla.B32
	default:
		return false
	}
	o.Kind, o.Index = kind, 0
	if kind == tesla.Const {
		o.Index = constBank
	}
	return true
}

// constBank is the bank of constant memory that holds tables and common words.
const constBank = 1

// immediate puts the second operand into the instruction.
func immediate(in *tesla.Instruction, r *Row, _ int) {
	v := uint32(r.B.Bits)
	if in.Type == tesla.U24 || in.Type == tesla.S24 {
		v &= 1<<24 - 1 // the rest has no effect
	}
	in.Src[1].Kind, in.Src[1].Index, in.Src[1].Value = tesla.Imm, 0, v
}

// immediateForm is the form of 8 bytes with a whole word of constant. It writes no
// condition register. Shifts have none: their counts are rows of their own.
func immediateForm(in *tesla.Instruction, r *Row, _ int) {
	if r.B.Digits == 0 || in.Op == tesla.OpShl || in.Op == tesla.OpShr {
		return
	}
	immediate(in, r, 0)
	accumulate(in)
	in.CDst = tesla.NoCond
}

// short is the form of 4 bytes. It writes no condition register.
func short(in *tesla.Instruction, _ *Row, _ int) {
	accumulate(in)
	in.Size, in.CDst = 4, tesla.NoCond
}

// accumulate makes the third source the destination, as short and immediate forms need.
func accumulate(in *tesla.Instruction) {
	if in.Src[2].Kind == tesla.Reg {
		in.Dst = tesla.Operand{Kind: tesla.Reg, Index: in.Src[2].Index}
	}
}
