package isa

import (
	"bufio"
	"io"
	"io/fs"
	"sort"
	"strings"
)

// source is one logical line of a description with the indented lines below it.
type source struct {
	Pos
	words []string
	body  []source
}

// ParseFS reads every .isa file of fsys, in order of name, and returns the
// checked description. Errors are of type *Error and name file and line.
func ParseFS(fsys fs.FS) (*Description, error) {
	names, err := fs.Glob(fsys, "*.isa")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var all []source
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		lines, err := readLines(name, strings.NewReader(string(text)))
		if err != nil {
			return nil, err
		}
		all = append(all, lines...)
	}
	return build(all)
}

// Parse reads a description from one text; name is used in errors.
func Parse(name, text string) (*Description, error) {
	lines, err := readLines(name, strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	return build(lines)
}

// build turns lines into a description and checks it. Definitions may be in any
// order across files, so each kind is read before the kinds that refer to it.
func build(lines []source) (*Description, error) {
	p := &parser{
		fields:   map[string]*Field{},
		formats:  map[string]*Format{},
		mods:     map[string]*Mod{},
		operands: map[string]*Operand{},
		forms:    map[string]*Form{},
		used:     map[any]bool{},
	}
	passes := []struct {
		keyword string
		read    func(source) error
	}{
		{"type", p.typ},
		{"class", p.class},
		{"field", p.field},
		{"format", p.format},
		{"mod", p.mod},
		{"operand", p.operand},
		{"form", p.form},
		{"operation", p.operation},
		{"limit", p.limit},
	}
	known := map[string]bool{}
	for _, pass := range passes {
		known[pass.keyword] = true
	}
	for _, l := range lines {
		if !known[l.words[0]] {
			return nil, errorf(l.Pos, "unknown keyword %q: want type, class, field, format, mod, operand, form, operation or limit", l.words[0])
		}
		if len(l.words) < 2 {
			return nil, errorf(l.Pos, "%s without a name", l.words[0])
		}
	}
	for _, pass := range passes {
		for _, l := range lines {
			if l.words[0] != pass.keyword {
				continue
			}
			if err := pass.read(l); err != nil {
				return nil, err
			}
		}
		if pass.keyword == "operand" {
			if err := p.resolve(); err != nil {
				return nil, err
			}
		}
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	return &p.d, nil
}

// readLines splits a text into logical lines: blank ones and comments are
// dropped, indented ones belong to the line above.
func readLines(name string, r io.Reader) ([]source, error) {
	var out []source
	scan := bufio.NewScanner(r)
	n := 1
	for ; scan.Scan(); n++ {
		text, _, _ := strings.Cut(scan.Text(), "#")
		words := strings.Fields(text)
		if strings.HasPrefix(strings.TrimSpace(scan.Text()), "#") || len(words) == 0 {
			continue
		}
		l := source{Pos: Pos{name, n}, words: words}
		if text[0] != ' ' && text[0] != '\t' {
			out = append(out, l)
			continue
		}
		if len(out) == 0 {
			return nil, errorf(l.Pos, "indented line without a line to belong to")
		}
		last := &out[len(out)-1]
		last.body = append(last.body, l)
	}
	if err := scan.Err(); err != nil {
		return nil, errorf(Pos{name, n}, "%s", err)
	}
	return out, nil
}
