package study

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Error is a mistake in a study file.
type Error struct {
	Path    string
	Line    int // from 1; 0 if the mistake has no place
	Column  int
	Problem string
}

// Error names file, line and column.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.Problem)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Problem)
}

// source is the text of a study file, with the places of its keys.
type source struct {
	path   string
	places map[string]unstable.Position // by key, as run[0].matrix.policy
}

// newSource finds the keys of a text that is valid TOML.
func newSource(path string, text []byte) *source {
	s := &source{path, map[string]unstable.Position{}}
	var p unstable.Parser
	p.Reset(text)
	table, lists := "", map[string]int{}
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table:
			table = s.note(&p, "", e)
		case unstable.ArrayTable:
			key := s.note(&p, "", e)
			table = fmt.Sprintf("%s[%d]", key, lists[key])
			lists[key]++
			s.note(&p, table, nil)
			s.places[table] = s.places[key]
		case unstable.KeyValue:
			s.value(&p, table, e)
		}
	}
	return s
}

// value notes a key and, if its value is a table on one line, the keys in it.
func (s *source) value(p *unstable.Parser, table string, e *unstable.Node) {
	key := s.note(p, table, e)
	if v := e.Value(); v.Kind == unstable.InlineTable {
		for i := v.Children(); i.Next(); {
			s.value(p, key, i.Node())
		}
	}
}

// note records the place of a key in a table and returns the key prefixed with the table's.
func (s *source) note(p *unstable.Parser, table string, e *unstable.Node) string {
	if e == nil {
		return table
	}
	var parts []string
	if table != "" {
		parts = append(parts, table)
	}
	first := true
	var at unstable.Position
	for i := e.Key(); i.Next(); first = false {
		if first {
			at = p.Shape(i.Node().Raw).Start
		}
		parts = append(parts, string(i.Node().Data))
	}
	key := strings.Join(parts, ".")
	s.places[key] = at
	return key
}

// wrong returns an Error at a key, or at the nearest table around it that the file has.
func (s *source) wrong(key, format string, args ...any) error {
	e := &Error{Path: s.path, Problem: fmt.Sprintf(format, args...)}
	for {
		if at, ok := s.places[key]; ok {
			e.Line, e.Column = at.Line, at.Column
			return e
		}
		dot := strings.LastIndexByte(key, '.')
		if dot < 0 {
			return e
		}
		key = key[:dot]
	}
}

// explain converts an error of the decoder.
func explain(path string, err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := &unknown.Errors[0]
		line, column := first.Position()
		return &Error{path, line, column, fmt.Sprintf("unknown key %s", strings.Join(first.Key(), "."))}
	}
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		line, column := bad.Position()
		return &Error{path, line, column, strings.TrimPrefix(bad.Error(), "toml: ")}
	}
	return &Error{Path: path, Problem: strings.TrimPrefix(err.Error(), "toml: ")}
}
