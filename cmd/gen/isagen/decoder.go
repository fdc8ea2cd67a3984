package main

import (
	"fmt"
	"strings"

	"jacquard/tesla/isa"
)

// decoder prints all of package decoder: the search for the form, one file per sub-decoder, and the
// table of each form's steps.
func (g *generator) decoder() map[string]*printer {
	files := map[string]*printer{
		"match_gen.go":   g.match(),
		"operand_gen.go": g.operands(),
		"forms_gen.go":   g.table(),
	}
	for _, sub := range subDecoders {
		p := &printer{imports: []string{"jacquard/tesla"}}
		for _, s := range g.steps[sub] {
			g.decodeStep(p, s)
			g.encodeStep(p, s)
		}
		files[sub+"_gen.go"] = p
	}
	return files
}

// table prints, for every form, the members that all its instructions share and the steps of the
// sub-decoders.
func (g *generator) table() *printer {
	p := &printer{imports: []string{"jacquard/tesla"}}
	p.f("// forms holds the rows of the description, in its order from 1.\nvar forms = [tesla.Forms]form{\n")
	for i, f := range g.d.Forms {
		bits, mask := written(f)
		p.f("\t%d: { // %s\n", i+1, f.ID)
		p.f("\t\tarchs: %#x, bits: %#x, mask: %#x,\n", f.Archs, bits, mask)
		p.f("\t\ttemplate: tesla.Instruction{Form: %d, Size: %d, Op: tesla.Op%s%s},\n", i+1, f.Format.Size, f.Op, template(f))
		for _, part := range []string{"decode", "encode"} {
			var steps []string
			for _, sub := range subDecoders {
				if s := g.of[f][sub]; s != nil {
					steps = append(steps, part+strings.ToUpper(s.name[:1])+s.name[1:])
				}
			}
			p.f("\t\t%s: []%sStep{%s},\n", part, part, strings.Join(steps, ", "))
		}
		p.f("\t},\n")
	}
	p.f("}\n\n")
	p.f("// formsOf lists the forms of every operation, in the order of the description.\nvar formsOf = [tesla.Ops][]tesla.Form{\n")
	for _, o := range g.d.Operations {
		var list []string
		for _, f := range g.d.FormsOf(o.Op) {
			list = append(list, fmt.Sprint(g.number(f)))
		}
		p.f("\ttesla.Op%s: {%s},\n", o.Op, strings.Join(list, ", "))
	}
	p.f("}\n")
	return p
}

// written returns the bits that every encoding of a form has in common, and their mask.
func written(f *isa.Form) (bits, mask uint64) {
	bits, mask = f.Match()
	for _, c := range f.Emit {
		bits |= c.Field.Deposit(c.Values[0])
		mask |= c.Field.Mask()
	}
	return bits, mask
}

// template prints the members that are equal for every instruction of a form.
func template(f *isa.Form) string {
	var parts []string
	nested := map[string][]string{}
	var order []string
	for _, a := range f.Attrs {
		if _, ok := a.Source(); ok {
			continue // a step of the source's sub-decoder sets it
		}
		value := a.Value
		if value != "true" && (value[0] < '0' || value[0] > '9') {
			value = "tesla." + strings.ReplaceAll(value, "+", "|tesla.")
		}
		outer, inner, ok := strings.Cut(a.Member, ".")
		if !ok {
			parts = append(parts, a.Member+": "+value)
			continue
		}
		if nested[outer] == nil {
			order = append(order, outer)
		}
		nested[outer] = append(nested[outer], inner+": "+value)
	}
	for _, outer := range order {
		list := strings.Join(nested[outer], ", ")
		parts = append(parts, fmt.Sprintf("%s: tesla.%s{%s}", outer, outer, list))
	}
	if parts == nil {
		return ""
	}
	return ", " + strings.Join(parts, ", ")
}
