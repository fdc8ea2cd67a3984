package x86

import "fmt"

// Label names a position in the code as the target of jumps, before or after the position is known.
// Labels belong to the assembler that made them, until Reset.
type Label int32

// unbound is the position of a label that Bind has not seen.
const unbound = -1

// NewLabel returns a label that has no position yet.
func (a *Assembler) NewLabel() Label {
	a.labels = append(a.labels, unbound)
	return Label(len(a.labels) - 1)
}

// Bind puts the label at the next instruction. A label is bound once.
func (a *Assembler) Bind(l Label) {
	if a.labels[l] != unbound {
		panic(fmt.Sprintf("x86: label %d bound twice", l))
	}
	a.labels[l] = int32(len(a.buf))
}

// Bound tells whether the label has a position.
func (a *Assembler) Bound(l Label) bool { return a.labels[l] != unbound }

// Offset is the position of a bound label, in bytes from the start of the code.
func (a *Assembler) Offset(l Label) int {
	if a.labels[l] == unbound {
		panic(fmt.Sprintf("x86: label %d used but not bound", l))
	}
	return int(a.labels[l])
}

// Addr is the memory at the label, relative to RIP: an operand for Lea.
func (l Label) Addr() Operand { return Operand{kind: memory, flags: toLabel, val: int64(l)} }

// Cond is a condition on the flags, numbered as the processor numbers it.
type Cond uint8

// The conditions. B, AE, BE and A compare unsigned numbers, L, GE, LE and G signed numbers; B is
// the carry.
const (
	O Cond = iota
	NO
	B
	AE
	E
	NE
	BE
	A
	S
	NS
	P
	NP
	L
	GE
	LE
	G
)

// Not is the opposite condition.
func (c Cond) Not() Cond { return c ^ 1 }

// Jmp jumps to the label.
func (a *Assembler) Jmp(l Label) {
	if rel, ok := a.short(l); ok {
		a.buf = append(a.buf, 0xEB, rel)
		return
	}
	a.buf = append(a.buf, 0xE9)
	a.refer(int32(l), false, 0)
}

// Jcc jumps to the label if the condition holds.
func (a *Assembler) Jcc(c Cond, l Label) {
	if rel, ok := a.short(l); ok {
		a.buf = append(a.buf, 0x70|byte(c), rel)
		return
	}
	a.buf = append(a.buf, 0x0F, 0x80|byte(c))
	a.refer(int32(l), false, 0)
}

// Call calls the label.
func (a *Assembler) Call(l Label) {
	a.buf = append(a.buf, 0xE8)
	a.refer(int32(l), false, 0)
}

// JmpTo jumps to the address in a register or in memory.
func (a *Assembler) JmpTo(to Operand) { a.legacy(32, 0, 0xFF, 4, &to, 0) }

// CallTo calls the address in a register or in memory.
func (a *Assembler) CallTo(to Operand) { a.legacy(32, 0, 0xFF, 2, &to, 0) }

// Ret returns.
func (a *Assembler) Ret() { a.byte1(0xC3) }

// Int3 stops in a debugger.
func (a *Assembler) Int3() { a.byte1(0xCC) }

// short is the displacement of a jump of two bytes here, if the label is bound and near enough.
// Jumps forward are always long: their distance is not known yet.
func (a *Assembler) short(l Label) (byte, bool) {
	to := a.labels[l]
	rel := int64(to) - int64(len(a.buf)) - 2
	return byte(rel), to != unbound && fits8(rel)
}

// nops are the instructions that do nothing, of 1 to 9 bytes, as the processor's manuals advise.
var nops = [...]string{
	"\x90",
	"\x66\x90",
	"\x0F\x1F\x00",
	"\x0F\x1F\x40\x00",
	"\x0F\x1F\x44\x00\x00",
	"\x66\x0F\x1F\x44\x00\x00",
	"\x0F\x1F\x80\x00\x00\x00\x00",
	"\x0F\x1F\x84\x00\x00\x00\x00\x00",
	"\x66\x0F\x1F\x84\x00\x00\x00\x00\x00",
}

// Nop appends n bytes of instructions that do nothing.
func (a *Assembler) Nop(n int) {
	for n > 0 {
		k := min(n, len(nops))
		a.buf = append(a.buf, nops[k-1]...)
		n -= k
	}
}

// Align appends Nops until the position is a multiple of n, a power of two.
func (a *Assembler) Align(n int) { a.Nop(-len(a.buf) & (n - 1)) }
