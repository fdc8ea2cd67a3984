package ptx

import "strings"

// kind is the kind of a token. A character that stands for itself is its own kind.
type kind uint8

const (
	tokEOF    kind = 0x80 + iota
	tokIdent       // add, %r1, $Lt_0_1
	tokWord        // .u32: text is without the dot
	tokInt         // 1, 0x1fU
	tokFloat       // 1.5, 0f3f800000
	tokString      // "a": text is without the quotes
	tokShl         // <<
	tokShr         // >>
	tokEqual       // ==
	tokNot         // !=
	tokLessEq      // <=
	tokMoreEq      // >=
	tokAnd         // &&
	tokOr          // ||
	tokBad         // none of these
)

// token is a piece of the text.
type token struct {
	kind kind
	pos  Pos
	text string
}

// describe returns the name of the token in messages.
func (t token) describe() string {
	switch {
	case t.kind == tokEOF:
		return "the end of the text"
	case t.kind == tokWord:
		return quote("." + t.text)
	case t.kind == tokString:
		return "a string"
	}
	return quote(t.text)
}

// quote returns text in quotes, cut if it is long.
func quote(text string) string {
	const most = 60
	if len(text) > most {
		text = text[:most] + "..."
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		if c := text[i]; c >= ' ' && c < 0x7f {
			b.WriteByte(c)
		} else {
			b.WriteByte('?')
		}
	}
	b.WriteByte('"')
	return b.String()
}

// The classes of characters.
const (
	classOther = iota
	classSpace
	classLetter // and _ and $
	classDigit
)

var classes = func() (c [256]uint8) {
	for _, b := range " \t\r\v\f\x00" {
		c[b] = classSpace
	}
	for b := 'a'; b <= 'z'; b++ {
		c[b], c[b-'a'+'A'] = classLetter, classLetter
	}
	c['_'], c['$'] = classLetter, classLetter
	for b := '0'; b <= '9'; b++ {
		c[b] = classDigit
	}
	return c
}()

// inName reports whether a character may follow the first of a name.
func inName(c byte) bool { return classes[c] >= classLetter }
