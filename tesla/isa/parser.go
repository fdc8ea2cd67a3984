package isa

import (
	"slices"
	"strconv"
	"strings"
)

// parser holds the definitions so far, by name.
type parser struct {
	d        Description
	fields   map[string]*Field
	formats  map[string]*Format
	mods     map[string]*Mod
	operands map[string]*Operand // by "name format"
	forms    map[string]*Form
	prefixes []prefix
	used     map[any]bool // definitions in use
}

// prefix is the prefix of a format, to be read once operands are known.
type prefix struct {
	Pos
	format *Format
	words  []string
}

// field reads "field NAME BITS...", BITS being wN.HI-LO or wN.BIT.
func (p *parser) field(s source) error {
	f := &Field{Pos: s.Pos, Name: s.words[1]}
	if p.fields[f.Name] != nil {
		return errorf(s.Pos, "field %s is already defined at %s", f.Name, p.fields[f.Name].Pos)
	}
	if len(s.words) < 3 || len(s.body) > 0 {
		return errorf(s.Pos, "want: field NAME BITS...")
	}
	for _, w := range s.words[2:] {
		b, err := readBits(s.Pos, w)
		if err != nil {
			return err
		}
		if f.Mask()&b.mask() != 0 {
			return errorf(s.Pos, "field %s uses %s twice", f.Name, w)
		}
		f.Parts = append(f.Parts, b)
	}
	if f.Width() > 32 {
		return errorf(s.Pos, "field %s is wider than 32 bits", f.Name)
	}
	p.fields[f.Name] = f
	p.d.Fields = append(p.d.Fields, f)
	return nil
}

// readBits reads "w1.31-29" or "w0.8".
func readBits(at Pos, s string) (Bits, error) {
	word, span, ok := strings.Cut(s, ".")
	if !ok || (word != "w0" && word != "w1") {
		return Bits{}, errorf(at, "bad bits %q: want w0.HI-LO or w1.BIT", s)
	}
	hiText, loText, ok := strings.Cut(span, "-")
	if !ok {
		loText = hiText
	}
	hi, err1 := strconv.Atoi(hiText)
	lo, err2 := strconv.Atoi(loText)
	if err1 != nil || err2 != nil || lo < 0 || hi < lo || hi > 31 {
		return Bits{}, errorf(at, "bad bits %q: want w0.HI-LO or w1.BIT", s)
	}
	if word == "w1" {
		lo += 32
		hi += 32
	}
	return Bits{Low: lo, Width: hi - lo + 1}, nil
}

// format reads "format NAME SIZE [over=FORMAT] COND... [prefix PIECE...]".
func (p *parser) format(s source) error {
	f := &Format{Pos: s.Pos, Name: s.words[1]}
	if p.formats[f.Name] != nil {
		return errorf(s.Pos, "format %s is already defined at %s", f.Name, p.formats[f.Name].Pos)
	}
	if len(s.words) < 4 || len(s.body) > 0 || (s.words[2] != "4" && s.words[2] != "8") {
		return errorf(s.Pos, "want: format NAME 4|8 [over=FORMAT] FIELD=VALUE... [prefix PIECE...]")
	}
	f.Size = int(s.words[2][0] - '0')
	rest := s.words[3:]
	if i := slices.Index(rest, "prefix"); i >= 0 {
		// The pieces refer to modifiers and operands, which are read later.
		p.prefixes = append(p.prefixes, prefix{s.Pos, f, rest[i+1:]})
		rest = rest[:i]
	}
	for _, w := range rest {
		if name, ok := strings.CutPrefix(w, "over="); ok {
			f.Over = name
			continue
		}
		c, err := p.cond(s.Pos, w, true)
		if err != nil {
			return err
		}
		f.Conds = append(f.Conds, c)
	}
	p.formats[f.Name] = f
	p.d.Formats = append(p.d.Formats, f)
	return nil
}

// maxRange is the greatest width of a field with a range in a condition: its values then fit a set
// of 64 bits.
const maxRange = 6

// cond reads FIELD=VALUES, VALUES being numbers and ranges A..B joined by commas.
func (p *parser) cond(at Pos, s string, single bool) (Cond, error) {
	name, list, ok := strings.Cut(s, "=")
	if !ok {
		return Cond{}, errorf(at, "bad condition %q: want FIELD=VALUE", s)
	}
	f := p.fields[name]
	if f == nil {
		return Cond{}, errorf(at, "unknown field %q", name)
	}
	p.used[f] = true
	c := Cond{Field: f}
	for _, part := range strings.Split(list, ",") {
		lowText, highText, isRange := strings.Cut(part, "..")
		if !isRange {
			highText = lowText
		}
		low, err1 := strconv.ParseUint(lowText, 0, 32)
		high, err2 := strconv.ParseUint(highText, 0, 32)
		if err1 != nil || err2 != nil || high < low {
			return Cond{}, errorf(at, "bad value %q in condition %q", part, s)
		}
		if high > low && f.Width() > maxRange {
			return Cond{}, errorf(at, "range %q on a field of more than %d bits", part, maxRange)
		}
		if high >= 1<<f.Width() {
			return Cond{}, errorf(at, "value %d does not fit field %s of %d bits", high, name, f.Width())
		}
		for v := low; v <= high; v++ {
			c.Values = append(c.Values, v)
		}
	}
	if single && len(c.Values) != 1 {
		return Cond{}, errorf(at, "condition %q must have one value here", s)
	}
	return c, nil
}

// conds reads conditions up to the first word that is not one.
func (p *parser) conds(at Pos, words []string) ([]Cond, []string, error) {
	var out []Cond
	for len(words) > 0 && strings.Contains(words[0], "=") {
		c, err := p.cond(at, words[0], false)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, c)
		words = words[1:]
	}
	return out, words, nil
}

// archs reads the name of a set of architectures.
func archs(s string) (ArchSet, bool) {
	sets := map[string]ArchSet{
		"sm_10+": 0b1111,
		"sm_11+": 0b1110,
		"sm_12+": 0b1100,
		"sm_13":  0b1000,
		"gt21x":  0b0100,
	}
	a, ok := sets[s]
	return a, ok
}
