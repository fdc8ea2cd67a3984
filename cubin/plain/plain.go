package plain

import (
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// hidden are the characters that do not show, or change how others do.
var hidden = []*unicode.RangeTable{
	unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector,
}

// Text returns s with every control character, every character that does not show or changes the
// direction of others, and every byte that is no UTF-8 written as \u202e, or \xff. A line feed and
// a tab are among them. What is written so stays what it is if it is written so again.
func Text(s string) string {
	for i, r := range s {
		if r == utf8.RuneError || unicode.In(r, hidden...) {
			return s[:i] + string(appendText(nil, []byte(s[i:]), false))
		}
	}
	return s
}

// appendText appends to b what Text makes of s. Lines: line feeds and tabs stay.
func appendText(b, s []byte, lines bool) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		switch {
		case r >= ' ' && r < 0x7f, lines && (r == '\n' || r == '\t'):
			b = append(b, s[0])
		case r == utf8.RuneError && n == 1:
			b = fmt.Appendf(b, `\x%02x`, s[0])
		case !unicode.In(r, hidden...):
			b = append(b, s[:n]...)
		case r > 0xffff: // as JSON has it, so that JSON stays what it is
			high, low := utf16.EncodeRune(r)
			b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
		s = s[n:]
	}
	return b
}

// Writer writes what Text makes of what it is given, but for line feeds and tabs, which stay. JSON
// stays the same JSON.
type Writer struct {
	out  io.Writer
	rest []byte // of a character that is not whole yet
	text []byte
}

// NewWriter returns a Writer to out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Write writes p. The start of a character at its end waits for the rest.
func (w *Writer) Write(p []byte) (int, error) {
	s := append(w.rest, p...)
	whole := len(s)
	for i := 1; i < utf8.UTFMax && i <= len(s); i++ {
		if last := s[len(s)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				whole -= i
			}
			break
		}
	}
	w.text = appendText(w.text[:0], s[:whole], true)
	w.rest = append([]byte(nil), s[whole:]...)
	if _, err := w.out.Write(w.text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what waits: no character, as it turns out.
func (w *Writer) Flush() error {
	text := appendText(nil, w.rest, true)
	w.rest = nil
	if len(text) == 0 {
		return nil
	}
	_, err := w.out.Write(text)
	return err
}

// Fprintf is fmt.Fprintf with arguments that go through Text. Those of the format stay.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return fmt.Fprintf(w, format, escaped(args)...)
}

// Sprintf is fmt.Sprintf with arguments that go through Text. Those of the format stay.
func Sprintf(format string, args ...any) string { return fmt.Sprintf(format, escaped(args)...) }

func escaped(args []any) []any {
	list := make([]any, len(args))
	for i, a := range args {
		switch a.(type) {
		case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64:
			list[i] = a
		default:
			list[i] = argument{a}
		}
	}
	return list
}

// argument prints a value, and then makes that text.
type argument struct{ value any }

// Format prints the value as it would print itself. Of a string, the text that is printed is as
// wide as the format says.
func (a argument) Format(f fmt.State, verb rune) {
	value, format := a.value, fmt.FormatString(f, verb)
	if s, ok := value.(string); ok && (verb == 's' || verb == 'v') {
		value = Text(s)
	}
	io.WriteString(f, Text(fmt.Sprintf(format, value)))
}
