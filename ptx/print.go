package ptx

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns the text of the instruction, without its guard's "@" if there is none.
func (ins *Instr) String() string {
	p := &printer{lang: theLanguage()}
	p.instruction(ins)
	return string(p.text)
}

// String returns the text of the directive.
func (l *Loc) String() string {
	text := fmt.Sprintf(".loc %d %d %d", l.File, l.Line, l.Column)
	if l.Function != "" {
		text += fmt.Sprintf(", function_name %s+%d", l.Function, l.Addend)
	}
	if c := l.Call; c != nil {
		text += fmt.Sprintf(", inlined_at %d %d %d", c.File, c.Line, c.Column)
	}
	return text
}

// printer prints an instruction.
type printer struct {
	lang   *language
	text   []byte
	shapes []*shape
}

func (p *printer) put(parts ...string) {
	for _, part := range parts {
		p.text = append(p.text, part...)
	}
}

// comma prints a comma unless at is 0.
func (p *printer) comma(at int) {
	if at > 0 {
		p.put(", ")
	}
}

func (p *printer) instruction(ins *Instr) {
	if ins.Guard.Pred != nil {
		p.put("@")
		if ins.Guard.Not {
			p.put("!")
		}
		p.put(ins.Guard.Pred.Name, " ")
	}
	f := p.lang.formOf(ins)
	p.mnemonic(ins, f)
	if len(ins.Args) > 0 {
		p.put(" ")
		p.operands(ins, f)
	}
	p.put(";")
}

// mnemonic prints the operation and its modifiers in the order of the table.
func (p *printer) mnemonic(ins *Instr, f *form) {
	if ins.Op == OpBar && ins.Mods&Aligned == 0 && ins.Mode != BarWarp {
		p.put("barrier")
	} else {
		p.put(ins.Op.String())
	}
	if f == nil {
		return
	}
	for i := range f.slots {
		s := &f.slots[i]
		for _, w := range s.words {
			aligned := w.meaning == meaning{fieldMods, alignedBit} // bar says it
			if (s.fixed || ins.has(w.meaning)) && !aligned {
				p.put(".", w.text)
				if w.field == fieldSpace && ins.Bank != 0 {
					p.put("[", strconv.Itoa(ins.Bank), "]")
				}
				break
			}
		}
	}
}

// alignedBit is the number of the flag Aligned.
const alignedBit = 13

// operands prints the operands of an instruction. Without a form, immediates are integers.
func (p *printer) operands(ins *Instr, f *form) {
	if ins.Op == OpCall && len(ins.Args) >= 3 {
		p.call(ins)
		return
	}
	p.shapes = p.shapes[:0]
	if f != nil {
		p.shapes = f.assign(ins.Args, p.shapes)
	}
	for i := range ins.Args {
		s := &shape{typing: by32}
		if len(p.shapes) == len(ins.Args) {
			s = p.shapes[i]
		}
		inside := s.role == roleSampler || s.role == roleCoords
		p.comma(i)
		if inside {
			p.text = p.text[:len(p.text)-len("], ")]
			p.put(", ")
		}
		p.operand(ins, s, &ins.Args[i])
		if inside {
			p.put("]")
		}
	}
}

// operand prints an operand of a shape.
func (p *printer) operand(ins *Instr, s *shape, o *Operand) {
	if s.role == roleSampler {
		p.place(o)
		return
	}
	if o.Kind != List {
		p.one(o, s.elementType(ins, o, 0))
		return
	}
	p.put("{")
	for i := range o.List {
		p.comma(i)
		p.one(&o.List[i], s.elementType(ins, o, i))
	}
	p.put("}")
	p.pair(o)
}

func (p *printer) pair(o *Operand) {
	if o.Pair != nil {
		p.put("|", o.Pair.Name)
	}
}

// one prints an operand that is no list, an immediate as a value of a type.
func (p *printer) one(o *Operand, t Type) {
	if o.Not {
		p.put("!")
	}
	if o.Neg {
		p.put("-")
	}
	switch o.Kind {
	case Immediate:
		p.immediate(t, o.Value)
	case SpecialReg:
		p.put(o.Special.String())
	case Discard:
		p.put("_")
	case Address:
		p.put("[")
		p.place(o)
		p.put("]")
	case Place, Signature:
		p.put(o.place())
	default:
		p.place(o)
	}
	p.pair(o)
}

// place prints a register, a name or a number, and the offset.
func (p *printer) place(o *Operand) {
	switch {
	case o.Var != nil:
		p.put(o.Var.Name)
	case o.Func != nil:
		p.put(o.Func.Name)
	default:
		p.text = strconv.AppendInt(p.text, int64(o.Value), 10)
		return
	}
	if o.Part > 0 {
		p.put(".", "xyzw"[o.Part-1:o.Part])
	}
	if o.Lane != WholeLane {
		p.put(".", o.Lane.String())
	}
	if int64(o.Value) > 0 {
		p.put("+")
	}
	if o.Value != 0 {
		p.text = strconv.AppendInt(p.text, int64(o.Value), 10)
	}
}

// place returns the name of the place that an operand stands for.
func (o *Operand) place() string {
	switch {
	case o.Label != nil:
		return o.Label.Name
	case o.Targets != nil:
		return o.Targets.Name
	case o.Proto != nil:
		return o.Proto.Name
	}
	return "?"
}

// immediate prints a value of a type.
func (p *printer) immediate(t Type, value uint64) {
	switch t {
	case F32:
		p.text = fmt.Appendf(p.text, "0f%08X", uint32(value))
	case F64:
		p.text = fmt.Appendf(p.text, "0d%016X", value)
	default:
		p.text = strconv.AppendInt(p.text, int64(value), 10)
	}
}

// call prints the operands of a call.
func (p *printer) call(ins *Instr) {
	params := ins.signature()
	list := func(o *Operand, params []*Var) {
		p.put("(")
		for i := range o.List {
			p.comma(i)
			p.one(&o.List[i], paramType(params, i))
		}
		p.put(")")
	}
	if len(ins.Args[0].List) > 0 {
		list(&ins.Args[0], nil)
		p.put(", ")
	}
	p.one(&ins.Args[1], B64)
	signed := len(ins.Args) > 3
	if len(ins.Args[2].List) > 0 || signed {
		p.put(", ")
		list(&ins.Args[2], params)
	}
	if signed {
		p.put(", ")
		p.one(&ins.Args[3], NoType)
	}
}

// String returns the section as a text has it.
func (s *Section) String() string {
	text := []byte("\t.section\t." + s.Name + "\n\t{\n")
	refs, labels := s.Refs, s.Labels
	for at := 0; at < len(s.Data) || len(labels) > 0; {
		switch {
		case len(labels) > 0 && labels[0].Offset <= at:
			text = append(text, labels[0].Name+":\n"...)
			labels = labels[1:]
		case len(refs) > 0 && refs[0].Offset == at:
			text = append(append(text, refs[0].String()...), '\n')
			at += refs[0].Bytes
			refs = refs[1:]
		default:
			text = append(strconv.AppendUint(append(text, ".b8 "...), uint64(s.Data[at]), 10), '\n')
			at++
		}
	}
	return string(append(text, "\t}\n"...))
}

// String returns the number as a section has it.
func (r SectionRef) String() string {
	text := ".b" + strconv.Itoa(8*r.Bytes) + " " + r.Of
	if r.Less != "" {
		text += "-" + r.Less
	}
	if r.Addend != 0 {
		text += "+" + strconv.FormatInt(r.Addend, 10)
	}
	return strings.Replace(text, "+-", "-", 1)
}
