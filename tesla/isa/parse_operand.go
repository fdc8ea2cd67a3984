package isa

import (
	"slices"
	"strconv"
	"strings"
)

// operandKind lists the arguments of a kind of operand, fields or numbers, and whether it has an
// access type.
type operandKind struct {
	required, optional []string
	typed              bool
}

var operandKinds = map[string]operandKind{
	"none":    {},
	"invalid": {},
	"discard": {},
	"reg":     {required: []string{"n"}},
	"half":    {required: []string{"n"}},
	"pair":    {required: []string{"n"}},
	"quad":    {required: []string{"n"}},
	"condreg": {required: []string{"n"}},
	"addrreg": {required: []string{"n"}},
	"special": {required: []string{"n"}},
	"imm":     {required: []string{"n"}, optional: []string{"bits"}},
	"guard":   {required: []string{"cond"}, optional: []string{"reg"}},
	"shared":  {required: []string{"off"}, optional: []string{"base", "inc"}, typed: true},
	"const":   {required: []string{"bank", "off"}, optional: []string{"base", "inc"}, typed: true},
	"local":   {required: []string{"off"}, optional: []string{"base", "inc"}},
	"global":  {required: []string{"window", "reg"}},
	"output":  {required: []string{"off", "unit"}, optional: []string{"base"}},
}

// numericArgs are the arguments that may be numbers instead of fields.
var numericArgs = []string{"n", "bits", "unit"}

// accessTypes are the types of operands in memory.
var accessTypes = []string{"U8", "U16", "S16", "B16", "B32"}

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
	kind, ok := operandKinds[l.Kind]
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
		case isArg && !slices.Contains(kind.required, key) && !slices.Contains(kind.optional, key):
			return l, errorf(s.Pos, "operand kind %s has no argument %q", l.Kind, key)
		case isArg && key == "cond":
			piece, err := p.condition(s.Pos, value)
			if err != nil {
				return l, err
			}
			l.Field[key], l.Cond = piece.Field, piece.Mod
		case isArg:
			v, err := strconv.ParseUint(value, 0, 16)
			f := p.fields[value]
			switch {
			case err == nil && slices.Contains(numericArgs, key):
				l.Const[key] = v
			case f == nil:
				return l, errorf(s.Pos, "unknown field %q", value)
			default:
				l.Field[key] = f
				p.used[f] = true
			}
		case w == "signed" || w == "bytes":
			l.Flags[w] = true
		case kind.typed && slices.Contains(accessTypes, w):
			l.Type = w
		default:
			return l, errorf(s.Pos, "unknown word %q", w)
		}
	}
	for _, key := range kind.required {
		if _, isNumber := l.Const[key]; !isNumber && l.Field[key] == nil {
			return l, errorf(s.Pos, "operand kind %s needs %s=", l.Kind, key)
		}
	}
	if kind.typed && l.Type == "" {
		return l, errorf(s.Pos, "operand kind %s needs an access type", l.Kind)
	}
	return l, nil
}

// condition reads the MOD@FIELD of a guard.
func (p *parser) condition(at Pos, s string) (Piece, error) {
	name, field, ok := strings.Cut(s, "@")
	if !ok || p.mods[name] == nil || p.mods[name].Rows == nil {
		return Piece{}, errorf(at, "bad condition %q of a guard: want MOD@FIELD", s)
	}
	return p.modPiece(at, p.mods[name], field, "")
}

// resolve replaces lines that name another operand by that operand's lines, and reads the prefixes
// of the formats.
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

// maxDepth and maxLines bound operands made of operands.
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
