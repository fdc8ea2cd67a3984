package isa

import (
	"slices"
	"strconv"
	"strings"
)

// operandKinds lists the arguments each kind of operand takes, field-valued
// unless a number is given in the description.
var operandKinds = map[string][]string{
	"none":    nil,
	"invalid": nil,
	"discard": nil,
	"reg":     {"n"},
	"half":    {"n"},
	"pair":    {"n"},
	"quad":    {"n"},
	"condreg": {"n"},
	"addrreg": {"n"},
	"special": {"n"},
	"imm":     {"n", "bits"},
	"guard":   {"cond", "reg"},
	"shared":  {"off", "base", "inc"},
	"const":   {"bank", "off", "base", "inc"},
	"local":   {"off", "base", "inc"},
	"global":  {"window", "reg"},
	"output":  {"off", "unit", "base"},
}

var operandSlots = []string{"dest", "source1", "source2", "source3", "control"}

// operand reads "operand NAME SLOT FORMAT,... [untyped]" and its lines.
func (p *parser) operand(s source) error {
	if len(s.words) < 4 {
		return errorf(s.Pos, "want: operand NAME SLOT FORMAT,... [untyped]")
	}
	o := &Operand{Pos: s.Pos, Name: s.words[1], Slot: s.words[2]}
	if !slices.Contains(operandSlots, o.Slot) {
		return errorf(s.Pos, "unknown slot %q: want one of %s", o.Slot, strings.Join(operandSlots, ", "))
	}
	for _, w := range s.words[4:] {
		if w != "untyped" {
			return errorf(s.Pos, "unknown attribute %q of an operand", w)
		}
		o.Untyped = true
	}
	for _, b := range s.body {
		l, err := p.operandLine(b)
		if err != nil {
			return err
		}
		o.Lines = append(o.Lines, l)
	}
	if len(o.Lines) == 0 {
		return errorf(s.Pos, "operand %s has no lines", o.Name)
	}
	for _, name := range strings.Split(s.words[3], ",") {
		f := p.formats[name]
		if f == nil {
			return errorf(s.Pos, "unknown format %q", name)
		}
		key := o.Name + " " + name
		if old := p.operands[key]; old != nil {
			return errorf(s.Pos, "operand %s is already defined for format %s at %s", o.Name, name, old.Pos)
		}
		p.operands[key] = o
		o.Formats = append(o.Formats, f)
	}
	p.d.Operands = append(p.d.Operands, o)
	return nil
}

// operandLine reads "COND... -> KIND [TYPE] ARG=FIELD... FLAG..." or "COND... -> OPERAND".
func (p *parser) operandLine(s source) (Line, error) {
	l := Line{Pos: s.Pos, Field: map[string]*Field{}, Const: map[string]uint64{}, Flags: map[string]bool{}}
	conds, words, err := p.conds(s.Pos, s.words)
	if err != nil {
		return l, err
	}
	if len(words) < 2 || words[0] != "->" {
		return l, errorf(s.Pos, "want: COND... -> KIND ARGUMENT...")
	}
	l.Conds = conds
	l.Kind = words[1]
	args, ok := operandKinds[l.Kind]
	if !ok {
		l.use = l.Kind
		if len(words) > 2 {
			return l, errorf(s.Pos, "unknown operand kind %q", l.Kind)
		}
		return l, nil
	}
	for _, w := range words[2:] {
		key, value, isArg := strings.Cut(w, "=")
		switch {
		case isArg && !slices.Contains(args, key):
			return l, errorf(s.Pos, "operand kind %s has no argument %q", l.Kind, key)
		case isArg:
			if v, err := strconv.ParseUint(value, 0, 16); err == nil {
				l.Const[key] = v
			} else if f := p.fields[value]; f != nil {
				l.Field[key] = f
				p.used[f] = true
			} else {
				return l, errorf(s.Pos, "unknown field %q", value)
			}
		case w == "signed" || w == "bytes":
			l.Flags[w] = true
		case (l.Kind == "shared" || l.Kind == "const") && l.Type == "":
			l.Type = w
		default:
			return l, errorf(s.Pos, "unknown word %q", w)
		}
	}
	if len(args) > 0 && l.Field[args[0]] == nil && l.Const[args[0]] == 0 && l.Kind != "condreg" {
		return l, errorf(s.Pos, "operand kind %s needs %s=", l.Kind, args[0])
	}
	return l, nil
}

// resolve replaces lines that name another operand by that operand's lines and
// reads the prefixes of the formats.
func (p *parser) resolve() error {
	for _, o := range p.d.Operands {
		lines, err := p.expand(o, o.Formats[0], 0)
		if err != nil {
			return err
		}
		o.Lines = lines
	}
	for _, x := range p.prefixes {
		pieces, err := p.pieces(x.Pos, x.format, x.words)
		if err != nil {
			return err
		}
		x.format.Prefix = pieces
	}
	return nil
}

// maxDepth and maxLines bound what operands made of operands may grow to.
const (
	maxDepth = 4
	maxLines = 64
)

func (p *parser) expand(o *Operand, f *Format, depth int) ([]Line, error) {
	var out []Line
	for _, l := range o.Lines {
		if l.use == "" {
			out = append(out, l)
			continue
		}
		used := p.operands[l.use+" "+f.Name]
		if used == nil {
			return nil, errorf(l.Pos, "unknown operand or kind %q for format %s", l.use, f.Name)
		}
		p.used[used] = true
		if depth == maxDepth {
			return nil, errorf(l.Pos, "operand %s is too deep or has too many lines", o.Name)
		}
		lines, err := p.expand(used, f, depth+1)
		if err != nil {
			return nil, err
		}
		for _, u := range lines {
			u.Conds = append(slices.Clone(l.Conds), u.Conds...)
			out = append(out, u)
		}
		if len(out) > maxLines {
			return nil, errorf(l.Pos, "operand %s is too deep or has too many lines", o.Name)
		}
	}
	return out, nil
}
