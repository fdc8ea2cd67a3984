package ptx

import "strings"

// lexer cuts a text into tokens.
type lexer struct {
	text  string
	at    int // of the next character
	line  int // from 1
	start int // of the line
}

// next returns the next token. After the end, all tokens are tokEOF.
func (l *lexer) next() token {
	if !l.skip() {
		return token{kind: tokEOF, pos: l.pos(l.at)}
	}
	text, from := l.text, l.at
	t := token{pos: l.pos(from)}
	switch c := text[from]; {
	case classes[c] == classLetter:
		t.kind, l.at = tokIdent, nameEnd(text, from+1)
	case classes[c] == classDigit:
		t.kind = l.number()
	case c == '%' && from+1 < len(text) && classes[text[from+1]] == classLetter:
		t.kind, l.at = tokIdent, nameEnd(text, from+2)
	case c == '.' && from+1 < len(text) && inName(text[from+1]):
		t.kind, l.at = tokWord, wordEnd(text, from+1)
		from++
	case c == '"':
		return l.quoted(t)
	default:
		t.kind, l.at = symbol(text, from)
	}
	t.text = text[from:l.at]
	return t
}

func (l *lexer) pos(at int) Pos { return Pos{l.line, at - l.start + 1} }

// skip goes to the next character of a token. It reports false at the end of the text.
func (l *lexer) skip() bool {
	text := l.text
	for l.at < len(text) {
		switch c := text[l.at]; {
		case classes[c] == classSpace:
			l.at++
		case c == '\n':
			l.newline(l.at)
		case c == '/' && strings.HasPrefix(text[l.at:], "//"):
			l.skipLine()
		case c == '/' && strings.HasPrefix(text[l.at:], "/*"):
			l.skipComment()
		case c == '#' && l.first(), c == '@' && strings.HasPrefix(text[l.at:], "@@"):
			l.skipLine() // a line of a preprocessor or of DWARF
		default:
			return true
		}
	}
	return false
}

// newline goes behind the newline at a place.
func (l *lexer) newline(at int) {
	l.at, l.start = at+1, at+1
	l.line++
}

// first reports whether the line has nothing but space before the next character.
func (l *lexer) first() bool { return strings.TrimSpace(l.text[l.start:l.at]) == "" }

func (l *lexer) skipLine() {
	n := strings.IndexByte(l.text[l.at:], '\n')
	if n < 0 {
		l.at = len(l.text)
		return
	}
	l.at += n
}

// skipComment skips a comment in /* */; one without an end takes the rest of the text.
func (l *lexer) skipComment() {
	n := strings.Index(l.text[l.at+2:], "*/")
	end := len(l.text)
	if n >= 0 {
		end = l.at + 2 + n + 2
	}
	for l.at < end {
		n := strings.IndexByte(l.text[l.at:end], '\n')
		if n < 0 {
			l.at = end
			return
		}
		l.newline(l.at + n)
	}
}

// quoted reads a string, which ends with its line.
func (l *lexer) quoted(t token) token {
	rest := l.text[l.at+1:]
	n := strings.IndexAny(rest, "\"\n")
	if n < 0 || rest[n] == '\n' {
		t.kind, t.text = tokBad, "\""
		l.at++
		return t
	}
	t.kind, t.text = tokString, rest[:n]
	l.at += n + 2
	return t
}

func nameEnd(text string, at int) int {
	for at < len(text) && inName(text[at]) {
		at++
	}
	return at
}

// wordEnd is nameEnd for a word, which may have parts: .shared::cta.
func wordEnd(text string, at int) int {
	at = nameEnd(text, at)
	for at+2 < len(text) && text[at] == ':' && text[at+1] == ':' && inName(text[at+2]) {
		at = nameEnd(text, at+3)
	}
	return at
}

// number goes behind a number. A malformed one is tokBad.
func (l *lexer) number() kind {
	text, from := l.text, l.at
	if text[from] == '0' && from+1 < len(text) {
		switch text[from+1] {
		case 'f', 'F':
			return l.bits(8)
		case 'd', 'D':
			return l.bits(16)
		}
	}
	at, float := nameEnd(text, from), false
	prefixed := at > from+1 && text[from] == '0' && classes[text[from+1]] == classLetter
	if !prefixed {
		at, float = decimalEnd(text, from)
	}
	l.at = at
	if at < len(text) && inName(text[at]) {
		l.at = nameEnd(text, at)
		return tokBad
	}
	if float {
		return tokFloat
	}
	return tokInt
}

// decimalEnd returns the end of a decimal number with its suffix U, and whether it is a float.
func decimalEnd(text string, at int) (end int, float bool) {
	digits := func() {
		for at < len(text) && classes[text[at]] == classDigit {
			at++
		}
	}
	digits()
	if at < len(text) && text[at] == '.' && !(at+1 < len(text) && classes[text[at+1]] == classLetter) {
		float = true
		at++
		digits()
	}
	if at < len(text) && (text[at] == 'e' || text[at] == 'E') {
		exponent := at + 1
		if exponent < len(text) && (text[exponent] == '+' || text[exponent] == '-') {
			exponent++
		}
		if exponent < len(text) && classes[text[exponent]] == classDigit {
			float = true
			at = exponent
			digits()
		}
	}
	if !float && at < len(text) && (text[at] == 'U' || text[at] == 'u') {
		at++
	}
	return at, float
}

// bits goes behind 0f or 0d and so many hexadecimal digits.
func (l *lexer) bits(digits int) kind {
	from := l.at + 2
	l.at = nameEnd(l.text, from)
	if l.at-from != digits {
		return tokBad
	}
	for i := from; i < l.at; i++ {
		if !isHex(l.text[i]) {
			return tokBad
		}
	}
	return tokFloat
}

func isHex(c byte) bool {
	return classes[c] == classDigit || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// symbol returns the kind of the symbol at a place, and its end.
func symbol(text string, at int) (kind, int) {
	c := text[at]
	if at+1 < len(text) {
		switch text[at : at+2] {
		case "<<":
			return tokShl, at + 2
		case ">>":
			return tokShr, at + 2
		case "==":
			return tokEqual, at + 2
		case "!=":
			return tokNot, at + 2
		case "<=":
			return tokLessEq, at + 2
		case ">=":
			return tokMoreEq, at + 2
		case "&&":
			return tokAnd, at + 2
		case "||":
			return tokOr, at + 2
		}
	}
	if c >= 0x80 {
		return tokBad, at + 1
	}
	return kind(c), at + 1
}
