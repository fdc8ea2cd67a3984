package isa

import (
	"slices"
	"strings"
)

var operandRoles = []string{"dst", "0", "1", "2", "cdst", "carry", "guard"}

// form reads "form ID FORMAT [ARCHS] [over=ID] COND..." and its body.
func (p *parser) form(s source) error {
	if len(s.words) < 3 {
		return errorf(s.Pos, "want: form ID FORMAT [ARCHS] FIELD=VALUE...")
	}
	f := &Form{Pos: s.Pos, ID: s.words[1], Format: p.formats[s.words[2]], Archs: AllArchs}
	if old := p.forms[f.ID]; old != nil {
		return errorf(s.Pos, "form %s is already defined at %s", f.ID, old.Pos)
	}
	if f.Format == nil {
		return errorf(s.Pos, "unknown format %q", s.words[2])
	}
	p.used[f.Format] = true
	f.Conds = slices.Clone(f.Format.Conds)
	for _, w := range s.words[3:] {
		if set, ok := archs(w); ok {
			f.Archs = set
			continue
		}
		if id, ok := strings.CutPrefix(w, "over="); ok {
			f.Over = id
			continue
		}
		c, err := p.cond(s.Pos, w, true)
		if err != nil {
			return err
		}
		f.Conds = append(f.Conds, c)
	}
	for _, b := range s.body {
		if err := p.formLine(f, b); err != nil {
			return err
		}
	}
	if f.Op == "" || f.Text == nil {
		return errorf(s.Pos, "form %s needs op and text", f.ID)
	}
	p.forms[f.ID] = f
	p.d.Forms = append(p.d.Forms, f)
	return nil
}

func (p *parser) formLine(f *Form, s source) error {
	rest := s.words[1:]
	if len(rest) == 0 {
		return errorf(s.Pos, "%s without anything", s.words[0])
	}
	var err error
	switch s.words[0] {
	case "op":
		f.Op = rest[0]
		for _, w := range rest[1:] {
			member, value, ok := strings.Cut(w, "=")
			if !ok {
				return errorf(s.Pos, "bad attribute %q: want MEMBER=VALUE", w)
			}
			f.Attrs = append(f.Attrs, Attr{member, value})
		}
	case "text":
		f.Text, err = p.pieces(s.Pos, f.Format, rest)
	case "hidden":
		f.Hidden, err = p.pieces(s.Pos, f.Format, rest)
	case "emit":
		for _, w := range rest {
			c, err := p.cond(s.Pos, w, true)
			if err != nil {
				return err
			}
			f.Emit = append(f.Emit, c)
		}
	case "ignore":
		for _, w := range rest {
			b, err := readBits(s.Pos, w)
			if err != nil {
				return err
			}
			m := b.mask()
			if f.Ignore&m != 0 {
				return errorf(s.Pos, "form %s ignores %s twice", f.ID, w)
			}
			f.Ignore |= m
		}
	default:
		return errorf(s.Pos, "unknown keyword %q: want op, text, hidden, emit or ignore", s.words[0])
	}
	return err
}

// pieces reads literal words, {MOD@FIELD}, {MOD@FIELD:ROLE}, {MOD} and {OPERAND:ROLE}.
func (p *parser) pieces(at Pos, f *Format, words []string) ([]Piece, error) {
	var out []Piece
	for _, w := range words {
		inner, ok := strings.CutPrefix(w, "{")
		if !ok {
			out = append(out, Piece{Word: w})
			continue
		}
		inner, ok = strings.CutSuffix(inner, "}")
		if !ok {
			return nil, errorf(at, "piece %q is not closed", w)
		}
		piece, err := p.piece(at, f, inner)
		if err != nil {
			return nil, err
		}
		out = append(out, piece)
	}
	return out, nil
}

func (p *parser) piece(at Pos, f *Format, s string) (Piece, error) {
	s, role, _ := strings.Cut(s, ":")
	name, fieldName, hasField := strings.Cut(s, "@")
	if m := p.mods[name]; m != nil {
		if !hasField {
			p.used[m] = true
			return Piece{Mod: m, Role: role}, nil
		}
		return p.modPiece(at, m, fieldName, role)
	}
	o := p.operands[name+" "+f.Name]
	if o == nil {
		return Piece{}, errorf(at, "unknown modifier or operand %q for format %s", name, f.Name)
	}
	if !slices.Contains(operandRoles, role) {
		return Piece{}, errorf(at, "operand %s: unknown role %q", name, role)
	}
	p.used[o] = true
	return Piece{Operand: o, Role: role}, nil
}

// modPiece is a modifier in a field.
func (p *parser) modPiece(at Pos, m *Mod, fieldName, role string) (Piece, error) {
	p.used[m] = true
	piece := Piece{Mod: m, Field: p.fields[fieldName], Role: role}
	if piece.Field == nil {
		return piece, errorf(at, "unknown field %q", fieldName)
	}
	p.used[piece.Field] = true
	for _, row := range m.Rows {
		if len(row.Values) != 1<<piece.Field.Width() {
			return piece, errorf(at, "mod %s has %d values, field %s has %d bits", m.Name, len(row.Values), fieldName, piece.Field.Width())
		}
	}
	if m.perSource() != (role == "0" || role == "1" || role == "2") {
		return piece, errorf(at, "mod %s: bad source %q", m.Name, role)
	}
	return piece, nil
}

// perSource reports whether the modifier belongs to one source operand.
func (m *Mod) perSource() bool {
	return slices.Contains([]string{"Neg", "Abs", "Not", "As"}, m.Target)
}
