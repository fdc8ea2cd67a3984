package isa

import (
	"slices"
	"strings"
)

// classes are the degrees of certainty, the least first.
var classes = []string{"unverified", "documented", "verified"}

// limits are the parts of an instruction that may lower its class.
var limits = []string{"memory", "guard", "marker", "working_join", "guarded_marker", "a7"}

// exactLine reads "exact [form=ID,ID COND...] -> CLASS WHY...".
func (p *parser) exactLine(op string, s source) (ExactLine, error) {
	l := ExactLine{Pos: s.Pos}
	arrow := slices.Index(s.words, "->")
	if arrow < 0 {
		return l, errorf(s.Pos, "want: exact [form=FORMS FIELD=VALUE...] -> CLASS WHY...")
	}
	for i, w := range s.words[1:arrow] {
		list, isForm := strings.CutPrefix(w, "form=")
		if isForm != (i == 0) {
			return l, errorf(s.Pos, "conditions begin with form=, which comes once")
		}
		if !isForm {
			c, err := p.cond(s.Pos, w, false)
			if err != nil {
				return l, err
			}
			l.Conds = append(l.Conds, c)
			continue
		}
		for _, id := range strings.Split(list, ",") {
			f := p.forms[id]
			if f == nil || f.Op != op {
				return l, errorf(s.Pos, "%s has no form %q", op, id)
			}
			l.Forms = append(l.Forms, f)
		}
	}
	for _, f := range l.Forms {
		for _, c := range l.Conds {
			if f.Format.Size == 4 && c.Field.Mask()>>32 != 0 {
				return l, errorf(s.Pos, "field %s lies outside of form %s", c.Field.Name, f.ID)
			}
		}
	}
	var err error
	l.Certainty, err = certainty(s.Pos, s.words[arrow+1:])
	return l, err
}

// limit reads "limit NAME CLASS WHY...".
func (p *parser) limit(s source) error {
	name := s.words[1]
	if !slices.Contains(limits, name) {
		return errorf(s.Pos, "unknown limit %q: want %s", name, strings.Join(limits, ", "))
	}
	for _, l := range p.d.Limits {
		if l.Name == name {
			return errorf(s.Pos, "limit %s is already defined at %s", name, l.Pos)
		}
	}
	c, err := certainty(s.Pos, s.words[2:])
	p.d.Limits = append(p.d.Limits, Limit{s.Pos, name, c})
	return err
}

// certainty reads "CLASS WHY...".
func certainty(at Pos, words []string) (Certainty, error) {
	if len(words) < 2 || !slices.Contains(classes, words[0]) {
		return Certainty{}, errorf(at, "want a class (%s) and the evidence", strings.Join(classes, ", "))
	}
	return Certainty{words[0], strings.Join(words[1:], " ")}, nil
}
