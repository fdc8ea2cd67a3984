package cubin

import (
	"bytes"
	"fmt"
	"strings"
)

const blanks = " \t\r\n\v\f"

// token is a word, a brace or an equals sign; its text is "" at the end of the data.
type token struct {
	text   string
	line   int
	offset int
}

// isWord reports whether t is a name or number, not punctuation or the end.
func (t token) isWord() bool { return t.text != "" && !strings.Contains("{}=", t.text) }

// lexer cuts a text cubin into tokens. A line end is only white space: real files spread a block
// over many lines or put everything on one.
type lexer struct {
	data   []byte
	offset int
	line   int
}

// newLexer ends the data at its first NUL: copies embedded in programs are padded with NULs.
func newLexer(data []byte) *lexer {
	if end := bytes.IndexByte(data, 0); end >= 0 {
		data = data[:end]
	}
	return &lexer{data: data, line: 1}
}

func (l *lexer) next() (token, error) {
	for l.offset < len(l.data) && strings.IndexByte(blanks, l.data[l.offset]) >= 0 {
		if l.data[l.offset] == '\n' {
			l.line++
		}
		l.offset++
	}
	start := l.offset
	for l.offset < len(l.data) {
		c := l.data[l.offset]
		if c == '{' || c == '}' || c == '=' {
			if l.offset == start {
				l.offset++
			}
			break
		}
		if c <= ' ' && strings.IndexByte(blanks, c) >= 0 {
			break
		}
		if c <= ' ' || c >= 0x7f {
			return token{}, errorAt(token{string(l.data[start : l.offset+1]), l.line, start}, "byte 0x%02x is not printable ASCII", c)
		}
		l.offset++
	}
	return token{string(l.data[start:l.offset]), l.line, start}, nil
}

// ParseError describes a mistake in a text cubin, with its place.
type ParseError struct {
	Line    int    // from 1
	Offset  int    // byte offset: files written as one line have no other address
	Token   string // the offending token, cut to 40 bytes; "" at the end of the data
	Problem string
}

// Error returns one line with the place, the token and the problem.
func (e *ParseError) Error() string {
	at := "at the end"
	if e.Token != "" {
		at = fmt.Sprintf("at %q", e.Token)
	}
	return fmt.Sprintf("text cubin: line %d (byte %d), %s: %s", e.Line, e.Offset, at, e.Problem)
}

func errorAt(t token, format string, args ...any) error {
	text := t.text
	if len(text) > 40 {
		text = text[:37] + "..."
	}
	return &ParseError{Line: t.line, Offset: t.offset, Token: text, Problem: fmt.Sprintf(format, args...)}
}
