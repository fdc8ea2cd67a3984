package verify

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Report is what the check of one file found.
type Report struct {
	Passed, Failed int
	Failures       []Failure // the first ones, at most as many as were asked for
	Groups         []Group   // by operation and modifiers, in order of appearance
}

// Failure is a row whose answer was wrong.
type Failure struct {
	Row Row
	Got Answer
}

// Group counts the rows of one operation with one list of modifiers.
type Group struct {
	Op, Mods       string
	Passed, Failed int
}

// FormatError says that a file is not a vector file, or where it is wrong.
type FormatError struct {
	Line int
	Err  error
}

// Error names the line.
func (e *FormatError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the reason.
func (e *FormatError) Unwrap() error { return e.Err }

// File checks the vectors of the file at path, which may be compressed (.gz), and keeps
// the first keep failures. A row that cannot be evaluated is an error.
func File(path string, keep int) (*Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		r = z
	}
	report, err := Read(r, keep)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return report, nil
}

// Read checks the vectors that r holds as CSV; see [File].
func Read(r io.Reader, keep int) (*Report, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = -1 // a wrong count is reported with its line
	in.ReuseRecord = true
	first, err := in.Read()
	if err != nil && err != io.EOF {
		return nil, err
	}
	if !slices.Equal(first, header) {
		return nil, &FormatError{1, errors.New("no vector file: the first line is not " + strings.Join(header, ","))}
	}
	refs := references()
	report := &Report{}
	groups := map[[2]string]int{}
	for {
		fields, err := in.Read()
		if err == io.EOF {
			return report, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := in.FieldPos(0)
		row, err := parseRow(line, fields)
		if err != nil {
			return nil, &FormatError{line, err}
		}
		eval := refs[row.Op]
		if eval == nil {
			return nil, &FormatError{line, fmt.Errorf("unknown operation %q", row.Op)}
		}
		out, err := eval(&row)
		if err != nil {
			return nil, &FormatError{line, err}
		}
		key := [2]string{row.Op, strings.Join(row.Mods, " ")}
		at, ok := groups[key]
		if !ok {
			at = len(report.Groups)
			groups[key] = at
			report.Groups = append(report.Groups, Group{Op: key[0], Mods: key[1]})
		}
		report.count(&report.Groups[at], row, out.answer(&row.Want), keep)
	}
}

func (r *Report) count(g *Group, row Row, got Answer, keep int) {
	if got == row.Want {
		r.Passed++
		g.Passed++
		return
	}
	r.Failed++
	g.Failed++
	if len(r.Failures) < keep {
		r.Failures = append(r.Failures, Failure{row, got})
	}
}

// answer writes the outcome with the digits of want, so that the two compare. What want
// leaves open, and the operation gives, is left open; what it demands and the operation
// does not give stays empty.
func (o outcome) answer(want *Answer) Answer {
	got := Answer{R: like(o.r, want.R)}
	if o.hasFlags {
		got.CC = like(uint64(o.flags), want.CC)
	}
	if o.hasR2 {
		got.R2 = like(o.r2, want.R2)
	}
	return got
}

func like(bits uint64, v Value) Value {
	if v.Digits == 0 {
		return Value{}
	}
	return Value{bits, v.Digits}
}
