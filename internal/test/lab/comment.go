package lab

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// kind is what findings of a kind may say.
type kind struct{ what, spaces []string }

var kinds = map[string]kind{
	"memory": {
		what:   []string{"out-of-bounds", "misaligned", "after-free", "double-free", "null"},
		spaces: []string{"global", "shared", "local", "constant", "texture"},
	},
	"race": {
		what:   []string{"read-write", "write-write", "atomic-plain", "warp-synchronous", "same-value"},
		spaces: []string{"global", "shared"},
	},
	"init": {
		what:   []string{"branch", "address", "output"},
		spaces: []string{"global", "shared", "local", "register"},
	},
	"sync": {what: []string{"divergent", "partial", "different", "after-exit", "endless"}},
	"api":  {what: []string{"unchecked", "copy-kind", "early-free", "early-change"}},
	"leak": {what: []string{"device", "host", "array", "stream", "event"}},
}

// reader collects the comments of a program.
type reader struct {
	program         *Program
	findings, notes []*Finding
	labels          map[string]*Finding
	with            map[string][]int // lines that say "with", by label
	none            bool             // "no finding" was read
}

var (
	places = regexp.MustCompile(`// ((?:finding|note|with)\b.*)$`)
	place  = regexp.MustCompile(`^(finding|note)(?: (\w+))?: (\w+) ([\w|-]+)(?: (\w+))?$`)
	with   = regexp.MustCompile(`^with (\w+)$`)
)

// line reads a line: one of the head, or code with places behind it.
func (r *reader) line(n int, s string) error {
	if text, ok := strings.CutPrefix(s, "// output: "); ok {
		r.program.Output += text + "\n"
		return nil
	}
	if text, ok := strings.CutPrefix(s, "// exit: "); ok {
		status, err := strconv.Atoi(text)
		r.program.Exit = status
		return err
	}
	if s == "// no finding" {
		r.none = true
		return nil
	}
	m := places.FindStringSubmatchIndex(s)
	if m == nil || strings.TrimSpace(s[:m[0]]) == "" {
		return nil // plain code, or the text of the head
	}
	for _, text := range strings.Split(s[m[2]:], "; ") {
		if err := r.place(n, text); err != nil {
			return err
		}
	}
	return nil
}

// place reads a finding, a note or the other place of one.
func (r *reader) place(n int, text string) error {
	if m := with.FindStringSubmatch(text); m != nil {
		r.with[m[1]] = append(r.with[m[1]], n)
		return nil
	}
	m := place.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("want \"finding [LABEL]: KIND WHAT [SPACE]\", the same with note, or \"with LABEL\", not %q", text)
	}
	f := &Finding{Line: n, Kind: m[3], What: strings.Split(m[4], "|"), Space: m[5]}
	if err := f.check(); err != nil {
		return err
	}
	if m[1] == "note" {
		r.notes = append(r.notes, f)
	} else {
		r.findings = append(r.findings, f)
	}
	if m[2] != "" {
		if r.labels[m[2]] != nil {
			return fmt.Errorf("the label %q stands on line %d, too", m[2], r.labels[m[2]].Line)
		}
		r.labels[m[2]] = f
	}
	return nil
}

// check refuses words that the kind does not have.
func (f *Finding) check() error {
	k, ok := kinds[f.Kind]
	if !ok {
		return fmt.Errorf("%q is no kind", f.Kind)
	}
	for _, what := range f.What {
		if !slices.Contains(k.what, what) {
			return fmt.Errorf("%s: want one of %s, not %q", f.Kind, strings.Join(k.what, ", "), what)
		}
	}
	if (k.spaces != nil || f.Space != "") && !slices.Contains(k.spaces, f.Space) {
		return fmt.Errorf("%s: %q is no space of this kind", f.Kind, f.Space)
	}
	return nil
}
