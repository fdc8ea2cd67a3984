package main

import (
	"fmt"
	"slices"
	"strings"

	"jacquard/tesla/isa"
)

var kindNames = map[string]string{
	"none": "None", "invalid": "InvalidOperand", "discard": "Discard", "reg": "Reg", "half": "Half", "pair": "Pair",
	"quad": "Quadruple", "condreg": "CondReg", "addrreg": "AddrReg", "special": "Special", "imm": "Imm",
	"shared": "Shared", "const": "Const", "local": "Local", "global": "Global", "output": "Output",
}

// operands prints a decoding and an encoding function for every operand in use.
func (g *generator) operands() *printer {
	p := &printer{imports: []string{"slices", "jacquard/tesla"}}
	direct := map[*isa.Operand]bool{}
	for _, sub := range subDecoders {
		for _, s := range g.steps[sub] {
			for _, piece := range s.pieces {
				if piece.Operand != nil {
					direct[piece.Operand] = true
				}
			}
		}
	}
	for _, o := range g.d.Operands {
		if !direct[o] {
			continue // only part of other operands
		}
		if o.Lines[0].Kind == "guard" {
			g.decodeGuard(p, o)
			g.encodeGuard(p, o)
			continue
		}
		g.decodeOperand(p, o)
		g.encodeOperand(p, o)
	}
	return p
}

// funcName returns the name of an operand's function: part, name and formats.
func funcName(part string, o *isa.Operand) string {
	s := part + o.Name
	for _, f := range o.Formats {
		s += strings.ToUpper(f.Name[:1]) + f.Name[1:]
	}
	return s
}

func (g *generator) decodeOperand(p *printer, o *isa.Operand) {
	p.f("\nfunc %s(w uint64) tesla.Operand {\n", funcName("decode", o))
	open := true
	for _, l := range o.Lines {
		value := "tesla.Operand{" + strings.Join(g.operandMembers(l), ", ") + "}"
		if cond := holds(l.Conds); cond != "" {
			p.f("if %s {\nreturn %s\n}\n", cond, value)
			continue
		}
		p.f("return %s\n", value)
		open = false
		break
	}
	if open {
		p.f("return tesla.Operand{Kind: tesla.InvalidOperand}\n")
	}
	p.f("}\n")
}

// unit is the factor between an offset field and bytes.
func (g *generator) unit(l isa.Line) int {
	if u := l.Const["unit"]; u != 0 {
		return int(u)
	}
	if l.Flags["bytes"] || l.Kind == "local" {
		return 1
	}
	i := slices.IndexFunc(g.d.Types, func(t isa.Type) bool { return t.Name == l.Type })
	return g.d.Types[i].Bytes
}

// operandMembers prints the members of the operand a line describes.
func (g *generator) operandMembers(l isa.Line) []string {
	out := []string{"Kind: tesla." + kindNames[l.Kind]}
	add := func(name, format string, args ...any) { out = append(out, name+": "+fmt.Sprintf(format, args...)) }
	if l.Type != "" {
		add("Type", "tesla.%s", l.Type)
	}
	if f := l.Field["n"]; f != nil {
		switch {
		case l.Kind == "imm" && l.Const["bits"] != 0:
			add("Value", "uint32((%s)&%#x)", extract(f), uint64(1)<<l.Const["bits"]-1)
		case l.Kind == "imm":
			add("Value", "uint32(%s)", extract(f))
		default:
			add("Index", "uint8(%s)", extract(f))
		}
	} else if n := l.Const["n"]; n != 0 {
		add("Index", "%d", n)
	}
	if f := l.Field["bank"]; f != nil {
		add("Index", "uint8(%s)", extract(f))
	}
	if f := l.Field["window"]; f != nil {
		add("Index", "uint8(%s)", extract(f))
		add("Value", "uint32(%s)", extract(l.Field["reg"]))
	}
	if f := l.Field["base"]; f != nil {
		add("Base", "%s", baseExpr(f))
	}
	if f := l.Field["off"]; f != nil {
		inc := "false"
		if i := l.Field["inc"]; i != nil {
			inc = extract(i) + " != 0"
			add("Post", "%s", inc)
		}
		if l.Flags["signed"] {
			add("Value", "offset(%s, %d, %d, %s)", extract(f), f.Width(), g.unit(l), inc)
		} else if g.unit(l) == 1 {
			add("Value", "uint32(%s)", extract(f))
		} else {
			add("Value", "uint32(%s) * %d", extract(f), g.unit(l))
		}
	}
	return out
}

// baseExpr extracts an address register; a field of one bit is bit 2 of its number.
func baseExpr(f *isa.Field) string {
	if f.Width() == 1 {
		return fmt.Sprintf("uint8(%s) << 2", extract(f))
	}
	return fmt.Sprintf("uint8(%s)", extract(f))
}

func (g *generator) encodeOperand(p *printer, o *isa.Operand) {
	p.f("\nfunc %s(o *tesla.Operand, e *encoding) bool {\n", funcName("encode", o))
	p.f("start := *e\n")
	for _, l := range o.Lines {
		if l.Kind == "invalid" {
			continue
		}
		p.f("if o.Kind == tesla.%s%s {\nreturn true\n}\n*e = start\n", kindNames[l.Kind], strings.Join(g.encodeConds(l), ""))
	}
	p.f("return false\n}\n")
}

// encodeConds prints the tests and puts that encode an operand according to the line.
func (g *generator) encodeConds(l isa.Line) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, " &&\n"+fmt.Sprintf(format, args...)) }
	for _, c := range l.Conds {
		if len(c.Values) == 1 {
			add("e.put(%#x, %#x)", c.Field.Mask(), c.Field.Deposit(c.Values[0]))
		}
	}
	if l.Type != "" {
		add("o.Type == tesla.%s", l.Type)
	}
	put := func(f *isa.Field, v string) { add("%s", putField(f, v)) }
	if f := l.Field["n"]; f != nil {
		if l.Kind == "imm" {
			put(f, "o.Value")
		} else {
			put(f, "o.Index")
		}
	} else if n, ok := l.Const["n"]; ok {
		add("o.Index == %d", n)
	}
	if f := l.Field["bank"]; f != nil {
		put(f, "o.Index")
	}
	if f := l.Field["window"]; f != nil {
		put(f, "o.Index")
		put(l.Field["reg"], "o.Value")
	}
	if f := l.Field["base"]; f != nil {
		v := "o.Base"
		if f.Width() == 1 {
			v = "(o.Base >> 2)"
		}
		put(f, v)
	} else if l.Field["off"] != nil {
		add("o.Base == 0")
	}
	if f := l.Field["inc"]; f != nil {
		put(f, "bit(o.Post)")
	} else if l.Field["off"] != nil {
		add("!o.Post")
	}
	if f := l.Field["off"]; f != nil {
		v := fmt.Sprintf("scaled(o.Value, %d)", g.unit(l))
		if l.Flags["signed"] {
			v = fmt.Sprintf("scaledStep(o, %d, %d)", f.Width(), g.unit(l))
		}
		put(f, v)
	}
	for _, c := range l.Conds {
		if len(c.Values) > 1 {
			add("%s", hasValue(c))
		}
	}
	return out
}

// putField prints a call that stores a value in a field; the call returns false if the value does
// not fit.
func putField(f *isa.Field, v string) string {
	if len(f.Parts) == 1 {
		return fmt.Sprintf("e.field(uint64(%s), %d, %d)", v, f.Parts[0].Low, f.Parts[0].Width)
	}
	var parts []string
	for _, b := range f.Parts {
		parts = append(parts, fmt.Sprintf("{%d, %d}", b.Low, b.Width))
	}
	return fmt.Sprintf("e.split(uint64(%s), []part{%s})", v, strings.Join(parts, ", "))
}

// hasValue prints a test for one of several values in a field.
func hasValue(c isa.Cond) string {
	var bits []string
	for _, v := range c.Values {
		bits = append(bits, fmt.Sprintf("%#x", c.Field.Deposit(v)))
	}
	return fmt.Sprintf("e.has(%#x, %s)", c.Field.Mask(), strings.Join(bits, ", "))
}

func (g *generator) decodeGuard(p *printer, o *isa.Operand) {
	cond := condOfGuard(o)
	p.f("\n// conditions are the numbers that the vocabulary gives the codes of conditions.\n")
	p.f("var conditions = [...]tesla.Cond{")
	for _, v := range cond.Mod.Rows[0].Values {
		if v.Invalid {
			v.Set = "CondInvalid"
		}
		p.f("tesla.%s, ", v.Set)
	}
	p.f("}\n\nfunc %s(w uint64, in *tesla.Instruction) {\n", funcName("decode", o))
	p.f("in.Guard.Cond = conditions[%s]\nswitch {\n", extract(cond.Field))
	for _, l := range o.Lines {
		if holds := holds(l.Conds); holds != "" {
			p.f("case %s:\n", holds)
		} else {
			p.f("default:\n")
		}
		if l.Kind == "invalid" {
			p.f("in.Bad = tesla.BadOperand\n")
		} else if f := l.Field["reg"]; f != nil {
			p.f("in.Guard.Reg = uint8(%s)\n", extract(f))
		}
	}
	p.f("}\n}\n")
}

// condOfGuard returns the condition's field and the meaning of its values.
func condOfGuard(o *isa.Operand) isa.Piece {
	return isa.Piece{Mod: o.Lines[0].Cond, Field: o.Lines[0].Field["cond"]}
}

func (g *generator) encodeGuard(p *printer, o *isa.Operand) {
	cond := condOfGuard(o)
	p.f("\nfunc %s(in *tesla.Instruction, e *encoding) bool {\n", funcName("encode", o))
	p.f("cond := slices.Index(conditions[:], in.Guard.Cond)\n")
	p.f("if in.Guard.Cond == tesla.CondInvalid || !%s {\nreturn false\n}\nstart := *e\n", putField(cond.Field, "cond"))
	for _, l := range o.Lines {
		if l.Kind == "invalid" {
			continue
		}
		var conds []string
		for _, c := range l.Conds {
			conds = append(conds, hasValue(c))
		}
		if f := l.Field["reg"]; f != nil {
			conds = append(conds, putField(f, "in.Guard.Reg"))
		} else {
			conds = append(conds, "in.Guard.Reg == 0")
		}
		p.f("if %s {\nreturn true\n}\n*e = start\n", strings.Join(conds, " && "))
	}
	p.f("return false\n}\n")
}
