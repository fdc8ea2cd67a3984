package main

import (
	"fmt"
	"sort"
	"strings"

	"jacquard/tesla/isa"
)

// syntax prints what the text form of every row consists of.
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
		}
	}
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

// prints tells whether a modifier has any words.
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
	case p.Role != "":
		return fmt.Sprintf("{show: showOne, arg: int(member%s%s), words: %s}", m.name, p.Role, wordsName(p.Mod))
	}
	return fmt.Sprintf("{show: showOne, arg: int(member%s), words: %s}", m.name, wordsName(p.Mod))
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
	switch p.Role {
	case "dst":
		return "{show: showDst}"
	case "cdst":
		return "{show: showCDst}"
	case "carry":
		return "{show: showCarry}"
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
	return fmt.Sprintf("{show: %s, arg: %s}", show, p.Role)
}
