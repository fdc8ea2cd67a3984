package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"jacquard/tesla/isa"
)

// syntax prints the parts of every form's text.
func (g *generator) syntax() *printer {
	p := &printer{}
	for _, m := range g.d.Mods {
		if m.Rows == nil || !prints(m) {
			continue
		}
		p.f("var %s = []string{%s}\n\n", wordsName(m), wordList(m))
	}
	for _, f := range g.d.Fields {
		if f.Name == "imm" {
			p.f("// rawImmediate returns the whole immediate field of an instruction.\n")
			p.f("func rawImmediate(w uint64) uint32 { return uint32(%s) }\n\n", extract(f))
			p.f("// immediateBits is the reverse of rawImmediate.\n")
			p.f("func immediateBits(v uint64) uint64 { return %s }\n\n", deposit(f))
		}
	}
	g.places(p)
	p.f("// syntax lists, for every form, what is printed, in order.\nvar syntax = [...][]piece{\n\tnil,\n")
	for _, f := range g.d.Forms {
		var parts []string
		for _, piece := range append(append([]isa.Piece(nil), f.Format.Prefix...), f.Text...) {
			if s := syntaxPiece(piece); s != "" {
				parts = append(parts, s)
			}
		}
		p.f("\t{%s}, // %s\n", strings.Join(parts, ", "), f.ID)
	}
	p.f("}\n")
	return p
}

// prints reports whether a modifier has any words.
func prints(m *isa.Mod) bool {
	for _, r := range m.Rows {
		for _, v := range r.Values {
			if v.Word != "" {
				return true
			}
		}
	}
	return m.Number != nil
}

func wordsName(m *isa.Mod) string { return "words" + strings.ToUpper(m.Name[:1]) + m.Name[1:] }

// wordList returns the words of a modifier by the value of its member.
func wordList(m *isa.Mod) string {
	words := map[string]string{}
	for _, r := range m.Rows {
		for _, v := range r.Values {
			if !v.Invalid {
				words[v.Set] = v.Word
			}
		}
	}
	keys := make([]string, 0, len(words))
	for k := range words {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var parts []string
	for _, k := range keys {
		index := k
		switch {
		case k == "":
			index = "0"
		case k == "true", members[m.Target].kind == "mods":
			index = "1"
		}
		parts = append(parts, fmt.Sprintf("%s: %q", index, words[k]))
	}
	return strings.Join(parts, ", ")
}

func syntaxPiece(p isa.Piece) string {
	switch {
	case p.Word != "":
		return fmt.Sprintf("{show: showWord, words: []string{%q}}", p.Word)
	case p.Operand != nil:
		return syntaxOperand(p)
	}
	m := members[p.Mod.Target]
	switch {
	case p.Mod.Number != nil:
		show := strings.ToUpper(p.Mod.Number.Print[:1]) + p.Mod.Number.Print[1:]
		if m.name == "" {
			return fmt.Sprintf("{show: show%s}", show)
		}
		return fmt.Sprintf("{show: show%s, arg: int(member%s)}", show, m.name)
	case !prints(p.Mod):
		return ""
	case m.kind == "mods":
		return fmt.Sprintf("{show: showFlag, arg: int(%s), words: %s}", flagOf(p.Mod), wordsName(p.Mod))
	}
	show := "showOne"
	if optional(p.Mod) {
		show = "showMaybe"
	}
	return fmt.Sprintf("{show: %s, arg: int(member%s%s), words: %s}", show, m.name, p.Role, wordsName(p.Mod))
}

// optional reports whether some value of the modifier prints nothing.
func optional(m *isa.Mod) bool {
	return slices.ContainsFunc(m.Rows, func(r isa.ModRow) bool {
		return slices.ContainsFunc(r.Values, func(v isa.Value) bool { return !v.Invalid && v.Word == "" })
	})
}

// flagOf returns the flag a modifier of Mods sets.
func flagOf(m *isa.Mod) string {
	for _, v := range m.Rows[0].Values {
		if v.Set != "" {
			return v.Set
		}
	}
	panic("isagen: flag without a value")
}

func syntaxOperand(p isa.Piece) string {
	takes := "takes: " + funcName("takes", p.Operand)
	switch p.Role {
	case "dst":
		return fmt.Sprintf("{show: showDst, %s}", takes)
	case "cdst":
		return fmt.Sprintf("{show: showCDst, %s}", takes)
	case "carry":
		return fmt.Sprintf("{show: showCarry, %s}", takes)
	case "guard":
		return "{show: showGuard}"
	}
	show := "showSrc"
	if p.Operand.Untyped {
		show = "showSrcUntyped"
	}
	if bits := p.Operand.Lines[0].Const["bits"]; bits != 0 {
		show = fmt.Sprintf("showSrcCut%d", bits)
	}
	return fmt.Sprintf("{show: %s, arg: %s, %s}", show, p.Role, takes)
}

// places prints the places of every operand that is printed.
func (g *generator) places(p *printer) {
	printed := map[*isa.Operand]bool{}
	for _, f := range g.d.Forms {
		for _, piece := range f.Text {
			printed[piece.Operand] = true
		}
	}
	for _, o := range g.d.Operands {
		if !printed[o] {
			continue
		}
		var places []string
		for _, l := range o.Lines {
			place := kindNames[l.Kind]
			if l.Type != "" {
				place += ", " + l.Type
			} else {
				place += ", TypeNone"
			}
			if place = "{" + place + "}"; l.Kind != "invalid" && !slices.Contains(places, place) {
				places = append(places, place)
			}
		}
		p.f("var %s = []Place{%s}\n\n", funcName("takes", o), strings.Join(places, ", "))
	}
}

// deposit returns a Go expression of the bits that hold v in a field.
func deposit(f *isa.Field) string {
	var parts []string
	shift := f.Width()
	for _, b := range f.Parts {
		shift -= b.Width
		parts = append(parts, fmt.Sprintf("v>>%d&%#x<<%d", shift, uint64(1)<<b.Width-1, b.Low))
	}
	return strings.Join(parts, "|")
}
