package findings

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"jacquard/internal/plain"
	"jacquard/simt/check"
)

type (
	junitSuites struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suite   junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",cdata"`
	}
)

// JUnit writes a report as JUnit XML: a failed test for each error, and a passed one for each kind
// without errors. Notes are left out.
func (r *Report) JUnit(w io.Writer, s *Sources) error {
	suite := junitSuite{Name: "jacquard check"}
	if len(r.Program) > 0 {
		suite.Name += " " + commandLine(r.Program)
	}
	text := Text{Sources: *s}
	for _, k := range r.Checks.Kinds() {
		before := len(suite.Cases)
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Kind == k && f.Level == check.Error {
				suite.Cases = append(suite.Cases, text.junit(f))
				suite.Failures++
			}
		}
		if len(suite.Cases) == before {
			suite.Cases = append(suite.Cases, junitCase{Class: string(k), Name: "no " + string(k) + " error"})
		}
	}
	suite.Tests = len(suite.Cases)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(junitSuites{Suite: suite}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// junit returns the failed test of a finding.
func (t *Text) junit(f *check.Finding) junitCase {
	c := junitCase{Class: string(f.Kind), Name: f.What}
	if u, ok := f.At.User(); ok {
		c.File, c.Line = t.short(u.File), u.Line
		c.Name += " at " + t.place(u)
	} else if f.At.Device != nil {
		c.Name += fmt.Sprintf(" at %s+0x%x", Name(f.Kernel), f.At.Device.PC)
	}
	var b, text strings.Builder
	t.finding(&b, f)
	w := plain.NewWriter(&text) // XML has no control characters
	io.WriteString(w, b.String())
	w.Flush()
	c.Failure = &junitFailure{Type: string(f.Kind) + "/" + f.What, Message: f.Text, Text: text.String()}
	return c
}

// uri returns the name of a file as a URI.
func uri(file string) string {
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}

// commandLine joins the words of a command line.
func commandLine(words []string) string { return strings.Join(words, " ") }
