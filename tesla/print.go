package tesla

import (
	"fmt"
	"strings"
)

// piece is one part of an instruction's text. The generated table syntax lists
// the pieces of every form.
type piece struct {
	show  show
	arg   int // a member, a flag of Mods or the number of a source
	words []string
	takes []Place // operands: possible places
}

// Place is a kind of operand, of memory with its access type.
type Place struct {
	Kind OperandKind
	Type Type
}

type show uint8

const (
	showWord  show = iota // words[0]
	showOne               // the word for the value of member arg
	showMaybe             // the same, but nothing for zero
	showFlag              // words[1] if Mods has the flag arg
	showHex               // member arg in hexadecimal
	showLanes
	showIcmp
	showCmp
	showQuadlane
	showTexdst
	showTexsrc
	showTexunit
	showTexsampler
	showGuard
	showDst
	showCDst
	showCarry
	showSrc        // source arg
	showSrcUntyped // source arg, a memory operand without its access type
	showSrcCut16   // source arg, an immediate whose low 16 bits the operation uses
	showSrcCut24   // the same with 24 bits
)

// String returns the instruction in the syntax of envydis, the reference
// disassembler: operation and modifiers before the operands they qualify, no
// commas. Instructions that cannot execute begin with "???".
func (in Instruction) String() string {
	if in.Form == 0 || int(in.Form) >= len(syntax) {
		return in.raw()
	}
	var b strings.Builder
	if in.Bad != OK && in.Bad != BadGraphics {
		b.WriteString("???")
	}
	for _, p := range syntax[in.Form] {
		s := in.piece(p)
		if s == "" {
			continue
		}
		if b.Len() > 0 && s != ")" {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return b.String()
}

// raw is the text of an instruction without a form.
func (in *Instruction) raw() string {
	if in.Size == 8 {
		return fmt.Sprintf("??? 0x%08x 0x%08x", in.Raw[0], in.Raw[1])
	}
	return fmt.Sprintf("??? 0x%08x", in.Raw[0])
}

func (in *Instruction) piece(p piece) string {
	switch p.show {
	case showWord:
		return p.words[0]
	case showOne, showMaybe:
		v := in.member(member(p.arg))
		if v < 0 || int(v) >= len(p.words) {
			return "???"
		}
		return p.words[v]
	case showFlag:
		if in.Mods&Mods(p.arg) != 0 {
			return p.words[1]
		}
		return ""
	case showHex:
		return hex(in.member(member(p.arg)))
	case showLanes:
		return lanesText(in.Idle)
	case showIcmp:
		if in.Cmp == Less|Equal|Greater { // integers are never unordered
			return CondAlways.String()
		}
		return in.Cmp.String()
	case showCmp:
		return in.Cmp.String()
	case showQuadlane:
		return [...]string{"l0", "l1", "l2", "l3", "dx", "dy", "dx", "dy"}[in.QuadLane&7]
	case showTexdst:
		return in.Tex.dst(in.Dst.Index)
	case showTexsrc:
		return in.Tex.src(in.Dst.Index)
	case showTexunit:
		return fmt.Sprintf("$t%d", in.Tex.Unit)
	case showTexsampler:
		return fmt.Sprintf("$s%d", in.Tex.Sampler)
	case showGuard:
		return in.Guard.String()
	case showDst:
		return in.Dst.text(false)
	case showCDst:
		return in.CDst.String()
	case showCarry:
		return in.CarryIn.String()
	case showSrcUntyped:
		return in.Src[p.arg].text(false)
	case showSrcCut16:
		return in.wholeImmediate(p.arg, 0xffff)
	case showSrcCut24:
		return in.wholeImmediate(p.arg, 0xffffff)
	default:
		return in.Src[p.arg].text(true)
	}
}

// wholeImmediate prints an immediate; the operation uses its bits in mask. The reference prints the
// other bits, too, which are only in Raw.
func (in *Instruction) wholeImmediate(source int, mask uint32) string {
	o := in.Src[source]
	if whole := rawImmediate(uint64(in.Raw[1])<<32 | uint64(in.Raw[0])); whole&mask == o.Value {
		o.Value = whole
	}
	return o.text(false)
}

// hex prints a number like the reference, negative ones with a sign.
func hex(v int64) string {
	if v < 0 {
		return fmt.Sprintf("-0x%x", -v)
	}
	return fmt.Sprintf("0x%x", v)
}

// lanesText lists the lanes of four that are not idle.
func lanesText(idle uint8) string {
	switch idle {
	case 0:
		return ""
	case 15:
		return "(lnone)"
	}
	s := "(l"
	for i := range 4 {
		if idle>>i&1 == 0 {
			s += string(rune('0' + i))
		}
	}
	return s + ")"
}

// String returns the guard in brackets, or "" if it always holds.
func (g Guard) String() string {
	switch g.Cond {
	case CondAlways:
		return ""
	case CondNever:
		return "(never)"
	}
	return fmt.Sprintf("(%s $c%d)", g.Cond, g.Reg)
}

// dst lists the destination registers, packed upward from base.
func (t *Tex) dst(base uint8) string {
	var parts []string
	for i := range 4 {
		if t.Mask>>i&1 == 0 {
			parts = append(parts, "#")
			continue
		}
		parts = append(parts, fmt.Sprintf("$r%d", base))
		base++
	}
	return strings.Join(parts, ":")
}

// src lists the source registers, from base upward.
func (t *Tex) src(base uint8) string {
	var parts []string
	for i := range t.Coords {
		parts = append(parts, fmt.Sprintf("$r%d", base+i))
	}
	return strings.Join(parts, ":")
}
