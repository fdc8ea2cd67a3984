package main

import (
	"fmt"
	"slices"
	"strings"

	"jacquard/tesla/isa"
)

// enums prints the types, the classes, and the operations' properties.
func (g *generator) enums() *printer {
	p := &printer{}
	p.f("// The types.\nconst (\nTypeNone Type = iota\n")
	for _, t := range g.d.Types {
		p.f("%s%s\n", t.Name, comment(t.Comment))
	}
	p.f(")\n\nvar typeNames = []string{\nTypeNone: \"none\",\n")
	for _, t := range g.d.Types {
		p.f("%s: %q,\n", t.Name, t.Word)
	}
	p.f("}\n\n// typeBytes are sizes; without a type that is a register's.\nvar typeBytes = [...]uint8{\nTypeNone: 4,\n")
	for _, t := range g.d.Types {
		p.f("%s: %d,\n", t.Name, t.Bytes)
	}
	p.f("}\n\n// The classes.\nconst (\n")
	for i, c := range g.d.Classes {
		first := ""
		if i == 0 {
			first = " Class = iota"
		}
		p.f("%s%s%s\n", className(c.Name), first, comment(c.Comment))
	}
	p.f(")\n\nvar classNames = [...]string{\n")
	for _, c := range g.d.Classes {
		p.f("%s: %q,\n", className(c.Name), c.Name)
	}
	p.f("}\n\n// operations says what every operation does.\nvar operations = [Ops]operation{\nOpInvalid: {class: ClassUnknown},\n")
	for _, o := range g.d.Operations {
		p.f("Op%s: {%s},\n", o.Op, strings.Join(g.operation(&o), ", "))
	}
	p.f("}\n")
	return p
}

// operation returns the members of an operation's entry.
func (g *generator) operation(o *isa.Operation) []string {
	list := []string{"class: " + className(o.Class)}
	if o.Data != nil {
		var bits []string
		for _, role := range o.Data {
			bits = append(bits, "1<<"+role)
		}
		list = append(list, "data: "+strings.Join(bits, "|"))
	}
	if role := g.d.Immediate(o.Op); role != "" {
		list = append(list, "immediate: 1<<"+role)
	}
	has := map[string]bool{
		"target": g.leads(o.Op), "accumulates": g.d.Accumulates(o.Op), "flags": o.Flags != "", "overflow": o.Flags == "sum",
		"guarded": g.d.Guarded(o), "short": g.d.Short(o.Op),
	}
	for _, trait := range o.Traits {
		has[trait] = trait != "polls" // which says that it is not guarded
	}
	for name, is := range has {
		if is {
			list = append(list, name+": true")
		}
	}
	slices.Sort(list[1:])
	return list
}

// leads reports whether an operation has an address in the code as an operand.
func (g *generator) leads(op string) bool {
	return slices.ContainsFunc(g.d.FormsOf(op), func(f *isa.Form) bool {
		return slices.ContainsFunc(f.Pieces(), func(p isa.Piece) bool { return p.Mod != nil && p.Mod.Target == "Target" })
	})
}

// sass prints the table of the other syntax.
func (g *generator) sass() *printer {
	p := &printer{imports: []string{"jacquard/tesla"}}
	p.f("// rules has a rule for every operation.\nvar rules = [...]rule{\n")
	for _, o := range g.d.Operations {
		var list []string
		if o.Sass.Name != "" {
			list = append(list, fmt.Sprintf("name: %q", o.Sass.Name))
		}
		for _, flag := range o.Sass.Flags {
			list = append(list, flag+": true")
		}
		for _, f := range o.Sass.Funcs {
			list = append(list, f.Member+": "+f.Value)
			if f.Member == "operands" {
				list = append(list, "read: (*reader)."+f.Value)
			}
		}
		p.f("tesla.Op%s: {%s},\n", o.Op, strings.Join(list, ", "))
	}
	p.f("}\n")
	return p
}

func className(name string) string { return "Class" + title(name) }

func comment(text string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf(" // %s", text)
}
