package findings

import (
	"regexp"
	"slices"
	"strings"

	"jacquard/simt/check"
)

// Branches gives findings of barriers before which threads have ended the right word where source
// tells it: if the branch by which they end encloses the barrier, they went around it. Code is the
// same for a return before the barrier.
func (r *Report) Branches(s *Sources) {
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Kind != check.KindSync || f.What != check.AfterExit {
			continue
		}
		if slices.ContainsFunc(f.With, func(end check.Site) bool { return s.around(&f.At, &end) }) {
			f.What, f.Text = check.Divergent, check.GoAround
		}
	}
}

// around reports whether the statement on the line of one place encloses another place.
func (s *Sources) around(barrier, end *check.Site) bool {
	if len(end.Stack) == 0 {
		return false
	}
	e := end.Stack[len(end.Stack)-1]
	at := slices.IndexFunc(barrier.Stack, func(b check.Frame) bool { return b.Function == e.Function && b.File == e.File })
	if at < 0 || barrier.Stack[at].Line <= e.Line {
		return false
	}
	return encloses(s.lines(e.File), e.Line, barrier.Stack[at].Line)
}

// keyword begins a statement with a condition.
var keyword = regexp.MustCompile(`\b(if|for|while|switch)\b`)

// encloses reports whether the statement that begins on a line, from 1, with a condition goes on to a
// later line or beyond it.
func encloses(lines []string, first, line int) bool {
	if first < 1 || line > len(lines) {
		return false
	}
	text := blanked(strings.Join(lines[first-1:], "\n"))
	head, _, _ := strings.Cut(text, "\n")
	at := keyword.FindStringIndex(head)
	if at == nil {
		return false
	}
	end := statement(text, at[0])
	return first+strings.Count(text[:end], "\n") >= line
}

// blank finds comments and literals.
var blank = regexp.MustCompile(`//[^\n]*|(?s:/\*.*?\*/)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`)

// blanked returns C without comments and literals, and with all its lines.
func blanked(text string) string {
	return blank.ReplaceAllStringFunc(text, func(s string) string { return " " + strings.Repeat("\n", strings.Count(s, "\n")) })
}

var (
	condition = regexp.MustCompile(`^\s*(if|for|while|switch)\b\s*`)
	otherwise = regexp.MustCompile(`^\s*else\b`)
)

// statement returns the end of the statement of C at a place.
func statement(text string, at int) int {
	if c := condition.FindStringIndex(text[at:]); c != nil {
		end := statement(text, balanced(text, at+c[1]))
		if o := otherwise.FindStringIndex(text[end:]); o != nil {
			return statement(text, end+o[1])
		}
		return end
	}
	for ; at < len(text); at++ {
		switch text[at] {
		case '{':
			return balanced(text, at)
		case '(', '[':
			at = balanced(text, at) - 1
		case ';':
			return at + 1
		}
	}
	return len(text)
}

// balanced returns the place behind the brackets that open at a place.
func balanced(text string, at int) int {
	depth := 0
	for ; at < len(text); at++ {
		switch text[at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth <= 0 {
			return at + 1
		}
	}
	return len(text)
}
