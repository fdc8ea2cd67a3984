package main

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"jacquard/tesla/isa"
)

// exactness prints the certainty of every form, for package tesla.
func (g *generator) exactness() *printer {
	p := &printer{}
	p.f("// exactness holds, for every form, the rules of the description: the first that matches applies.\n")
	p.f("var exactness = [...][]exactRule{\n\tnil,\n")
	for _, f := range g.d.Forms {
		p.f("\t{ // %s\n", f.ID)
		for _, l := range g.d.ExactLines(f) {
			for _, m := range matches(l.Conds) {
				p.f("\t\t{mask: %#x, bits: %#x, Certainty: %s},\n", m.mask, m.bits, certainty(l.Certainty))
			}
		}
		p.f("\t},\n")
	}
	p.f("}\n\n// The most that an instruction with some part can be.\nvar (\n")
	for _, l := range g.d.Limits {
		p.f("\t%s = %s\n", limitName(l.Name), certainty(l.Certainty))
	}
	p.f(")\n")
	return p
}

// match is the set of instructions with bits under mask.
type match struct{ mask, bits uint64 }

// matches lists the sets that fulfil all conditions, one entry per choice of values.
func matches(conds []isa.Cond) []match {
	all := []match{{}}
	for _, c := range conds {
		var next []match
		for _, m := range all {
			for _, v := range c.Values {
				next = append(next, match{m.mask | c.Field.Mask(), m.bits | c.Field.Deposit(v)})
			}
		}
		all = next
	}
	return all
}

func certainty(c isa.Certainty) string {
	return fmt.Sprintf("Certainty{%s, %q}", title(c.Class), c.Why)
}

func limitName(name string) string {
	s := "limit"
	for _, part := range strings.Split(name, "_") {
		s += title(part)
	}
	return s
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// questions lists the points that a board would settle. It is written by hand, because the
// description covers instructions, not code.
//
//go:embed questions.md
var questions string

// page prints the exactness register as a page.
func (g *generator) page() *printer {
	p := &printer{}
	p.f(`# How exact every instruction is

Jacquard executes instructions as the hardware does, as far as anybody knows. This page
says how far that is, for every operation of sm_10 .. sm_13:

- **verified**: agrees with a public bit-exact model that was run against boards, on all
  golden vectors of the operation (` + "`jacquard verify`" + `) and, for special functions, on all inputs.
- **documented**: stated by public reverse-engineered documentation, not tested there.
- **unverified**: our inference, or known to be open. Only hardware can settle it.

An instruction is as certain as its least certain part. ` + "`jacquard info --exactness FILE`" + `
says which classes a cubin contains, and the summary of a run how much of what was
executed belongs to which. The evidence is the section of [docs/isa](isa/README.md) that states
the fact, and says what is open.

## Parts that any instruction may have

| part | at most | evidence |
|---|---|---|
`)
	for _, l := range g.d.Limits {
		p.f("| %s | %s | %s |\n", strings.ReplaceAll(l.Name, "_", " "), l.Class, evidence(l.Why))
	}
	p.f("\n## Operations\n\n| operation | modifiers | encodings | class | evidence |\n|---|---|---|---|---|\n")
	for _, o := range g.d.Operations {
		for _, l := range o.Exact {
			forms, encodings := l.Forms, where(l)
			if forms == nil {
				forms = g.d.FormsOf(o.Op)
			}
			if len(o.Exact) == 1 {
				encodings = "all"
			}
			p.f("| %s | %s | %s | %s | %s |\n", o.Op, modifiers(forms), encodings, l.Class, evidence(l.Why))
		}
	}
	p.f("%s", questions)
	return p
}

// evidence makes a link of the page and section at the start of a piece of evidence.
func evidence(why string) string {
	place, rest, open := strings.Cut(why, ": ")
	page, section, ok := strings.Cut(place, ", ")
	link, known := strings.CutPrefix(page, "docs/")
	if !ok || !known {
		return why
	}
	if open {
		rest = ": " + rest
	}
	return fmt.Sprintf("[%s](%s#%s)%s", section, link, anchor(section), rest)
}

// anchor returns the anchor of a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// modifiers lists the types and modifiers of forms as printed, sorted.
func modifiers(forms []*isa.Form) string {
	words := map[string]bool{}
	for _, f := range forms {
		for _, a := range f.Attrs {
			if a.Member == "Type" || a.Member == "From" || a.Member == "Mods" {
				for _, value := range strings.Split(a.Value, "+") {
					words[strings.ToLower(value)] = true
				}
			}
		}
		for _, piece := range f.Text {
			if piece.Mod == nil {
				continue
			}
			for _, row := range piece.Mod.Rows {
				for _, v := range row.Values {
					words[v.Word] = true
				}
			}
		}
	}
	delete(words, "")
	return strings.Join(slices.Sorted(maps.Keys(words)), " ")
}

// where describes the encodings of a line, in the names of the description.
func where(l isa.ExactLine) string {
	var parts []string
	for _, f := range l.Forms {
		parts = append(parts, f.ID)
	}
	if parts == nil {
		return "all others"
	}
	for _, c := range l.Conds {
		var values []string
		for _, v := range c.Values {
			values = append(values, fmt.Sprint(v))
		}
		parts = append(parts, c.Field.Name+"="+strings.Join(values, ","))
	}
	return strings.Join(parts, " ")
}
