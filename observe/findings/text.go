package findings

import (
	"fmt"
	"io"
	"strings"

	"jacquard/simt/check"
)

// Text is how a report is shown to people.
type Text struct {
	Sources
	Notes bool // show notes, and not their number alone
	Limit int  // the most findings that are shown; 0 is all
}

// mostColumns are the characters of a line of source that are shown.
const mostColumns = 120

// mostFrames are the callers of a place that are shown.
const mostFrames = 6

// Text writes a report for people.
func (r *Report) Text(w io.Writer, t *Text) error {
	var b strings.Builder
	shown := r.shown(t.Notes)
	for i, f := range shown {
		if t.Limit > 0 && i == t.Limit {
			fmt.Fprintf(&b, "%d more, shown by --limit 0\n\n", len(shown)-i)
			break
		}
		t.finding(&b, f)
		b.WriteByte('\n')
	}
	b.WriteString(r.summary(t.Notes))
	_, err := io.WriteString(w, b.String())
	return err
}

// summary says in one line, or two, how many findings there are.
func (r *Report) summary(notes bool) string {
	s := "no mistakes found"
	if n := r.Errors(); n > 0 {
		s = counted(n, "error", "errors")
	}
	if n := r.Notes(); n > 0 {
		s += ", " + counted(n, "note", "notes")
		if !notes {
			s += " (shown by --notes)"
		}
	}
	if n := len(r.Suppressed); n > 0 {
		s += fmt.Sprintf(", %d suppressed", n)
	}
	var words []string
	for _, k := range r.Checks.Kinds() {
		words = append(words, string(k))
	}
	s += "; checked: " + strings.Join(words, ", ") + "\n"
	if !r.Complete {
		s += "the program did not come to its end: counts are lower bounds, and leaks are not known\n"
	}
	return s
}

// Finding returns the block of a finding.
func (t *Text) Finding(f *check.Finding) string {
	var b strings.Builder
	t.finding(&b, f)
	return b.String()
}

// finding writes the block of a finding.
func (t *Text) finding(b *strings.Builder, f *check.Finding) {
	fmt.Fprintf(b, "%s: %s\n", heading(f), f.Text)
	if f.Kernel != "" {
		fmt.Fprintf(b, "  kernel %s, launch %d\n", Name(f.Kernel), f.Launch)
	}
	t.site(b, f, &f.At)
	for i := range f.With {
		t.site(b, f, &f.With[i])
	}
	if f.Advice != "" {
		fmt.Fprintf(b, "  %s\n", f.Advice)
	}
}

// heading is "error: race read-write shared, 12 times".
func heading(f *check.Finding) string {
	s := fmt.Sprintf("%s: %s %s", f.Level, f.Kind, f.What)
	if f.Space != "" {
		s += " " + f.Space
	}
	if f.Count > 1 {
		s += fmt.Sprintf(", %d times", f.Count)
	}
	return s
}

// site writes a place, and who was there.
func (t *Text) site(b *strings.Builder, f *check.Finding, s *check.Site) {
	fmt.Fprintf(b, "  %s\n", act(f, s))
	user, known := s.User()
	if known {
		fmt.Fprintf(b, "    %s\n", t.code(user))
	}
	for _, c := range callers(s, user) {
		fmt.Fprintf(b, "    called at %s\n", t.code(c))
	}
	if s.Device != nil {
		fmt.Fprintf(b, "    0x%x: %s\n", s.Device.PC, s.Device.Text)
	}
	for list := s.Where; len(list) > 0; {
		n := group(f, list)
		if n == 1 {
			fmt.Fprintf(b, "    by %s\n", who(f, list[0]))
		} else {
			fmt.Fprintf(b, "    by %s\n", whole(f, list[:n]))
		}
		list = list[n:]
	}
}

// act says what happened at a site: "write of 4 bytes at global 0x1000, value 0x7".
func act(f *check.Finding, s *check.Site) string {
	text := s.Role
	if s.Call != "" {
		text += ": " + s.Call
	}
	if s.Size > 0 {
		text += " of " + counted(int(s.Size), "byte", "bytes")
	}
	if s.Addr != nil {
		text += " at " + strings.TrimSpace(fmt.Sprintf("%s 0x%x", f.Space, *s.Addr))
	}
	if s.Value != nil {
		text += fmt.Sprintf(", value 0x%x", *s.Value)
	}
	return text
}

// callers returns the user's frames outside of the frame that is shown.
func callers(s *check.Site, user check.Frame) (list []check.Frame) {
	passed := false
	for _, f := range s.Stack {
		if passed && !f.System && f.File != "" && len(list) < mostFrames {
			list = append(list, f)
		}
		passed = passed || f == user
	}
	return list
}

// code is "FILE:LINE in FUNCTION: the text of the line".
func (t *Text) code(f check.Frame) string {
	s := t.place(f)
	if f.Function != "" {
		s += " in " + Name(f.Function)
	}
	if text := []rune(t.line(f.File, f.Line)); len(text) > mostColumns {
		s += ": " + string(text[:mostColumns]) + " ..."
	} else if len(text) > 0 {
		s += ": " + string(text)
	}
	return s
}

// counted is a number with its noun.
func counted(n int, noun, plural string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %s", n, plural)
}
