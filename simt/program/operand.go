package program

import (
	"encoding/binary"
	"slices"

	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Mode tells how a source becomes rows.
type Mode uint8

// The modes.
const (
	SrcNone     Mode = iota
	SrcReg           // the rows of a register of the kernel
	SrcLow           // low half, extended to 32 bits
	SrcHigh          // high half, extended
	SrcRow           // a launch-wide row: immediate or constant
	SrcShared        // one word of s[] for all lanes
	SrcSharedAt      // s[] addressed through $a
	SrcConstAt       // c[] addressed through $a
)

// Space returns the memory of a source in memory.
func (m Mode) Space() Space {
	if m == SrcConstAt {
		return SpaceConst
	}
	return SpaceShared
}

// Fix is a modifier applied to a source's rows before the operation.
type Fix uint8

// The modifiers, in the order in which they apply.
const (
	FixAbs Fix = 1 << iota // clear the sign bit
	FixNeg                 // flip the sign bit
	FixNot                 // complement
)

// Apply applies the modifiers to one word.
func (f Fix) Apply(v uint32) uint32 {
	if f&FixAbs != 0 {
		v &^= 1 << 31
	}
	if f&FixNeg != 0 {
		v ^= 1 << 31
	}
	if f&FixNot != 0 {
		v = ^v
	}
	return v
}

// Source is a lowered operand.
type Source struct {
	Mode   Mode
	Fix    Fix
	Signed bool       // halves and 16-bit memory values: sign-extend
	Half   bool       // memory operands of 16-bit operations: keep the low half, extended by Signed
	At     Addressing // SrcSharedAt, SrcConstAt
	Bank   uint8      // c[]: the bank
	Type   tesla.Type // memory: access type
	Index  int32      // register number, or index of the launch row, or of the word of s[]
	Offset uint32     // SrcShared: bytes
	Whole  bool       // SrcShared: a word at a multiple of 4
}

// Apply extends a word of memory and applies the modifiers.
func (x *Source) Apply(v uint32) uint32 {
	if x.Half {
		v = extend(v, x.Signed)
	}
	return x.Fix.Apply(v)
}

func extend(v uint32, signed bool) uint32 {
	if signed {
		return uint32(int32(int16(v)))
	}
	return v & 0xffff
}

// DestMode tells how a destination keeps a result.
type DestMode uint8

// The modes.
const (
	DstNone DestMode = iota // dropped
	DstReg
	DstLow
	DstHigh
)

// Dest is a lowered destination: register Index, or half of it.
type Dest struct {
	Mode  DestMode
	Index int32
}

// Addressing tells how an access to s[], l[] or c[] makes its 16-bit addresses.
type Addressing struct {
	Base   uint8  // address register, 0 for none
	Post   bool   // the address is Base alone, and the offset is added to Base afterwards
	Offset uint32 // bytes
}

// Row is the content of a launch-wide row: an immediate, or a word of a constant bank.
type Row struct {
	Bank   int8 // -1 for an immediate
	Type   tesla.Type
	Offset uint32 // byte offset in the bank
	Word   uint32 // immediates
	Fix    Fix
	Signed bool // 16-bit values: sign-extend
}

// Value returns the word of the row in a launch with the given constant banks.
func (r *Row) Value(banks *[16][]byte) uint32 {
	v := r.Word
	if r.Bank >= 0 {
		v = constWord(banks[r.Bank], r.Offset, r.Type)
	}
	if r.Signed {
		v = extend(v, true)
	}
	return r.Fix.Apply(v)
}

// Word is an operand in s[] at a fixed address.
type Word struct {
	Offset uint32 // bytes
	Type   tesla.Type
	Half   bool // keep the low half, extended by Signed
	Signed bool
	Fix    Fix
}

// row returns the number of the launch-wide row d.
func (l *lowerer) row(d Row) int32 {
	if i, ok := l.rows[d]; ok {
		return i
	}
	if l.rows == nil {
		l.rows = map[Row]int32{}
	}
	i := int32(len(l.p.Rows))
	l.rows[d] = i
	l.p.Rows = append(l.p.Rows, d)
	return i
}

// word returns the number of word d of s[].
func (l *lowerer) word(d Word) int32 {
	i := slices.Index(l.p.Words, d)
	if i < 0 {
		i = len(l.p.Words)
		l.p.Words = append(l.p.Words, d)
	}
	return int32(i)
}

// source lowers operand o as source i. If signed, a 16-bit operand is sign-extended. Without mods,
// Neg and Abs are left to the operation.
func (l *lowerer) source(u *Op, i int, o *tesla.Operand, signed, mods bool) {
	s := Source{Signed: signed, Index: int32(o.Index), Bank: o.Index, Offset: o.Value, Type: o.Type}
	if mods {
		if o.Abs {
			s.Fix |= FixAbs
		}
		if o.Neg {
			s.Fix |= FixNeg
		}
	}
	if o.Not {
		s.Fix |= FixNot
	}
	switch o.Kind {
	case tesla.Reg, tesla.Pair, tesla.Quadruple:
		s.Mode = SrcReg
		if int(o.Index) >= l.p.Kernel.Registers { // the register reads 0
			s.Mode, s.Index = SrcRow, l.row(Row{Bank: -1, Fix: s.Fix})
		}
	case tesla.Half:
		s.Mode, s.Index = SrcLow, int32(o.Index/2)
		if o.Index%2 == 1 {
			s.Mode = SrcHigh
		}
	case tesla.Imm:
		s.Mode = SrcRow
		s.Index = l.row(Row{Bank: -1, Word: o.Value, Fix: s.Fix, Signed: signed && u.Width == 16})
	case tesla.Const:
		s.Half = u.Width == 16
		s.Mode = SrcConstAt
		if o.Base == 0 && !o.Post {
			s.Mode = SrcRow
			s.Index = l.row(Row{Bank: int8(o.Index), Type: o.Type, Offset: o.Value, Fix: s.Fix, Signed: signed && mem.Size(o.Type) == 2})
		} else {
			s.At = addressing(o)
		}
	case tesla.Shared:
		s.Half = u.Width == 16
		s.Mode = SrcSharedAt
		if o.Base == 0 && !o.Post {
			s.Mode = SrcShared
			s.Index = l.word(Word{Offset: o.Value, Type: o.Type, Half: s.Half, Signed: signed, Fix: s.Fix})
			s.Whole = mem.Size(o.Type) == 4 && o.Value%4 == 0
		} else {
			s.At = addressing(o)
		}
	}
	u.Src[i] = s
}

// dest lowers the destination. Results for registers that the kernel does not own are dropped.
func (l *lowerer) dest(u *Op, o *tesla.Operand) {
	switch o.Kind {
	case tesla.Reg, tesla.Pair, tesla.Quadruple:
		u.Dst = Dest{DstReg, int32(o.Index)}
	case tesla.Half:
		u.Dst = Dest{DstLow, int32(o.Index / 2)}
		if o.Index%2 == 1 {
			u.Dst.Mode = DstHigh
		}
	}
	if int(u.Dst.Index) >= l.p.Kernel.Registers {
		u.Dst = Dest{}
	}
}

func addressing(o *tesla.Operand) Addressing {
	return Addressing{Base: o.Base, Post: o.Post, Offset: o.Value & 0xffff}
}

// constWord reads a 16- or 32-bit value of a constant bank; past the end of the bank it reads zero.
func constWord(bank []byte, offset uint32, t tesla.Type) uint32 {
	var word [4]byte
	size := mem.Size(t)
	if int(offset) < len(bank) {
		copy(word[:size], bank[offset:])
	}
	return binary.LittleEndian.Uint32(word[:])
}
