package kerneltest

import (
	"fmt"
	"math"
)

// FormatError describes a mistake in a test.json, or a cubin that contradicts it.
type FormatError struct {
	Where   string // the part, like `param "n"`; "" for the whole file
	Problem string
}

// Error returns one line.
func (e *FormatError) Error() string {
	if e.Where == "" {
		return e.Problem
	}
	return e.Where + ": " + e.Problem
}

func wrong(where, format string, args ...any) error {
	return &FormatError{where, fmt.Sprintf(format, args...)}
}

// MismatchError says that a buffer does not hold the expected content.
type MismatchError struct {
	Param     *Param
	Index     int    // first word that differs; of a pair, its low word
	Got, Want uint64 // the word, or under Float64 the pair
	Differ    int    // words, or pairs, that differ
	Allowed   int    // number that may differ
	Total     int
}

// Error names the buffer and the first differing word, with both values.
func (e *MismatchError) Error() string {
	unit, show := "words", func(v uint64) string { return fmt.Sprintf("0x%08x", v) }
	switch e.Param.Compare {
	case Float32:
		show = func(v uint64) string { return fmt.Sprintf("0x%08x (%g)", v, math.Float32frombits(uint32(v))) }
	case Float64:
		unit, show = "pairs", func(v uint64) string { return fmt.Sprintf("0x%016x (%g)", v, math.Float64frombits(v)) }
	}
	s := fmt.Sprintf("buffer %s: word %d is %s, want %s", e.Param.Name, e.Index, show(e.Got), show(e.Want))
	switch e.Param.Compare {
	case Float32, Float64:
		s += fmt.Sprintf(" within %g + %g*|want|", e.Param.ATol, e.Param.RTol)
	case Unchanged:
		s += " as before the launch"
	}
	s += fmt.Sprintf("; %d of %d %s differ", e.Differ, e.Total, unit)
	if e.Allowed > 0 {
		s += fmt.Sprintf(", %d may", e.Allowed)
	}
	return s
}
