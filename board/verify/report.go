package verify

import (
	"fmt"
	"io"
)

// Report is the result of the check of one file.
type Report struct {
	Passed, Failed int
	Failures       []Failure // the first ones, at most as many as were asked for
	Groups         []Group   // by operation and modifiers, in order of appearance
}

// Failure is a row whose answer was wrong.
type Failure struct {
	Row   Row
	Got   Answer
	Via   string // the instruction that gave it, "" for the scalar reference
	Stray bool   // something was written that the instruction has no business with
}

// String says what was wrong.
func (f *Failure) String() string {
	s := fmt.Sprintf("%s: got %s, want %s", &f.Row, f.Got, f.Row.Want)
	if f.Stray {
		s = fmt.Sprintf("%s: something else was written", &f.Row)
	}
	if f.Via != "" {
		s += " (" + f.Via + ")"
	}
	return s
}

// Options say how rows are checked. Without any body, both are.
type Options struct {
	Scalar   bool              // by the scalar reference of the operation
	Lanes    bool              // by real instructions, many rows in the lanes of real warps
	Keep     int               // failures to keep
	Progress func(percent int) // called now and then; may be nil
}

// Group counts the rows of one operation with one list of modifiers.
type Group struct {
	Op     string `json:"op"`
	Mods   string `json:"mods"`
	Passed int    `json:"passed"`
	Failed int    `json:"failed"`
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

// File checks the vectors of the file at path, which may be compressed (.gz). A row that
// cannot be evaluated is an error.
func File(path string, o Options) (*Report, error) {
	rows, err := ReadRows(path)
	if err != nil {
		return nil, err
	}
	report, err := check(rows, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return report, nil
}

// Read checks the vectors that r holds as CSV; see [File].
func Read(r io.Reader, o Options) (*Report, error) {
	rows, err := readRows(r)
	if err != nil {
		return nil, err
	}
	return check(rows, o)
}

func check(rows []Row, o Options) (*Report, error) {
	c := checker{rows: rows, failures: make([][]Failure, len(rows)), progress: o.Progress}
	both := o.Scalar == o.Lanes
	if o.Scalar || both {
		if err := c.scalar(); err != nil {
			return nil, err
		}
	}
	if o.Lanes || both {
		if err := c.lanes(); err != nil {
			return nil, err
		}
	}
	return c.report(o.Keep), nil
}

// answer returns the outcome with the digits of want, so that the two compare. Fields are empty
// that want leaves open or the operation does not give.
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
