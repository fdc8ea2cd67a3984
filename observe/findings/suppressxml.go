package findings

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"jacquard/simt/check"
)

// The XML of compute-sanitizer is what its option --xml writes: a record per finding. As a file of
// suppressions, a record names a kind, and what else must be the same: integers are equal, texts are
// regular expressions, and the stack may be a part of the finding's, from its innermost frame on. A
// condition that this tool cannot judge is an error: without it the record would suppress more.

// element is any element of XML.
type element struct {
	XMLName  xml.Name
	Children []element `xml:",any"`
	Text     string    `xml:",chardata"`
}

// text returns the text of an element without blanks around it.
func (e *element) text() string { return strings.TrimSpace(e.Text) }

// sanitizerKinds are the kinds of records.
var sanitizerKinds = map[string]check.Kind{
	"precise": check.KindMemory, "memory": check.KindMemory, "memcheck": check.KindMemory,
	"race": check.KindRace, "hazard": check.KindRace, "racecheck": check.KindRace,
	"initcheck": check.KindInit, "init": check.KindInit,
	"barrier": check.KindSync, "synccheck": check.KindSync, "sync": check.KindSync,
	"api": check.KindAPI, "apierror": check.KindAPI, "leak": check.KindLeak,
}

// record is a suppression: all conditions hold.
type record []func(f *check.Finding) bool

func (r record) matches(f *check.Finding) bool {
	for _, holds := range r {
		if !holds(f) {
			return false
		}
	}
	return true
}

// parseXML reads the records of a file.
func parseXML(data []byte) (all Suppressions, err error) {
	var root element
	if err := xml.Unmarshal(data, &root); err != nil {
		return nil, err
	}
	for i := range root.Children {
		e := &root.Children[i]
		if e.XMLName.Local != "record" {
			return nil, fmt.Errorf("<%s>: want <record>", e.XMLName.Local)
		}
		r, err := parseRecord(e)
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", i+1, err)
		}
		all = append(all, r)
	}
	return all, nil
}

func parseRecord(e *element) (r record, err error) {
	hasKind := false
	for i := range e.Children {
		c := &e.Children[i]
		switch c.XMLName.Local {
		case "kind":
			kind, ok := sanitizerKinds[strings.ToLower(c.text())]
			if !ok {
				return nil, fmt.Errorf("<kind> %q is not known", c.text())
			}
			hasKind = true
			r = append(r, func(f *check.Finding) bool { return f.Kind == kind })
		case "level":
			note := strings.EqualFold(c.text(), "warning") || strings.EqualFold(c.text(), "info")
			r = append(r, func(f *check.Finding) bool { return note == (f.Level == check.Note) })
		case "what", "where":
			for j := range c.Children {
				holds, err := parseCondition(c.XMLName.Local, &c.Children[j])
				if err != nil {
					return nil, err
				}
				r = append(r, holds)
			}
		case "hostStack", "deviceStack":
			holds, err := parseStack(c)
			if err != nil {
				return nil, err
			}
			r = append(r, holds)
		default:
			return nil, fmt.Errorf("<%s> is not supported as a condition", c.XMLName.Local)
		}
	}
	if !hasKind {
		return nil, fmt.Errorf("no <kind>")
	}
	return r, nil
}

// parseCondition reads a part of <what> or <where>.
func parseCondition(of string, e *element) (func(f *check.Finding) bool, error) {
	name := e.XMLName.Local
	switch of + " " + name {
	case "what text", "what space", "what direction", "where func", "where path", "where file":
		pattern, err := wholePattern(e.text())
		if err != nil {
			return nil, err
		}
		return func(f *check.Finding) bool { return anyMatches(pattern, textsOf(name, f)) }, nil
	case "what size", "what address", "what accessAddress", "where line", "where pc":
		n, err := strconv.ParseUint(e.text(), 0, 64)
		if err != nil {
			return nil, fmt.Errorf("<%s> %q: want a number", name, e.text())
		}
		return func(f *check.Finding) bool { return numberOf(name, f) == int64(n) }, nil
	}
	return nil, fmt.Errorf("<%s> in <%s> is not supported as a condition", name, of)
}

// textsOf returns what a part of a record could say of a finding.
func textsOf(name string, f *check.Finding) []string {
	u, _ := f.At.User()
	switch name {
	case "text":
		s := Sanitizer{}
		return []string{s.finding(f)[0], f.Text}
	case "space":
		return []string{f.Space, "__" + f.Space + "__"}
	case "direction":
		return []string{f.At.Role}
	case "func":
		return []string{f.Kernel, Name(f.Kernel)}
	}
	return []string{u.File}
}

// numberOf returns a number of a finding, -1 if the finding has none.
func numberOf(name string, f *check.Finding) int64 {
	u, known := f.At.User()
	switch {
	case name == "size":
		return int64(f.At.Size)
	case name == "line" && known:
		return int64(u.Line)
	case name == "pc" && f.At.Device != nil:
		return int64(f.At.Device.PC)
	case strings.HasSuffix(strings.ToLower(name), "address") && f.At.Addr != nil:
		return int64(*f.At.Addr)
	}
	return -1
}

// parseStack reads frames. Their beginning must be that of the stack of the host or of the kernel.
func parseStack(e *element) (func(f *check.Finding) bool, error) {
	var frames []func(check.Frame) bool
	for i := range e.Children {
		switch c := &e.Children[i]; c.XMLName.Local {
		case "saveLocation":
		case "frame":
			holds, err := parseFrame(c)
			if err != nil {
				return nil, err
			}
			frames = append(frames, holds)
		default:
			return nil, fmt.Errorf("<%s> in a stack is not supported as a condition", c.XMLName.Local)
		}
	}
	device := e.XMLName.Local == "deviceStack"
	return func(f *check.Finding) bool {
		for _, s := range append([]check.Site{f.At}, f.With...) {
			if device == (s.Device != nil) && beginsWith(s.Stack, frames) {
				return true
			}
		}
		return false
	}, nil
}

func beginsWith(stack []check.Frame, frames []func(check.Frame) bool) bool {
	if len(stack) < len(frames) {
		return false
	}
	for i, holds := range frames {
		if !holds(stack[i]) {
			return false
		}
	}
	return true
}

// parseFrame reads a frame. Offsets are left out: they change with each build.
func parseFrame(e *element) (func(check.Frame) bool, error) {
	var all []func(check.Frame) bool
	for i := range e.Children {
		c := &e.Children[i]
		pattern, err := wholePattern(c.text())
		if err != nil {
			return nil, err
		}
		switch c.XMLName.Local {
		case "func":
			all = append(all, func(f check.Frame) bool { return anyMatches(pattern, []string{f.Function, Name(f.Function)}) })
		case "file", "path":
			all = append(all, func(f check.Frame) bool { return pattern.MatchString(f.File) })
		case "module":
			all = append(all, func(f check.Frame) bool { return pattern.MatchString(f.Module) })
		case "line", "pc", "offset":
		default:
			return nil, fmt.Errorf("<%s> in a frame is not supported as a condition", c.XMLName.Local)
		}
	}
	return func(f check.Frame) bool {
		for _, holds := range all {
			if !holds(f) {
				return false
			}
		}
		return true
	}, nil
}

// wholePattern compiles a regular expression for whole texts.
func wholePattern(text string) (*regexp.Regexp, error) {
	return regexp.Compile(`^(?:` + text + `)$`)
}

func anyMatches(p *regexp.Regexp, texts []string) bool {
	for _, t := range texts {
		if p.MatchString(t) {
			return true
		}
	}
	return false
}
