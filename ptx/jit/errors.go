package jit

import (
	"fmt"
	"strings"
)

// Error says why PTX cannot be compiled: one line per mistake, which begins with the name of the
// source and mostly with "source:line:column: ".
type Error struct {
	Lines []string
	// Beyond says that the text is well formed PTX for a later architecture, which the device cannot
	// express.
	Beyond bool
}

// Error returns all lines.
func (e *Error) Error() string { return strings.Join(e.Lines, "\n") }

// Short returns the first line, and how many more there are.
func (e *Error) Short() string {
	switch n := len(e.Lines) - 1; n {
	case 0:
		return e.Lines[0]
	case 1:
		return e.Lines[0] + " (and 1 more error)"
	default:
		return fmt.Sprintf("%s (and %d more errors)", e.Lines[0], n)
	}
}

// newError makes an Error of the errors that the passes of the compiler return.
func newError(err error) *Error { return &Error{Lines: strings.Split(err.Error(), "\n")} }
