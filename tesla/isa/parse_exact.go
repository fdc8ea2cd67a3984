package isa

import (
	"slices"
	"strings"
)

// classes are the degrees of certainty, the least first.
var classes = []string{"unverified", "documented", "verified"}

// limits are the parts of an instruction that may lower its class.
var limits = []string{"memory", "guard", "marker", "working_join", "guarded_marker", "a7"}

// exact reads "exact OP" and its body of "[form=ID,ID COND...] -> CLASS WHY..." lines.
func (p *parser) exact(s source) error {
	if len(s.words) != 2 || len(s.body) == 0 {
		return errorf(s.Pos, "want: exact OP and lines of [form=FORMS FIELD=VALUE...] -> CLASS WHY...")
	}
	e := &Exact{Pos: s.Pos, Op: s.words[1]}
	for _, other := range p.d.Exact {
		if other.Op == e.Op {
			return errorf(s.Pos, "exactness of %s is already defined at %s", e.Op, other.Pos)
		}
	}
	for i, b := range s.body {
		l, err := p.exactLine(e, b)
		if err != nil {
			return err
		}
		if always, last := l.Forms == nil, i == len(s.body)-1; always != last {
			return errorf(l.Pos, "the last line of exact %s, and no other, is without a condition", e.Op)
		}
		e.Lines = append(e.Lines, l)
	}
	p.d.Exact = append(p.d.Exact, e)
	return nil
}

func (p *parser) exactLine(e *Exact, s source) (ExactLine, error) {
	l := ExactLine{Pos: s.Pos}
	arrow := slices.Index(s.words, "->")
	if arrow < 0 {
		return l, errorf(s.Pos, "want: [form=FORMS FIELD=VALUE...] -> CLASS WHY...")
	}
	for i, w := range s.words[:arrow] {
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
			if f == nil || f.Op != e.Op {
				return l, errorf(s.Pos, "%s has no form %q", e.Op, id)
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

// checkExact refuses operations of whose exactness nothing is said, and the reverse. A
// description that says nothing at all is complete without.
func (p *parser) checkExact() error {
	if p.d.Exact == nil && p.d.Limits == nil {
		return nil
	}
	said := map[string]bool{}
	for _, e := range p.d.Exact {
		said[e.Op] = true
		if !slices.ContainsFunc(p.d.Forms, func(f *Form) bool { return f.Op == e.Op }) {
			return errorf(e.Pos, "exact %s: there is no such operation", e.Op)
		}
	}
	for _, f := range p.d.Forms {
		if !said[f.Op] {
			return errorf(f.Pos, "nothing says how exact %s is", f.Op)
		}
	}
	if len(p.d.Limits) != len(limits) {
		return errorf(p.d.Forms[0].Pos, "%d limits are defined: want %s", len(p.d.Limits), strings.Join(limits, ", "))
	}
	return nil
}
