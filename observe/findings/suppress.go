package findings

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"jacquard/simt/check"
)

// Suppressions are findings that the user knows and does not want to hear of.
type Suppressions []suppression

// suppression is one entry of a file.
type suppression interface {
	matches(f *check.Finding) bool
}

// ReadSuppressions reads the file at path: lines of Jacquard's own, or the XML of compute-sanitizer.
//
// A line has the finding's kind, what and space, as many of them as tell it, with * for any; then
// conditions: kernel=NAME, at=PLACE, with=PLACE, call=NAME. A place is a function, a file, or a file
// and a line, as reduce.cu:12, of any frame. * stands for any text in a condition, double quotes
// surround a condition's value that has blanks, and # begins a comment.
func ReadSuppressions(path string) (Suppressions, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("<")) {
		list, err := parseXML(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return list, nil
	}
	var all Suppressions
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		words, err := splitWords(line)
		if err == nil && len(words) > 0 {
			var k *known
			if k, err = parseKnown(words); err == nil {
				all = append(all, k)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
	}
	return all, nil
}

// Apply moves the findings of a report that a suppression knows.
func (s Suppressions) Apply(r *Report) {
	r.Findings = slices.DeleteFunc(r.Findings, func(f check.Finding) bool {
		known := slices.ContainsFunc(s, func(k suppression) bool { return k.matches(&f) })
		if known {
			r.Suppressed = append(r.Suppressed, f)
		}
		return known
	})
}

// known is a line of a file of suppressions. An empty condition is none.
type known struct {
	kind, what, space      string
	kernel, at, with, call string
}

// condition returns the field of a condition, nil if there is no such condition.
func (k *known) condition(name string) *string {
	return map[string]*string{"kernel": &k.kernel, "at": &k.at, "with": &k.with, "call": &k.call}[name]
}

func parseKnown(words []string) (*known, error) {
	k := &known{what: "*", space: "*"}
	positions := []*string{&k.kind, &k.what, &k.space}
	for i, w := range words {
		name, value, ok := strings.Cut(w, "=")
		switch {
		case !ok && i < len(positions):
			*positions[i] = w
		case !ok:
			return nil, fmt.Errorf("%q: want kernel=, at=, with= or call=", w)
		default:
			c := k.condition(name)
			if c == nil {
				return nil, fmt.Errorf("%q: want kernel=, at=, with= or call=", w)
			}
			*c = value
		}
	}
	if k.kind != "*" && !slices.Contains(check.Kinds(), check.Kind(k.kind)) {
		return nil, fmt.Errorf("%q is no kind of finding", k.kind)
	}
	return k, nil
}

func (k *known) matches(f *check.Finding) bool {
	return glob(k.kind, string(f.Kind)) && glob(k.what, f.What) && glob(k.space, f.Space) &&
		(k.kernel == "" || glob(k.kernel, f.Kernel) || glob(k.kernel, Name(f.Kernel))) &&
		(k.at == "" || atPlace(k.at, &f.At)) &&
		(k.with == "" || slices.ContainsFunc(f.With, func(s check.Site) bool { return atPlace(k.with, &s) })) &&
		(k.call == "" || glob(k.call, f.At.Call))
}

// atPlace reports whether a frame of the site is at a place.
func atPlace(pattern string, s *check.Site) bool {
	return slices.ContainsFunc(s.Stack, func(f check.Frame) bool {
		line := fmt.Sprintf("%s:%d", f.File, f.Line)
		for _, text := range []string{f.Function, Name(f.Function), f.File, line} {
			if text != "" && (glob(pattern, text) || glob("*/"+pattern, text)) {
				return true
			}
		}
		return false
	})
}

// glob reports whether a pattern with * for any text is the whole text.
func glob(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	if last == 0 {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, parts[0])
	for _, part := range parts[1:last] {
		if ok {
			_, text, ok = strings.Cut(text, part) // the first place will do
		}
	}
	return ok && strings.HasSuffix(text, parts[last])
}

// splitWords takes a line apart at blanks, up to a comment. Double quotes protect blanks, and are
// removed.
func splitWords(line string) (words []string, err error) {
	var word strings.Builder
	begun := false
	for line = strings.TrimRight(line, "\r\n"); ; {
		at := strings.IndexAny(line, " \t\"#")
		if at < 0 {
			at = len(line)
		}
		word.WriteString(line[:at])
		begun = begun || at > 0
		line = line[at:]
		if strings.HasPrefix(line, `"`) {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, fmt.Errorf("a quote without an end")
			}
			text, _ := strconv.Unquote(quoted)
			word.WriteString(text)
			begun, line = true, line[len(quoted):]
			continue
		}
		if begun {
			words = append(words, word.String())
			word.Reset()
			begun = false
		}
		if line == "" || line[0] == '#' {
			return words, nil
		}
		line = line[1:]
	}
}

// WriteSuppressions writes lines that suppress the findings of a report, each with its text as a
// comment.
func (r *Report) WriteSuppressions(w io.Writer) error {
	var b strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&b, "# %s\n%s %s", strings.ReplaceAll(f.Text, "\n", " "), f.Kind, f.What)
		if f.Space != "" {
			fmt.Fprintf(&b, " %s", f.Space)
		}
		condition := func(name, value string) {
			if value == "" {
				return
			}
			if strings.ContainsAny(value, " \t\"#") {
				value = strconv.Quote(value)
			}
			fmt.Fprintf(&b, " %s=%s", name, value)
		}
		condition("kernel", f.Kernel)
		condition("call", f.At.Call)
		condition("at", placeOf(&f.At))
		if len(f.With) > 0 {
			condition("with", placeOf(&f.With[0]))
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// placeOf returns the user's line of a site, with the name of its file alone; else its function.
func placeOf(s *check.Site) string {
	if u, ok := s.User(); ok {
		return fmt.Sprintf("%s:%d", u.File[strings.LastIndexByte(u.File, '/')+1:], u.Line)
	}
	if s.Device == nil && len(s.Stack) > 0 {
		return s.Stack[0].Function
	}
	return ""
}
