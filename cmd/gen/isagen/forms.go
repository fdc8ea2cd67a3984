package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"jacquard/tesla/isa"
)

// formsHead is the start of the page of encodings, up to the first table.
const formsHead = `# Every field, operand and form

Look an encoding up here, or generate a decoder from it. The page is a print of the description
in ` + "`tesla/isa/opcode`" + `, which decodes, encodes and prints in Jacquard. [encoding.md](encoding.md)
explains the terms, [operations.md](operations.md) what an operation does.

Notation:

- ` + "`w0.8-2`" + ` is bits 8 to 2 of the first word, ` + "`w1`" + ` the second word, bit 0 the least significant.
- A field of several parts names the most significant part first.
- ` + "`value/mask`" + ` selects a word if ` + "`word & mask == value`" + `.
- ` + "`field=1,2`" + ` holds if the field has one of the values; of a list of lines the first that holds
  applies.

`

// forms prints the description as a page.
func (g *generator) forms() *printer {
	p := &printer{}
	p.f("%s", formsHead)
	p.f("## Fields\n\n| field | bits |\n|---|---|\n")
	for _, f := range g.d.Fields {
		p.f("| %s | %s |\n", f.Name, bitsOf(f))
	}
	p.f("\n## Formats\n\nThe length and the format are decided before the form. `imm` takes precedence over `long`.\n\n")
	p.f("| format | bytes | selected by | begins with |\n|---|---|---|---|\n")
	for _, f := range g.d.Formats {
		p.f("| %s | %d | %s | %s |\n", f.Name, f.Size, condText(f.Conds), codeText(f.Prefix))
	}
	p.f(`
## Operands

One row per possibility. The slot is the sub-decoder that reads the operand. Offsets count in
units of the access type unless the row says bytes. An offset that the row calls signed is signed
only if the operand post-increments its address register. A number stands for itself, a name for
the value of the field.

| operand | slot | formats | if | place |
|---|---|---|---|---|
`)
	for _, o := range g.d.Operands {
		var formats []string
		for _, f := range o.Formats {
			formats = append(formats, f.Name)
		}
		for _, l := range o.Lines {
			p.f("| %s | %s | %s | %s | %s |\n", o.Name, o.Slot, strings.Join(formats, " "), condText(l.Conds), lineText(l))
		}
	}
	p.f(`
## Modifiers

One row per modifier. The values are those of its field, 0 first, as they are printed: ` + "`-`" + ` prints
nothing and ` + "`?`" + ` makes the instruction illegal. A value or a modifier with a target exists
on that target only.

| modifier | sets | target | if | values |
|---|---|---|---|---|
`)
	for _, m := range g.d.Mods {
		if m.Number != nil {
			p.f("| %s | %s | %s |  | %s |\n", m.Name, m.Target, archText(m.Since), numberText(m.Number))
		}
		for _, r := range m.Rows {
			p.f("| %s | %s | %s | %s | %s |\n", m.Name, m.Target, archText(m.Since), condText(r.Conds), valueText(r.Values))
		}
	}
	p.f(`
## Forms

One row per form. In the text ` + "`{operand:role}`" + ` is an operand and ` + "`{modifier@field:role}`" + ` a modifier;
the role is ` + "`dst`, `cdst`, `carry` or `guard`" + `, or the number of the source. What stands behind a
semicolon is read but not printed. Ignored bits have no effect. They are written as 0 unless the
row says otherwise.

`)
	byID := slices.SortedFunc(slices.Values(g.d.Forms), func(a, b *isa.Form) int { return cmp.Compare(a.ID, b.ID) })
	for _, format := range g.d.Formats {
		p.f("### Format %s\n\n| form | target | w0 | w1 | operation | text | ignored |\n|---|---|---|---|---|---|---|\n", format.Name)
		for _, f := range byID {
			if f.Format == format {
				p.f("| %s | %s | %s | %s | %s |\n", f.ID, archText(f.Archs), matchText(f), operationText(f), ignored(f))
			}
		}
		p.f("\n")
	}
	return p
}

func bitsOf(f *isa.Field) string {
	var parts []string
	for _, b := range f.Parts {
		parts = append(parts, rangeText(b.Low, b.Width))
	}
	return strings.Join(parts, " ")
}

// rangeText names width bits of the 64-bit instruction from bit low up.
func rangeText(low, width int) string {
	word, bit := low/32, low%32
	if width == 1 {
		return fmt.Sprintf("w%d.%d", word, bit)
	}
	return fmt.Sprintf("w%d.%d-%d", word, bit+width-1, bit)
}

// ignored names the bits without effect, and the ones among them that compilers set.
func ignored(f *isa.Form) string {
	parts := bitRanges(f.Ignore)
	if f.Emit != nil {
		parts = append(parts, "written with "+condText(f.Emit))
	}
	return strings.Join(parts, " ")
}

// bitRanges names the bits of mask, the highest first.
func bitRanges(mask uint64) (parts []string) {
	for high := 63; high >= 0; high-- {
		if mask>>high&1 == 0 {
			continue
		}
		low := high
		for low%32 != 0 && mask>>(low-1)&1 == 1 {
			low--
		}
		parts = append(parts, rangeText(low, high-low+1))
		high = low
	}
	return parts
}

func condText(conds []isa.Cond) string {
	var parts []string
	for _, c := range conds {
		var values []string
		for _, v := range c.Values {
			values = append(values, fmt.Sprint(v))
		}
		parts = append(parts, c.Field.Name+"="+strings.Join(values, ","))
	}
	return strings.Join(parts, " ")
}

// lineText returns a place of an operand in the description's words.
func lineText(l isa.Line) string {
	parts := []string{l.Kind}
	if l.Type != "" {
		parts = append(parts, l.Type)
	}
	for _, role := range slices.Sorted(maps.Keys(l.Field)) {
		parts = append(parts, role+"="+l.Field[role].Name)
	}
	for _, role := range slices.Sorted(maps.Keys(l.Const)) {
		parts = append(parts, fmt.Sprintf("%s=%d", role, l.Const[role]))
	}
	for _, flag := range slices.Sorted(maps.Keys(l.Flags)) {
		if l.Flags[flag] {
			parts = append(parts, flag)
		}
	}
	return strings.Join(parts, " ")
}

func numberText(n *isa.Number) string {
	parts := []string{"a number"}
	if n.Signed {
		parts[0] = "a signed number"
	}
	if n.Times > 1 {
		parts = append(parts, fmt.Sprintf("times %d", n.Times))
	}
	if n.Plus > 0 {
		parts = append(parts, fmt.Sprintf("plus %d", n.Plus))
	}
	return strings.Join(parts, " ")
}

func valueText(values []isa.Value) string {
	var parts []string
	for _, v := range values {
		word := v.Word
		switch {
		case v.Invalid:
			word = "?"
		case word == "":
			word = "-"
		}
		if arch := archText(v.Archs); !v.Invalid && arch != "" {
			word += " (" + arch + ")"
		}
		parts = append(parts, "`"+word+"`")
	}
	return strings.Join(parts, " ")
}

// archText names a set of targets, "" for all.
func archText(set isa.ArchSet) string {
	switch set {
	case isa.AllArchs, 0:
		return ""
	case 1<<1 | 1<<2 | 1<<3:
		return "sm_11+"
	case 1<<2 | 1<<3:
		return "sm_12+"
	case 1 << 2:
		return "GT21x"
	case 1 << 3:
		return "sm_13"
	}
	return fmt.Sprintf("%04b", set)
}

func matchText(f *isa.Form) string {
	bits, mask := f.Match()
	first := fmt.Sprintf("%08x/%08x", uint32(bits), uint32(mask))
	if f.Format.Size == 4 {
		return first + " | "
	}
	return fmt.Sprintf("%s | %08x/%08x", first, bits>>32, mask>>32)
}

// operationText returns the operation with the members that the form sets, and the text.
func operationText(f *isa.Form) string {
	words := []string{f.Op}
	for _, a := range f.Attrs {
		words = append(words, a.Member+"="+a.Value)
	}
	if f.Over != "" {
		words = append(words, "(before "+f.Over+")")
	}
	text := codeText(f.Text)
	if f.Hidden != nil {
		text += "; " + codeText(f.Hidden)
	}
	return strings.Join(words, " ") + " | " + text
}

// codeText returns a list of pieces in the description's words.
func codeText(pieces []isa.Piece) string {
	var words []string
	for _, p := range pieces {
		switch {
		case p.Mod != nil:
			word := p.Mod.Name
			if p.Field != nil {
				word += "@" + p.Field.Name
			}
			words = append(words, "{"+withRole(word, p.Role)+"}")
		case p.Operand != nil:
			words = append(words, "{"+withRole(p.Operand.Name, p.Role)+"}")
		case p.Word != "":
			words = append(words, p.Word)
		}
	}
	if words == nil {
		return ""
	}
	return "`" + strings.Join(words, " ") + "`"
}

func withRole(word, role string) string {
	if role == "" {
		return word
	}
	return word + ":" + role
}
