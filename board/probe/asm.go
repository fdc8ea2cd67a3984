package probe

import (
	"errors"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/tesla"
)

// The registers of the kernels of probes. Bodies own the registers from regFree on.
const (
	regThread = 0
	regAt     = 1 // address of the thread's next write
	regIn     = 4 // four registers with the thread's input
	regOut    = 8 // four registers that out writes
	regFree   = 12
	registers = 24
)

// Kernels have sharedBytes of s[], header and parameter included; bodies use it from sharedFree on.
const (
	sharedFree  = 0x40
	sharedBytes = 0x200
)

// unwritten is the word of a register of regOut that a body did not write.
const unwritten = 0x5a5ac3c6

// code is the kernel of a probe.
type code struct {
	asm.Builder
	textured bool
	literals []uint32 // of constant bank literalBank
	written  bool
	err      error
}

// assembled returns the kernel around a body.
func assembled(arch tesla.Arch, body func(k *code)) *code {
	k := &code{Builder: asm.Builder{Arch: arch}}
	k.Add(asm.Mov(regAt, asm.Param(0)))
	k.Add(asm.With(tesla.OpShl, regFree, regThread, recordShift))
	k.Add(asm.Do(tesla.OpIAdd, regAt, regAt, asm.Reg(regFree)))
	k.Add(asm.Load(regIn, regAt))
	k.Add(asm.With(tesla.OpIAdd, regAt, regAt, inputBytes))
	k.fill()
	body(k)
	if !k.written {
		k.out()
	}
	k.Exit()
	return k
}

// fill marks the registers of regOut as not written.
func (k *code) fill() {
	for i := range uint8(4) {
		k.Add(asm.Mov(regOut+i, asm.Imm(unwritten)))
	}
}

// out stores the registers of regOut.
func (k *code) out() {
	k.written = true
	k.Add(asm.Store(regAt, regOut))
	k.Add(asm.With(tesla.OpIAdd, regAt, regAt, 16))
	k.fill()
}

// set is d = v, and copies d = a.
func (k *code) set(d uint8, v uint32)    { k.Add(asm.Mov(d, asm.Imm(v))) }
func (k *code) copies(d, a uint8)        { k.Add(asm.Mov(d, asm.Reg(a))) }
func (k *code) toCond(cond, from uint8)  { k.Add(asm.ToCond(cond, from)) }
func (k *code) fromCond(to, cond uint8)  { k.Add(asm.FromCond(to, cond)) }
func (k *code) toAddr(a, from, by uint8) { k.Add(asm.ToAddr(a, from, uint32(by))) }
func (k *code) fromAddr(d, a uint8)      { k.Add(fromAddr(d, a)) }
func (k *code) special(d, number uint8)  { k.Add(special(d, number)) }
func (k *code) clock(d uint8)            { k.special(d, specialClock) }
func (k *code) read(d uint8, at uint32)  { k.Add(asm.Mov(d, word(at))) }
func (k *code) write(at uint32, a uint8) { k.Add(asm.StoreShared(word(at), asm.Reg(a))) }
func (k *code) nothing(n int)            { k.repeat(n, asm.Mov(regFree+11, asm.Reg(regFree+11))) }
func (k *code) repeat(n int, in tesla.Instruction) {
	for range n {
		k.Add(in)
	}
}

// The conditions of a guard that bodies use, on the flags Z = 1 and S = 2.
const (
	less     = tesla.CondL
	equal    = tesla.CondE
	notEqual = tesla.CondLG
)

// when makes in execute where $cN fulfils a condition.
func when(in tesla.Instruction, cond uint8, c tesla.Cond) tesla.Instruction {
	in.Guard = tesla.Guard{Reg: cond, Cond: c}
	return in
}

// marked gives in a marker.
func marked(in tesla.Instruction, m tesla.Marker) tesla.Instruction {
	in.Marker = m
	return in
}

// diverge makes threads with an odd input word execute taken and the others stay. A joinat
// announces join, the instruction at which they meet.
func (k *code) diverge(stay, taken func(), join tesla.Instruction) {
	k.odd(regFree + 10)
	other, end := k.Label(), k.Label()
	k.Jump(tesla.Instruction{Op: tesla.OpJoinAt}, end)
	k.Jump(when(tesla.Instruction{Op: tesla.OpBra}, 0, notEqual), other)
	stay()
	k.Jump(tesla.Instruction{Op: tesla.OpBra}, end)
	k.Place(other)
	taken()
	k.Place(end)
	k.Add(join)
}

// odd sets d, and the flags in $c0, to whether a thread's first input word is odd. It needs
// register d-1.
func (k *code) odd(d uint8) {
	k.set(d-1, 1)
	in := asm.Do(tesla.OpLogic, d, regIn, asm.Reg(d-1))
	in.Logic, in.CDst = tesla.And, tesla.C0
	k.Add(in)
}

// encode returns the words of an instruction, for one that has no text.
func (k *code) encode(in tesla.Instruction) (w0, w1 uint32) {
	w0, w1, err := decoder.Encode(k.Arch, in)
	k.err = errors.Join(k.err, err)
	return w0, w1
}

// literal is the word of literalBank at an address register and an offset.
func literal(base uint8, offset uint32) tesla.Operand {
	return tesla.Operand{Kind: tesla.Const, Type: tesla.B32, Index: literalBank, Base: base, Value: offset}
}

// word is a word of s[].
func word(at uint32) tesla.Operand {
	return tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: at}
}

func fromAddr(d, a uint8) tesla.Instruction {
	in := asm.Plain(tesla.OpMovFromAddr)
	in.Type, in.Dst, in.Src[0] = tesla.B32, asm.Reg(d), tesla.Operand{Kind: tesla.AddrReg, Index: a}
	return in
}

// specialClock is the special register that counts time.
const specialClock = 1

func special(d, number uint8) tesla.Instruction {
	in := asm.Plain(tesla.OpMovFromSpecial)
	in.Type, in.Dst, in.Src[0] = tesla.B32, asm.Reg(d), tesla.Operand{Kind: tesla.Special, Index: number}
	return in
}
