package cubin

import "fmt"

// ParseError says what is wrong in a text cubin, and where.
type ParseError struct {
	Line    int    // from 1
	Offset  int    // byte offset: files written as one line have no other address
	Token   string // what stood there, cut to 40 bytes; "" at the end of the data
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
