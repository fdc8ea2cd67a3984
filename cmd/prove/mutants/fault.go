package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// fault is one change of one file.
type fault struct {
	Package string  `json:"package"`
	File    string  `json:"file"` // from the module's root
	Line    int     `json:"line"`
	Kind    kind    `json:"kind"`
	Old     string  `json:"old"` // the text that New replaces
	New     string  `json:"new"`
	Outcome outcome `json:"outcome"`
	By      string  `json:"by,omitempty"` // the package whose tests detected it
	Seconds float64 `json:"seconds"`      // of the tests

	path     string // of the file
	from, to int    // bytes of the file that change
}

// kind is the kind of code that a fault changes.
type kind string

// The kinds of faults.
const (
	condition  kind = "condition"  // the opposite, or a part of the condition
	boundary   kind = "boundary"   // one more or one less passes
	arithmetic kind = "arithmetic" // another operator
	constant   kind = "constant"   // one more, or the opposite
	ignored    kind = "error"      // nil is returned instead
	missing    kind = "statement"  // left out
)

func (f *fault) place() string { return fmt.Sprintf("%s:%d", f.File, f.Line) }

// String describes the fault in one line.
func (f *fault) String() string {
	s := fmt.Sprintf("%s: %s: %s", f.place(), f.Kind, brief(f.Old))
	if f.New != "" {
		s += " becomes " + brief(f.New)
	}
	switch {
	case f.By != "":
		s += fmt.Sprintf(": %s, by %s", f.Outcome, f.By)
	case f.Outcome != "":
		s += ": " + string(f.Outcome)
	}
	return s
}

// brief returns a text on one line, truncated if long.
func brief(text string) string {
	const most = 60
	s := strings.Join(strings.Fields(text), " ")
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return s
}

// change returns the file's text with the fault. Line numbers stay the same.
func (f *fault) change(text []byte) []byte {
	changed := append([]byte{}, text[:f.from]...)
	changed = append(changed, f.New...)
	changed = append(changed, strings.Repeat("\n", strings.Count(f.Old, "\n"))...)
	return append(changed, text[f.to:]...)
}

// finder collects the faults of a file.
type finder struct {
	file   *token.File
	name   string
	text   []byte
	faults []*fault
}

// faultsOf returns the possible faults of a file.
func faultsOf(name string, text []byte) ([]*fault, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &finder{file: set.File(parsed.FileStart), name: name, text: text}
	for _, d := range parsed.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, f.visit)
	}
	return f.faults, nil
}

// replace notes the fault that replaces the text in [from, to) by by.
func (f *finder) replace(k kind, from, to token.Pos, by string) {
	a, b := f.file.Offset(from), f.file.Offset(to)
	f.faults = append(f.faults, &fault{
		File: f.name, Line: f.file.Line(from), Kind: k,
		Old: string(f.text[a:b]), New: by, from: a, to: b,
	})
}
