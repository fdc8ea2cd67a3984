package main

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"jacquard/tesla/isa"
)

// match prints the decision tree that finds an instruction's form.
func (g *generator) match() *printer {
	p := &printer{imports: []string{"jacquard/tesla"}}
	p.f("// match returns the form of the instruction w on the architectures of set a, 0 if\n// there is none.\n")
	p.f("func match(a archSet, w uint64) tesla.Form {\n")
	var formats []*isa.Format
	for _, f := range g.d.Formats {
		if f.Over != "" {
			formats = append(formats, f)
		}
	}
	for _, f := range g.d.Formats {
		if f.Over == "" {
			formats = append(formats, f)
		}
	}
	p.f("\tswitch {\n")
	seen := map[string]bool{}
	var groups []string
	for _, f := range formats {
		cond := holds(f.Conds)
		if seen[cond] {
			continue
		}
		seen[cond] = true
		var names []string
		for _, o := range formats {
			if holds(o.Conds) == cond {
				names = append(names, o.Name)
			}
		}
		name := "match" + strings.ToUpper(f.Name[:1]) + f.Name[1:]
		groups = append(groups, name)
		p.f("\tcase %s: // %s\n\t\treturn %s(a, w)\n", cond, strings.Join(names, ", "), name)
	}
	p.f("\t}\n\treturn 0\n}\n")
	seen = map[string]bool{}
	for _, f := range formats {
		cond := holds(f.Conds)
		if seen[cond] {
			continue
		}
		seen[cond] = true
		var forms []*isa.Form
		var tested uint64
		for _, c := range f.Conds {
			tested |= c.Field.Mask()
		}
		for _, x := range g.d.Forms {
			if holds(x.Format.Conds) == cond {
				forms = append(forms, x)
			}
		}
		// A form that takes precedence is tried first.
		sort.SliceStable(forms, func(i, j int) bool { return forms[i].Over != "" && forms[j].Over == "" })
		p.f("\nfunc %s(a archSet, w uint64) tesla.Form {\n", groups[0])
		groups = groups[1:]
		g.node(p, forms, tested)
		p.f("\treturn 0\n}\n")
	}
	return p
}

// node prints the part of the tree that separates forms whose tested bits agree.
func (g *generator) node(p *printer, forms []*isa.Form, tested uint64) {
	common, varying := ^uint64(0), uint64(0)
	first, _ := forms[0].Match()
	for _, f := range forms {
		b, mask := f.Match()
		common &= mask
		varying |= b ^ first
	}
	varying &= common &^ tested
	if len(forms) == 1 || varying == 0 {
		for _, f := range forms {
			g.leaf(p, f, tested)
		}
		return
	}
	groups := map[uint64][]*isa.Form{}
	var keys []uint64
	for _, f := range forms {
		b, _ := f.Match()
		key := b & varying
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], f)
	}
	slices.Sort(keys)
	shift := bits.TrailingZeros64(varying)
	p.f("switch w>>%d&%#x {\n", shift, varying>>shift)
	for _, key := range keys {
		p.f("case %#x:\n", key>>shift)
		g.node(p, groups[key], tested|varying)
	}
	p.f("}\n")
}

// leaf prints the test for one form, or only its number if all bits are tested.
func (g *generator) leaf(p *printer, f *isa.Form, tested uint64) {
	b, mask := f.Match()
	var conds []string
	if rest := mask &^ tested; rest != 0 {
		conds = append(conds, fmt.Sprintf("w&%#x == %#x", rest, b&rest))
	}
	if f.Archs != isa.AllArchs {
		conds = append(conds, fmt.Sprintf("a&%#x != 0", f.Archs))
	}
	if conds == nil {
		p.f("return %d // %s\n", g.number(f), f.ID)
		return
	}
	p.f("if %s {\nreturn %d // %s\n}\n", strings.Join(conds, " && "), g.number(f), f.ID)
}
