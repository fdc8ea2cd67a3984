package plain

import (
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// hidden are characters that are invisible, or change the display of others.
var hidden = []*unicode.RangeTable{
	unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector,
}

// Text returns s with control characters, invisible characters, characters that change the
// direction of others, and bytes that are not UTF-8 written as \u202e, or \xff. Line feeds and tabs
// are control characters. Text(Text(s)) equals Text(s).
func Text(s string) string {
	for i, r := range s {
		if r == utf8.RuneError || unicode.In(r, hidden...) {
			return s[:i] + string(appendText(nil, []byte(s[i:]), false))
		}
	}
	return s
}

// appendText appends Text(s) to b. If lines is set, line feeds and tabs stay.
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
		case r > 0xffff: // a surrogate pair, as in JSON, so that JSON keeps its meaning
			high, low := utf16.EncodeRune(r)
			b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
		s = s[n:]
	}
	return b
}

// Writer writes its input as Text does, except that line feeds and tabs stay. JSON keeps its
// meaning.
type Writer struct {
	out  io.Writer
	rest []byte // start of a character that is not complete yet
	text []byte
}

// NewWriter returns a Writer to out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Write writes p. An incomplete character at the end waits for the next call.
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

// Flush writes the incomplete character that waits, byte by byte.
func (w *Writer) Flush() error {
	text := appendText(nil, w.rest, true)
	w.rest = nil
	if len(text) == 0 {
		return nil
	}
	_, err := w.out.Write(text)
	return err
}

// Fprintf is fmt.Fprintf with arguments that go through Text. The format itself does not.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return fmt.Fprintf(w, format, escaped(args)...)
}

// Sprintf is fmt.Sprintf with arguments that go through Text. The format itself does not.
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

// argument formats a value and passes the result through Text.
type argument struct{ value any }

// Format prints the value as it would print itself. A width applies to the escaped text of a
// string.
func (a argument) Format(f fmt.State, verb rune) {
	value, format := a.value, fmt.FormatString(f, verb)
	if s, ok := value.(string); ok && (verb == 's' || verb == 'v') {
		value = Text(s)
	}
	io.WriteString(f, Text(fmt.Sprintf(format, value)))
}
