package main

import (
	"fmt"
	"sort"
	"strings"

	"jacquard/tesla/isa"
)

// subDecoders are the six parts of the decoder, in the order in which they run.
var subDecoders = []string{"opcode", "source1", "source2", "source3", "destination", "control"}

// step is a list of pieces that one sub-decoder handles together. Several forms may share it.
type step struct {
	name   string
	key    string
	pieces []isa.Piece
}

// generator is the description in the shape of the files to print.
type generator struct {
	d     *isa.Description
	steps map[string][]*step             // per sub-decoder, in order of first use
	of    map[*isa.Form]map[string]*step // the steps of a form by sub-decoder
}

func newGenerator(d *isa.Description) (*generator, error) {
	g := &generator{d: d, steps: map[string][]*step{}, of: map[*isa.Form]map[string]*step{}}
	for _, m := range d.Mods {
		if _, ok := members[m.Target]; !ok {
			return nil, &isa.Error{Pos: m.Pos, Message: fmt.Sprintf("unknown member %q", m.Target)}
		}
	}
	byKey := map[string]*step{}
	for _, f := range d.Forms {
		g.of[f] = map[string]*step{}
		parts := map[string][]isa.Piece{}
		for _, p := range f.Pieces() {
			if slot := slotOf(f, p); slot != "" {
				parts[slot] = append(parts[slot], p)
			}
		}
		for _, sub := range subDecoders {
			if len(parts[sub]) == 0 {
				continue
			}
			pieces := sortPieces(parts[sub])
			key := sub + keyOf(pieces)
			s := byKey[key]
			if s == nil {
				s = &step{name: fmt.Sprintf("%s%d", sub, len(g.steps[sub])+1), key: keyOf(pieces), pieces: pieces}
				byKey[key] = s
				g.steps[sub] = append(g.steps[sub], s)
			}
			g.of[f][sub] = s
		}
	}
	return g, nil
}

// slotOf names the sub-decoder of a piece, "" for a piece that reads nothing. An
// operand in the destination's field that is not the destination belongs to the
// source of its role, with the modifiers of that source.
func slotOf(f *isa.Form, p isa.Piece) string {
	switch {
	case p.Attr != nil:
		return sourceSlot(f, p.Role)
	case p.Operand != nil:
		if p.Operand.Slot == "dest" {
			return destSlots[p.Role]
		}
		return p.Operand.Slot
	case p.Field == nil:
		return ""
	case p.Role != "":
		return sourceSlot(f, p.Role)
	}
	return members[p.Mod.Target].slot
}

// destSlots tells which sub-decoder reads an operand in the destination's field.
var destSlots = map[string]string{
	"dst": "destination", "cdst": "destination", "0": "source1", "1": "source2", "2": "source3",
}

// sourceSlot names the sub-decoder of the source operand with the role.
func sourceSlot(f *isa.Form, role string) string {
	for _, p := range f.Pieces() {
		if p.Operand != nil && p.Role == role {
			return slotOf(f, p)
		}
	}
	panic("isagen: form " + f.ID + " has no source " + role)
}

// sortPieces puts operands before the modifiers that change them.
func sortPieces(in []isa.Piece) []isa.Piece {
	out := append([]isa.Piece(nil), in...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Operand != nil && out[j].Operand == nil })
	return out
}

// keyOf returns pieces in the description's words.
func keyOf(pieces []isa.Piece) string {
	var words []string
	for _, p := range pieces {
		switch {
		case p.Operand != nil:
			words = append(words, fmt.Sprintf("%s.%s:%s", p.Operand.Name, p.Operand.Formats[0].Name, p.Role))
		case p.Attr != nil:
			words = append(words, p.Attr.Member+"="+p.Attr.Value)
		case p.Role != "":
			words = append(words, fmt.Sprintf("%s@%s:%s", p.Mod.Name, p.Field.Name, p.Role))
		default:
			words = append(words, fmt.Sprintf("%s@%s", p.Mod.Name, p.Field.Name))
		}
	}
	return strings.Join(words, " ")
}

// ops prints the operations and the forms.
func (g *generator) ops() *printer {
	p := &printer{}
	p.f("// The operations.\nconst (\n\tOpInvalid Op = iota\n")
	for _, o := range g.d.Operations {
		p.f("\tOp%s\n", o.Op)
	}
	p.f(")\n\nvar opNames = [...]string{\n\tOpInvalid: \"Invalid\",\n")
	for _, o := range g.d.Operations {
		p.f("\tOp%s: %q,\n", o.Op, o.Op)
	}
	p.f("}\n\n// formNames holds the rows of the description, in its order.\nvar formNames = [...]string{\n\t\"\",\n")
	for _, f := range g.d.Forms {
		p.f("\t%q,\n", f.ID)
	}
	p.f("}\n")
	return p
}

// number returns a form's place in the description, counted from 1.
func (g *generator) number(f *isa.Form) int {
	for i, x := range g.d.Forms {
		if x == f {
			return i + 1
		}
	}
	panic("isagen: form of another description")
}
