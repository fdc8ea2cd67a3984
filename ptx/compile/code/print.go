package code

import (
	"fmt"
	"strings"

	"jacquard/decoder"
	"jacquard/tesla"
)

// String returns the code as text: a header, and every block with its instructions and its end.
// Virtual registers are v12, v12.l and v12.h for halves, v3:v4 for pairs, p3 of class Cond and a2
// of class Addr; physical ones print as in machine code.
func (f *Func) String() string {
	f.number()
	var b strings.Builder
	fmt.Fprintf(&b, "func %s %s registers=%d local=%d literals=%d\n", f.Name, f.Arch, f.MaxRegs, f.Local, len(f.Literals))
	if f.Dispatch != nil {
		fmt.Fprintf(&b, "dispatch b%d\n", f.Dispatch.ID)
	}
	for _, k := range f.Blocks {
		f.writeBlock(&b, k)
	}
	return b.String()
}

func (f *Func) writeBlock(b *strings.Builder, k *Block) {
	fmt.Fprintf(b, "b%d:", k.ID)
	if k.Depth > 0 {
		fmt.Fprintf(b, " depth=%d", k.Depth)
	}
	if k.joins > 0 {
		fmt.Fprintf(b, " joins=%d", k.joins)
	}
	if k.hosted {
		b.WriteString(" hosted")
	}
	b.WriteByte('\n')
	for i := range k.Code {
		in := &k.Code[i]
		b.WriteByte('\t')
		if in.Parallel != 0 {
			fmt.Fprintf(b, "|%d ", in.Parallel)
		}
		b.WriteString(f.describe(in))
		b.WriteByte('\n')
	}
	for _, j := range k.joinAts {
		name := "joinat"
		if j.loop {
			name = "breakaddr"
		}
		fmt.Fprintf(b, "\t%s b%d\n", name, j.at.ID)
	}
	fmt.Fprintf(b, "\t%s\n", f.endText(k))
}

// endText returns the text of the end of a block.
func (f *Func) endText(k *Block) string {
	e := &k.End
	switch e.Kind {
	case Jump:
		return "jump b" + fmt.Sprint(e.To[0].ID)
	case Exit:
		return "exit"
	case Trap:
		return "trap"
	}
	g := e.guard.String()
	if !f.physical {
		g = guardText(e.Guard)
	}
	s := fmt.Sprintf("branch %s b%d b%d", g, e.To[0].ID, e.To[1].ID)
	if e.Uniform {
		s += " uniform"
	}
	return s
}

func guardText(g Guard) string {
	if g.always() {
		return "(always)"
	}
	return fmt.Sprintf("(%s p%d)", g.Cond, g.Reg)
}

// describe returns the text of an instruction, with virtual registers until physical ones are
// assigned.
func (f *Func) describe(in *Instr) string {
	if f.physical {
		return text(f.Arch, in.In)
	}
	p := newPlaceholders(in)
	s := text(f.Arch, p.in)
	if i := strings.LastIndex(s, "$r0"); in.tie() == 2 && i >= 0 {
		s = s[:i] + "$r12" + s[i+3:] // the addend, which the form names by the destination
	}
	s = p.replace(s)
	if in.Copy {
		s += "  ; copy"
	}
	if in.First {
		s += "  ; first"
	}
	return s
}

// text returns the text of an instruction: the text of its form, or its parts if it has no form.
func text(a tesla.Arch, in tesla.Instruction) string {
	in.Form = 0
	for _, size := range []uint8{8, 4} {
		in.Size = size
		if w0, w1, err := decoder.Encode(a, in); err == nil {
			in.Form, in.Raw = decoder.Decode(a, w0, w1).Form, [2]uint32{w0, w1}
			return in.String()
		}
	}
	parts := []string{"?", in.Guard.String(), in.Op.String(), in.Type.String(), in.CDst.String(), in.Dst.String()}
	for i := range in.Src {
		parts = append(parts, in.Src[i].String())
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// placeholders is an instruction with physical registers in place of its virtual ones, chosen so
// that every operand has others.
type placeholders struct {
	in    tesla.Instruction
	words [4]Operand // by physical Word / 4
	conds [4]Reg
	addrs [5]Reg
	tex   bool
}

func newPlaceholders(in *Instr) *placeholders {
	p := &placeholders{in: in.In, tex: in.Tied}
	p.operand(&p.in.Dst, &in.Dst, 0)
	for i := range in.Src {
		p.operand(&p.in.Src[i], &in.Src[i], i+1)
	}
	if t := in.tie(); t >= 0 && p.in.Src[t].Kind == tesla.Reg {
		p.in.Src[t].Index = p.in.Dst.Index
	}
	if !in.Guard.always() {
		p.in.Guard, p.conds[0] = tesla.Guard{Cond: in.Guard.Cond}, in.Guard.Reg
	}
	if in.CDst != 0 {
		p.in.CDst, p.conds[1] = tesla.C1, in.CDst
	}
	if in.CarryIn != 0 {
		p.in.CarryIn, p.conds[2] = tesla.C2, in.CarryIn
		p.conds[0] = max(p.conds[0], in.CarryIn) // immediate forms say $c0
	}
	return p
}

// operand gives operand n, 0 for the destination, its placeholders.
func (p *placeholders) operand(o *tesla.Operand, v *Operand, n int) {
	p.words[n] = *v
	if v.Base != 0 {
		o.Base = uint8(max(n, 1))
		p.addrs[o.Base] = v.Base
	}
	if v.Regs[0] == 0 {
		if o.Kind == tesla.Reg {
			o.Index = zeroShortReg
		}
		return
	}
	switch o.Kind {
	case tesla.Reg, tesla.Pair, tesla.Quadruple:
		o.Index = uint8(4 * n)
	case tesla.Half:
		o.Index = uint8(8 * n)
		if v.High {
			o.Index++
		}
	case tesla.CondReg:
		o.Index = 3
		p.conds[3] = v.Regs[0]
	case tesla.AddrReg:
		o.Index = uint8(n + 1)
		p.addrs[n+1] = v.Regs[0]
	case tesla.Global:
		o.Value = uint32(4 * n)
	}
}

// replace returns a text with virtual registers instead of placeholders.
func (p *placeholders) replace(s string) string {
	var b strings.Builder
	sources := false // of a texture instruction, behind its unit
	for {
		i := strings.IndexByte(s, '$')
		if i < 0 || i+2 >= len(s) {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		class, n, rest := s[i+1], 0, s[i+2:]
		for ; rest != "" && rest[0] >= '0' && rest[0] <= '9'; rest = rest[1:] {
			n = 10*n + int(rest[0]-'0')
		}
		if len(rest) == len(s)-i-2 { // a name, as $physid
			b.WriteString(s[i : i+2])
			s = rest
			continue
		}
		sources = sources || class == 't'
		s = p.name(&b, class, n, rest, p.tex && sources)
	}
}

// name writes a register that a placeholder stands for, and returns the text behind.
func (p *placeholders) name(b *strings.Builder, class byte, n int, rest string, sources bool) string {
	switch {
	case class == 'c' && n < 4 && p.conds[n] != 0:
		fmt.Fprintf(b, "p%d", p.conds[n])
	case class == 'a' && n < 5 && p.addrs[n] != 0:
		fmt.Fprintf(b, "a%d", p.addrs[n])
	case class == 'r' && n < 16:
		o := &p.words[n/4]
		if sources {
			o = &p.words[1]
		}
		return p.word(b, o, n%4, rest)
	case class == 'r' && n == zeroShortReg:
		b.WriteString("zero")
	default:
		fmt.Fprintf(b, "$%c%d", class, n)
	}
	return rest
}

// word writes register k of an operand, or all of them if the text names a pair or a quadruple.
func (p *placeholders) word(b *strings.Builder, o *Operand, k int, rest string) string {
	switch {
	case rest != "" && (rest[0] == 'd' || rest[0] == 'q'):
		for i := range o.width() {
			if i > 0 {
				b.WriteByte(':')
			}
			fmt.Fprintf(b, "v%d", o.Regs[i])
		}
		return rest[1:]
	case rest != "" && (rest[0] == 'l' || rest[0] == 'h'):
		fmt.Fprintf(b, "v%d.%c", o.Regs[k], rest[0])
		return rest[1:]
	}
	fmt.Fprintf(b, "v%d", o.Regs[k])
	return rest
}
