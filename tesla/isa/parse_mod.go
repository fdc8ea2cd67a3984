package isa

import (
	"strconv"
	"strings"
)

// mod reads "mod NAME TARGET VALUE... [from ARCHS]", "mod NAME TARGET number
// [ATTR...]", or "mod NAME TARGET" with a body of "COND... VALUE..." lines.
func (p *parser) mod(s source) error {
	if len(s.words) < 3 {
		return errorf(s.Pos, "want: mod NAME TARGET VALUE...")
	}
	m := &Mod{Pos: s.Pos, Name: s.words[1], Target: s.words[2], Since: AllArchs}
	if p.mods[m.Name] != nil {
		return errorf(s.Pos, "mod %s is already defined at %s", m.Name, p.mods[m.Name].Pos)
	}
	words := s.words[3:]
	if n := len(words); n >= 2 && words[n-2] == "from" {
		set, ok := archs(words[n-1])
		if !ok {
			return errorf(s.Pos, "unknown architectures %q", words[n-1])
		}
		m.Since, words = set, words[:n-2]
	}
	switch {
	case len(words) > 0 && words[0] == "number":
		n, err := number(s.Pos, words[1:])
		if err != nil {
			return err
		}
		m.Number = n
	case len(words) > 0:
		row, err := p.modRow(source{Pos: s.Pos, words: words})
		if err != nil {
			return err
		}
		m.Rows = append(m.Rows, row)
	}
	for _, b := range s.body {
		row, err := p.modRow(b)
		if err != nil {
			return err
		}
		m.Rows = append(m.Rows, row)
	}
	if len(m.Rows) == 0 && m.Number == nil {
		return errorf(s.Pos, "mod %s has no values", m.Name)
	}
	p.mods[m.Name] = m
	p.d.Mods = append(p.d.Mods, m)
	return nil
}

func number(at Pos, words []string) (*Number, error) {
	n := &Number{Times: 1}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		var err error
		switch key {
		case "plus":
			n.Plus, err = strconv.ParseUint(value, 0, 8)
		case "times":
			n.Times, err = strconv.ParseUint(value, 0, 8)
		case "signed":
			n.Signed = true
		case "not":
			n.Not = true
		case "print":
			n.Print = value
		default:
			return nil, errorf(at, "unknown attribute %q of a number", w)
		}
		if err != nil || n.Times == 0 {
			return nil, errorf(at, "bad number in %q", w)
		}
	}
	if n.Print == "" {
		return nil, errorf(at, "number without print=")
	}
	return n, nil
}

// modRow reads "COND... VALUE..."; a value is "?", "-", "-:word", "Name" or "Name:word", with
// "/ARCHS" after it if only some architectures have it.
func (p *parser) modRow(s source) (ModRow, error) {
	row := ModRow{Pos: s.Pos}
	conds, words, err := p.conds(s.Pos, s.words)
	if err != nil {
		return row, err
	}
	row.Conds = conds
	for _, w := range words {
		v := Value{Archs: AllArchs}
		if text, name, ok := strings.Cut(w, "/"); ok {
			set, known := archs(name)
			if !known {
				return row, errorf(s.Pos, "unknown architectures %q", name)
			}
			v.Archs, w = set, text
		}
		v.Set, v.Word, _ = strings.Cut(w, ":")
		v.Word = strings.ReplaceAll(v.Word, "_", " ")
		switch v.Set {
		case "?":
			v = Value{Invalid: true}
		case "-":
			v.Set = ""
		case "yes":
			v.Set = "true"
		}
		row.Values = append(row.Values, v)
	}
	if n := len(row.Values); n == 0 || n&(n-1) != 0 {
		return row, errorf(s.Pos, "%d values: want a power of two", n)
	}
	return row, nil
}
