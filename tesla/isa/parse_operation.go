package isa

import (
	"slices"
	"strconv"
	"strings"
)

// typ reads "type NAME BYTES WORD [COMMENT...]".
func (p *parser) typ(s source) error {
	if len(s.words) < 4 || len(s.body) > 0 {
		return errorf(s.Pos, "want: type NAME BYTES WORD [COMMENT...]")
	}
	size, err := strconv.Atoi(s.words[2])
	if err != nil || size <= 0 {
		return errorf(s.Pos, "bad size %q of type %s", s.words[2], s.words[1])
	}
	t := Type{s.Pos, s.words[1], size, s.words[3], strings.Join(s.words[4:], " ")}
	for _, old := range p.d.Types {
		if old.Name == t.Name {
			return errorf(s.Pos, "type %s is already defined at %s", t.Name, old.Pos)
		}
	}
	p.d.Types = append(p.d.Types, t)
	return nil
}

// class reads "class NAME COMMENT...".
func (p *parser) class(s source) error {
	c := Class{s.Pos, s.words[1], strings.Join(s.words[2:], " ")}
	if c.Comment == "" || len(s.body) > 0 {
		return errorf(s.Pos, "want: class NAME COMMENT...")
	}
	if p.d.class(c.Name) >= 0 {
		return errorf(s.Pos, "class %s is already defined", c.Name)
	}
	p.d.Classes = append(p.d.Classes, c)
	return nil
}

// class returns the place of a class, -1 if there is none.
func (d *Description) class(name string) int {
	return slices.IndexFunc(d.Classes, func(c Class) bool { return c.Name == name })
}

// flagRules are what flags say of a result: S and Z of its value, and of a sum C and O, too.
var flagRules = []string{"value", "sum"}

// traits are further properties of operations, which the comment of the package explains.
var traits = []string{"coordinates", "components", "lane", "leaves", "polls", "texels"}

// operation reads "operation OP CLASS [data=ROLES] [flags=RULE] [TRAITS...]" and its body.
func (p *parser) operation(s source) error {
	if len(s.words) < 3 {
		return errorf(s.Pos, "want: operation OP CLASS [data=ROLES] [flags=RULE] [TRAITS...]")
	}
	o := Operation{Pos: s.Pos, Op: s.words[1], Class: s.words[2]}
	if p.d.class(o.Class) < 0 {
		return errorf(s.Pos, "unknown class %q", o.Class)
	}
	for _, old := range p.d.Operations {
		if old.Op == o.Op {
			return errorf(s.Pos, "operation %s is already defined at %s", o.Op, old.Pos)
		}
	}
	for _, w := range s.words[3:] {
		name, value, _ := strings.Cut(w, "=")
		switch {
		case name == "data":
			o.Data = strings.Split(value, ",")
		case name == "flags" && slices.Contains(flagRules, value):
			o.Flags = value
		case slices.Contains(traits, w):
			o.Traits = append(o.Traits, w)
		default:
			return errorf(s.Pos, "unknown attribute %q of an operation", w)
		}
	}
	for _, b := range s.body {
		if err := p.operationLine(&o, b); err != nil {
			return err
		}
	}
	if o.Sass.Name == "" && o.Sass.Funcs == nil || o.Exact == nil {
		return errorf(s.Pos, "operation %s needs sass and exact", o.Op)
	}
	for i, l := range o.Exact {
		if always, last := l.Forms == nil, i == len(o.Exact)-1; always != last {
			return errorf(l.Pos, "the last line of exact, and no other, is without a condition")
		}
	}
	p.d.Operations = append(p.d.Operations, o)
	return nil
}

func (p *parser) operationLine(o *Operation, s source) error {
	switch s.words[0] {
	case "sass":
		return o.Sass.read(s)
	case "exact":
		l, err := p.exactLine(o.Op, s)
		o.Exact = append(o.Exact, l)
		return err
	}
	return errorf(s.Pos, "unknown part %q of an operation", s.words[0])
}

// read reads "sass NAME|by=FUNC [sized] [flags] [late] [modifiers=FUNC] [operands=FUNC]".
func (x *Sass) read(s source) error {
	for _, w := range s.words[1:] {
		role, function, ok := strings.Cut(w, "=")
		switch {
		case ok && slices.Contains([]string{"by", "modifiers", "operands"}, role):
			x.Funcs = append(x.Funcs, Attr{role, function})
		case slices.Contains([]string{"sized", "flags", "late"}, w):
			x.Flags = append(x.Flags, w)
		case !ok && x.Name == "":
			x.Name = w
		default:
			return errorf(s.Pos, "unknown attribute %q of sass", w)
		}
	}
	return nil
}

// checkOperations refuses operations without forms and forms without operations. A description
// without operations and limits is complete.
func (p *parser) checkOperations() error {
	if p.d.Operations == nil && p.d.Limits == nil {
		return nil
	}
	said := map[string]bool{}
	for _, o := range p.d.Operations {
		said[o.Op] = true
		forms := p.d.FormsOf(o.Op)
		if len(forms) == 0 {
			return errorf(o.Pos, "operation %s has no form", o.Op)
		}
		for _, role := range o.Data {
			if !slices.ContainsFunc(forms, func(f *Form) bool { return f.has(role) }) {
				return errorf(o.Pos, "operation %s has no source %q", o.Op, role)
			}
		}
	}
	for _, f := range p.d.Forms {
		if !said[f.Op] {
			return errorf(f.Pos, "nothing says what operation %s does", f.Op)
		}
	}
	if len(p.d.Limits) != len(limits) {
		return errorf(p.d.Forms[0].Pos, "%d limits are defined: want %s", len(p.d.Limits), strings.Join(limits, ", "))
	}
	slices.SortFunc(p.d.Operations, func(a, b Operation) int { return strings.Compare(a.Op, b.Op) })
	return nil
}

// FormsOf returns the forms of an operation.
func (d *Description) FormsOf(op string) []*Form {
	var list []*Form
	for _, f := range d.Forms {
		if f.Op == op {
			list = append(list, f)
		}
	}
	return list
}

// Immediate returns the role of the source that an operation has as a number of up to 32 bits in the
// format imm, "" if it has none.
func (d *Description) Immediate(op string) string {
	for _, f := range d.FormsOf(op) {
		for _, p := range f.Pieces() {
			if f.Format.Name == "imm" && p.Operand != nil && strings.HasPrefix(p.Operand.Name, "IMM") {
				return p.Role
			}
		}
	}
	return ""
}

// Accumulates reports whether the destination of a form of an operation is its last source, too.
func (d *Description) Accumulates(op string) bool {
	return slices.ContainsFunc(d.FormsOf(op), func(f *Form) bool {
		dst, last := f.operand("dst"), f.operand("2")
		return dst != nil && dst == last
	})
}

// Short reports whether an operation has forms of 4 bytes that may stand in pairs.
func (d *Description) Short(op string) bool {
	return slices.ContainsFunc(d.FormsOf(op), func(f *Form) bool { return f.Format.Name == "short" })
}

// Guarded reports whether a form of an operation obeys a guard.
func (d *Description) Guarded(o *Operation) bool {
	obeys := func(f *Form) bool { return f.has("guard") }
	return !slices.Contains(o.Traits, "polls") && slices.ContainsFunc(d.FormsOf(o.Op), obeys)
}

// operand returns the operand with the role, nil if there is none.
func (f *Form) operand(role string) *Operand {
	for _, p := range f.Pieces() {
		if p.Operand != nil && p.Role == role {
			return p.Operand
		}
	}
	return nil
}

// has reports whether the form has an operand with the role.
func (f *Form) has(role string) bool {
	return f.operand(role) != nil
}
