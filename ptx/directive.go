package ptx

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// directive reads a directive outside of functions.
func (p *parser) directive() {
	if p.tok.kind == ';' {
		p.next()
		return
	}
	if p.tok.kind != tokWord {
		p.want("a directive such as .entry, .func or .global")
		return
	}
	start := p.tok
	linkage := p.linkage()
	word := p.tok
	switch word.text {
	case "entry", "func":
		p.function(linkage)
		return
	case "version", "target", "address_size", "file", "loc", "section", "pragma", "alias":
		if linkage != Private {
			p.want(".entry, .func or a state space")
			return
		}
		p.header(word)
		return
	}
	switch space, ok := p.space(); {
	case ok && space == Reg:
		p.moduleRegisters(start.pos)
		return
	case ok && space != Param:
		p.globals(start.pos, linkage, space)
		return
	}
	p.want("a directive such as .entry, .func or .global")
}

// linkage reads .visible, .extern, .weak and .common.
func (p *parser) linkage() Linkage {
	linkage := Private
	for p.tok.kind == tokWord {
		found := Private
		for l, text := range linkNames {
			if text == p.tok.text {
				found = Linkage(l)
			}
		}
		if found == Private {
			break
		}
		if linkage == Private || linkage == Visible {
			linkage = found
		}
		p.next()
	}
	return linkage
}

// space reads a state space and, of .const[2], the bank. It reports false at another word.
func (p *parser) space() (Space, bool) {
	if p.tok.kind != tokWord {
		return Generic, false
	}
	for s := Reg; s <= Tex; s++ {
		if spaceNames[s] == p.tok.text {
			p.next()
			return s, true
		}
	}
	return Generic, false
}

// header reads a directive that declares nothing.
func (p *parser) header(word token) {
	p.next()
	switch word.text {
	case "version":
		p.version(word)
	case "target":
		p.target()
	case "address_size":
		p.addressSize()
	case "file":
		p.file()
	case "loc":
		p.loc(word.pos)
	case "section":
		p.section()
	case "pragma":
		p.pragma()
	case "alias":
		p.alias(word.pos)
	}
}

func (p *parser) addressSize() {
	t := p.tok
	c := p.expression()
	if p.bad {
		return
	}
	if c.bits != 32 && c.bits != 64 || c.isFloat() {
		p.errorAt(t.pos, "found %s; an address has 32 or 64 bits", t.describe())
		return
	}
	if v := p.m.Version; v.Major < 2 || v.Major == 2 && v.Minor < 3 {
		p.errorAt(t.pos, ".address_size needs .version 2.3; the module has %d.%d", v.Major, v.Minor)
	}
	p.m.AddressBits = int(c.bits)
}

// file reads the number and the path of a source, and drops its time and size.
func (p *parser) file() {
	number := p.count("a file's number")
	if p.tok.kind != tokString {
		p.want("a path in quotes")
		return
	}
	p.m.Files = append(p.m.Files, File{number, p.tok.text})
	p.next()
	for p.accept(',') {
		p.expression()
	}
}

// count reads an integer from 0 to 2^31-1.
func (p *parser) count(what string) int {
	t := p.tok
	if t.kind != tokInt && t.kind != '(' && t.kind != '-' && t.kind != tokIdent {
		p.want(what)
		return 0
	}
	c := p.expression()
	if c.isFloat() || c.bits > 1<<31-1 {
		p.errorAt(t.pos, "found %s; expected %s from 0 to 2147483647", t.describe(), what)
		return 0
	}
	return int(c.bits)
}

// loc reads the place of a source line, and the call that it is inlined from.
func (p *parser) loc(pos Pos) *Loc {
	l := &Loc{Pos: pos}
	l.File, l.Line, l.Column = sourcePlace(p)
	for p.accept(',') {
		switch word := p.ident("function_name or inlined_at"); word.text {
		case "function_name":
			l.Function = p.ident("a label").text
			if p.accept('+') {
				l.Addend = p.count("an offset")
			}
		case "inlined_at":
			call := &Call{}
			call.File, call.Line, call.Column = sourcePlace(p)
			l.Call = call
		default:
			p.failAt(word.pos, "found %s; expected function_name or inlined_at", word.describe())
		}
	}
	return l
}

// sourcePlace reads the numbers of a file, a line and a column.
func sourcePlace(p *parser) (file, line, column int) {
	return p.count("a file's number"), p.count("a line"), p.count("a column")
}

// section reads a section. One whose content is of another form is passed over: no code depends on
// it.
func (p *parser) section() {
	s := &Section{Pos: p.tok.pos, Name: p.tok.text}
	for p.tok.kind == tokWord || p.tok.kind == tokIdent || p.tok.kind == tokString {
		p.next()
	}
	p.expect('{')
	depth, known := p.depth, true
	for known && p.tok.kind != '}' {
		known = s.line(p)
	}
	if known && !p.bad {
		p.m.Sections = append(p.m.Sections, s)
	}
	for ; p.tok.kind != tokEOF && !p.bad; p.next() {
		if p.tok.kind == '}' && p.depth <= depth {
			break
		}
	}
	p.expect('}')
}

// line reads a label, or numbers of a width. It reports false for anything else.
func (s *Section) line(p *parser) bool {
	t := p.tok
	if p.next(); t.kind == tokIdent {
		s.Labels = append(s.Labels, SectionLabel{t.text, len(s.Data)})
		return p.accept(':')
	}
	bits, ok := map[string]int{"b8": 8, "b16": 16, "b32": 32, "b64": 64}[t.text]
	if t.kind != tokWord || !ok {
		return false
	}
	for {
		if !s.number(p, bits/8) {
			return false
		}
		if !p.accept(',') {
			return true
		}
	}
}

// number reads a number, or a sum of names and numbers.
func (s *Section) number(p *parser, bytes int) bool {
	r := SectionRef{Offset: len(s.Data), Bytes: bytes}
	for more := true; more; more = p.tok.kind == '+' || p.tok.kind == '-' {
		minus := p.accept('-')
		if !minus {
			p.accept('+')
		}
		if t := p.tok; !r.add(t, minus) {
			return false
		}
		p.next()
	}
	value := uint64(r.Addend)
	if r.Of != "" || r.Less != "" {
		s.Refs, value = append(s.Refs, r), 0
	}
	s.Data = append(s.Data, binary.LittleEndian.AppendUint64(nil, value)[:bytes]...)
	return true
}

// add adds a name or a number to a sum, or subtracts it.
func (r *SectionRef) add(t token, minus bool) bool {
	name := t.text
	switch t.kind {
	case tokInt:
		v, err := strconv.ParseUint(strings.TrimRight(t.text, "uU"), 0, 64)
		if minus {
			v = -v
		}
		r.Addend += int64(v)
		return err == nil
	case tokWord:
		name = "." + name
	case tokIdent:
	default:
		return false
	}
	to := &r.Of
	if minus {
		to = &r.Less
	}
	if *to != "" {
		return false
	}
	*to = name
	return true
}

// pragma reads strings and the semicolon.
func (p *parser) pragma() {
	for {
		if p.tok.kind != tokString {
			p.want("a pragma in quotes")
			return
		}
		p.next()
		if !p.accept(',') {
			break
		}
	}
	p.expect(';')
}

func (p *parser) alias(pos Pos) {
	name := p.ident("a name")
	p.expect(',')
	of := p.ident("a function")
	p.expect(';')
	if p.bad {
		return
	}
	t, _ := p.find(of.text)
	if t.f == nil {
		p.unknown(of, "function")
		return
	}
	a := &Alias{Pos: pos, Name: name.text, Of: t.f}
	p.m.Items = append(p.m.Items, a)
	if old, ok := p.names.find(name.text); !ok {
		p.names.add(name.text, t)
	} else if old.f == nil {
		p.errorAt(name.pos, "%s is a variable", name.describe())
	}
}
