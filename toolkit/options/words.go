package options

import "strings"

// Split takes a list with commas apart. A comma in quotes or after a backslash belongs to its
// element; quotes and backslashes stay, for [Words].
func Split(list string) []string { return split(list, func(c byte) bool { return c == ',' }) }

// Words takes text apart at blanks, as a shell does: quotes and backslashes protect text, and are
// removed.
func Words(text string) (words []string) {
	for _, w := range split(text, func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }) {
		words = append(words, unquote(w))
	}
	return words
}

// split takes text apart at separators outside of quotes. It leaves empty parts out.
func split(text string, separator func(byte) bool) (parts []string) {
	var quote byte
	from := 0
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text), quote == 0 && separator(text[i]):
			if part := text[from:i]; part != "" {
				parts = append(parts, part)
			}
			from = i + 1
		case text[i] == '\\' && quote != '\'' && i+1 < len(text):
			i++
		case text[i] == quote:
			quote = 0
		case quote == 0 && (text[i] == '"' || text[i] == '\''):
			quote = text[i]
		}
	}
	return parts
}

// unquote removes quotes and backslashes from a word.
func unquote(word string) string {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c == '\\' && quote != '\'' && i+1 < len(word):
			i++
			b.WriteByte(word[i])
		case c == quote && quote != 0:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Quote returns a word as [Words] and a shell read it back.
func Quote(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./,:@%"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
