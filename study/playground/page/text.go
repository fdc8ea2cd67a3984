package page

import (
	"html"
	"regexp"
	"strings"
)

var (
	codePart = regexp.MustCompile("`([^`]+)`")
	strong   = regexp.MustCompile(`\*([^*]+)\*`)
)

// inline returns a text as HTML, with `code` and *emphasis*.
func inline(text string) string {
	text = html.EscapeString(strings.TrimSpace(text))
	var out strings.Builder
	at := 0
	for _, m := range codePart.FindAllStringSubmatchIndex(text, -1) {
		out.WriteString(strong.ReplaceAllString(text[at:m[0]], "<em>$1</em>") + "<code>" + text[m[2]:m[3]] + "</code>")
		at = m[1]
	}
	return out.String() + strong.ReplaceAllString(text[at:], "<em>$1</em>")
}

// paragraphs returns a text of paragraphs as HTML.
func paragraphs(text string) string {
	var out strings.Builder
	for p := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		out.WriteString("<p>" + inline(p) + "</p>")
	}
	return out.String()
}
