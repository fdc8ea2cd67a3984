package main

import (
	"fmt"
	"strings"

	"jacquard/tesla/isa"
)

func stepName(part string, s *step) string {
	return part + strings.ToUpper(s.name[:1]) + s.name[1:]
}

// target returns the Go expression that a piece sets.
func target(p isa.Piece) string {
	if p.Mod != nil {
		if p.Role != "" {
			return fmt.Sprintf("in.Src[%s].%s", p.Role, p.Mod.Target)
		}
		return "in." + p.Mod.Target
	}
	switch p.Role {
	case "dst":
		return "in.Dst"
	case "cdst":
		return "in.CDst"
	case "carry":
		return "in.CarryIn"
	}
	return fmt.Sprintf("in.Src[%s]", p.Role)
}

// decodeStep prints the function that decodes the pieces of a step.
func (g *generator) decodeStep(p *printer, s *step) {
	p.f("\n// %s reads %s.\n", stepName("decode", s), s.key)
	p.f("func %s(a archSet, w uint64, in *tesla.Instruction) {\n", stepName("decode", s))
	for _, piece := range s.pieces {
		switch {
		case piece.Attr != nil:
			p.f("in.%s = tesla.%s\n", piece.Attr.Member, piece.Attr.Value)
		case piece.Operand == nil:
			g.decodeMod(p, piece)
		case piece.Role == "guard":
			p.f("%s(w, in)\n", funcName("decode", piece.Operand))
		case piece.Role == "cdst" || piece.Role == "carry":
			p.f("%s = condOf(%s(w))\n", target(piece), funcName("decode", piece.Operand))
		default:
			p.f("%s = %s(w)\n", target(piece), funcName("decode", piece.Operand))
		}
	}
	p.f("}\n")
}

func (g *generator) decodeMod(p *printer, piece isa.Piece) {
	m, f := piece.Mod, piece.Field
	info := members[m.Target]
	if m.Since != isa.AllArchs {
		p.f("if a&%#x != 0 {\n", m.Since)
		defer p.f("}\n")
	}
	if n := m.Number; n != nil {
		v := extract(f)
		if n.Signed {
			v = fmt.Sprintf("signed(%s, %d)", v, f.Width())
		}
		if n.Not {
			v = fmt.Sprintf("^(%s)&%#x", v, uint64(1)<<f.Width()-1)
		}
		v = fmt.Sprintf("%s(%s)", goType(info.typ), v)
		if n.Times != 1 {
			v += fmt.Sprintf(" * %d", n.Times)
		}
		if n.Plus != 0 {
			v += fmt.Sprintf(" + %d", n.Plus)
		}
		p.f("%s = %s\n", target(piece), v)
		return
	}
	for i, row := range m.Rows {
		if cond := holds(row.Conds); cond != "" {
			if i > 0 {
				p.f("else ")
			}
			p.f("if %s {\n", cond)
			g.decodeValues(p, piece, row)
			p.f("}")
			if i == len(m.Rows)-1 {
				p.f("\n")
			}
			continue
		}
		g.decodeValues(p, piece, row)
	}
}

func (g *generator) decodeValues(p *printer, piece isa.Piece, row isa.ModRow) {
	info := members[piece.Mod.Target]
	v := extract(piece.Field)
	switch info.kind {
	case "bool":
		p.f("%s = %s != 0\n", target(piece), v)
		return
	case "mods":
		p.f("if %s != 0 {\n%s |= tesla.%s\n}\n", v, target(piece), row.Values[1].Set)
		return
	}
	p.f("switch %s {\n", v)
	invalid := false
	for i, x := range row.Values {
		if x.Invalid {
			invalid = true
			continue
		}
		value := "0"
		if x.Set != "" {
			value = "tesla." + x.Set
		}
		p.f("case %d:\n%s = %s\n", i, target(piece), value)
		if x.Archs != isa.AllArchs {
			p.f("if a&%#x == 0 {\nin.Bad = tesla.BadOperand\n}\n", x.Archs)
		}
	}
	if invalid {
		p.f("default:\nin.Bad = tesla.BadOperand\n")
	}
	p.f("}\n")
}

// encodeStep prints the function that encodes the pieces of a step; the function reports whether
// the instruction can be encoded that way.
func (g *generator) encodeStep(p *printer, s *step) {
	p.f("\nfunc %s(in *tesla.Instruction, e *encoding) bool {\n", stepName("encode", s))
	// Modifiers first, because conditions of operands test them.
	for _, piece := range s.pieces {
		if piece.Mod != nil {
			g.encodeMod(p, piece)
		}
	}
	for _, piece := range s.pieces {
		switch {
		case piece.Operand == nil:
		case piece.Role == "guard":
			p.f("if !%s(in, e) {\nreturn false\n}\n", funcName("encode", piece.Operand))
		case piece.Role == "cdst" || piece.Role == "carry":
			p.f("if !%s(condOperand(%s), e) {\nreturn false\n}\n", funcName("encode", piece.Operand), target(piece))
		default:
			p.f("if !%s(&%s, e) {\nreturn false\n}\n", funcName("encode", piece.Operand), target(piece))
		}
	}
	p.f("return true\n}\n")
}

func (g *generator) encodeMod(p *printer, piece isa.Piece) {
	m, f := piece.Mod, piece.Field
	fail := "return false\n"
	if n := m.Number; n != nil {
		v := fmt.Sprintf("uint64(%s)", target(piece))
		switch {
		case n.Signed:
			v = fmt.Sprintf("uint64(%s)&%#x", target(piece), uint64(1)<<f.Width()-1)
		case n.Not:
			v = fmt.Sprintf("uint64(%s)^%#x", target(piece), uint64(1)<<f.Width()-1)
		case n.Times != 1:
			v = fmt.Sprintf("scaled(uint32(%s), %d)", target(piece), n.Times)
		case n.Plus != 0:
			v = fmt.Sprintf("uint64(%s)-%d", target(piece), n.Plus)
		}
		p.f("if !%s {\n%s}\n", putField(f, v), fail)
		return
	}
	for _, row := range m.Rows {
		if len(row.Conds) > 0 {
			var conds []string
			for _, c := range row.Conds {
				conds = append(conds, hasValue(c))
			}
			if !encodable(row) {
				continue
			}
			p.f("if %s {\n", strings.Join(conds, " && "))
			g.encodeValues(p, piece, row)
			p.f("}\n")
			continue
		}
		g.encodeValues(p, piece, row)
	}
}

func encodable(row isa.ModRow) bool {
	for _, v := range row.Values {
		if !v.Invalid {
			return true
		}
	}
	return false
}

func (g *generator) encodeValues(p *printer, piece isa.Piece, row isa.ModRow) {
	info := members[piece.Mod.Target]
	switch info.kind {
	case "bool":
		p.f("if !%s {\nreturn false\n}\n", putField(piece.Field, "bit("+target(piece)+")"))
		return
	case "mods":
		p.f("if !%s {\nreturn false\n}\n", putField(piece.Field, "bit("+target(piece)+"&tesla."+row.Values[1].Set+" != 0)"))
		return
	}
	p.f("switch %s {\n", target(piece))
	for i, x := range row.Values {
		if x.Invalid {
			continue
		}
		value := "0"
		if x.Set != "" {
			value = "tesla." + x.Set
		}
		p.f("case %s:\nif !e.put(%#x, %#x) {\nreturn false\n}\n", value, piece.Field.Mask(), piece.Field.Deposit(uint64(i)))
	}
	p.f("default:\nreturn false\n}\n")
}
