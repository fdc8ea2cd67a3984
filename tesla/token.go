package tesla

import (
	"fmt"
	"strconv"
	"strings"
)

// Token is a word of an instruction's text. Column counts bytes of the line from 1.
type Token struct {
	Text   string
	Column int
}

// Tokens splits the text of an instruction that begins at a column of its line. A bracket "("
// belongs to the next word, ")" is a word, and text in "[]" is one word.
func Tokens(text string, column int) []Token {
	var list []Token
	for i := 0; i < len(text); {
		if strings.IndexByte(" \t", text[i]) >= 0 {
			i++
			continue
		}
		end := i + wordLength(text[i:])
		word := text[i:end]
		if strings.Contains(word, "[") {
			word = strings.Join(strings.Fields(word), "")
		}
		list = append(list, Token{word, column + i})
		i = end
	}
	return list
}

// wordLength returns the length of a text's first word.
func wordLength(text string) int {
	if text[0] == ')' {
		return 1
	}
	inside := false
	for i := range len(text) {
		switch text[i] {
		case '[':
			inside = true
		case ']':
			inside = false
		case ' ', '\t', ')':
			if !inside && i > 0 {
				return i
			}
		}
	}
	return len(text)
}

// ParseError names the token that was expected.
type ParseError struct {
	Tokens []Token
	At     int      // index of the token; the number of tokens if they end too early
	Want   []string // what would fit there
}

// Error gives the expected tokens and the one found.
func (e *ParseError) Error() string {
	found := "the end of the line"
	if e.At < len(e.Tokens) {
		found = strconv.Quote(e.Tokens[e.At].Text)
	}
	return fmt.Sprintf("expected %s; found %s", Alternatives(e.Want), found)
}

// Alternatives lists words: "a, b or c".
func Alternatives(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// number reads a number of up to 64 bits, in any base of Go's syntax.
func number(text string) (int64, bool) {
	digits, negative := strings.CutPrefix(text, "-")
	v, err := strconv.ParseUint(digits, 0, 64)
	if negative {
		v = -v
	}
	return int64(v), err == nil && text != ""
}

// isName reports whether the text can be a label.
func isName(text string) bool {
	for i, c := range text {
		letter := c == '_' || c == '.' && i > 0 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return text != ""
}

var kindExamples = [...]string{
	Reg: "a register $r0", Half: "a half register $r0l", Pair: "a register pair $r0d", Quadruple: "a register quadruple $r0q",
	Discard: "#", CondReg: "$c0", AddrReg: "an address register $a1", Imm: "an immediate", Shared: "s[...]", Const: "c0[...]",
	Local: "l[...]", Global: "g14[$r0]", Special: "a special register", Output: "o[...]",
}

// example returns an example of the kind of operand.
func (k OperandKind) example() string {
	if int(k) < len(kindExamples) {
		return kindExamples[k]
	}
	return ""
}
