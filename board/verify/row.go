package verify

import (
	"fmt"
	"strconv"
	"strings"
)

// header is the first line of a vector file.
var header = []string{"op", "mods", "a", "b", "c", "cc_in", "r", "cc_out", "r2"}

// Value is a hexadecimal field: a number and how many digits it was written with.
type Value struct {
	Bits   uint64
	Digits int // 0: the field was empty
}

// String returns the field as the file has it.
func (v Value) String() string {
	if v.Digits == 0 {
		return "-"
	}
	return fmt.Sprintf("%0*x", v.Digits, v.Bits)
}

// Row is one line of a vector file.
type Row struct {
	Line    int
	Op      string
	Mods    []string
	A, B, C Value // operands before their modifiers
	CCIn    Value // flags read
	Want    Answer
}

// Answer is the result of an operation. Fields may be empty: not every operation writes flags, and
// only atomics have a second result.
type Answer struct {
	R, CC, R2 Value
}

// String returns the answer's fields for people.
func (a Answer) String() string {
	s := a.R.String()
	if a.CC.Digits > 0 {
		s += " flags " + a.CC.String()
	}
	if a.R2.Digits > 0 {
		s += " returns " + a.R2.String()
	}
	return s
}

// String returns the operation and its operands for people.
func (r *Row) String() string {
	s := r.Op
	for _, m := range r.Mods {
		s += " " + m
	}
	for _, v := range []Value{r.A, r.B, r.C} {
		if v.Digits > 0 {
			s += " " + v.String()
		}
	}
	if r.CCIn.Digits > 0 {
		s += " flags " + r.CCIn.String()
	}
	return s
}

// parseRow reads the fields of one line.
func parseRow(line int, fields []string) (Row, error) {
	if len(fields) != len(header) {
		return Row{}, fmt.Errorf("%d fields: want %d", len(fields), len(header))
	}
	row := Row{Line: line, Op: fields[0], Mods: strings.Fields(fields[1])}
	for i, v := range []*Value{&row.A, &row.B, &row.C, &row.CCIn, &row.Want.R, &row.Want.CC, &row.Want.R2} {
		text := fields[i+2]
		if text == "" {
			continue
		}
		bits, err := strconv.ParseUint(text, 16, 64)
		if err != nil {
			return Row{}, fmt.Errorf("%s %q is no hexadecimal number of up to 64 bits", header[i+2], text)
		}
		*v = Value{bits, len(text)}
	}
	return row, nil
}
