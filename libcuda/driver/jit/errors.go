package jit

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/link"
)

// Error says why PTX cannot be compiled: one line per mistake, "source:line:column: message".
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

// placed matches a message that begins with its place in the text, perhaps after the name of the
// kernel.
var placed = regexp.MustCompile(`^(?:[\w$%]+: )?(\d+:\d+: .*)$`)

// newError makes an Error of what the passes of the compiler return.
func newError(source string, err error) *Error {
	e := new(Error)
	e.add(source, err)
	return e
}

// add adds the lines of an error. Joined errors are taken apart.
func (e *Error) add(source string, err error) {
	complete := false // it names its source
	switch x := err.(type) {
	case interface{ Unwrap() []error }:
		for _, inner := range x.Unwrap() {
			e.add(source, inner)
		}
		return
	case *ptx.Error, *link.Error:
		complete = true
	}
	if inner := errors.Unwrap(err); inner != nil {
		if _, joined := inner.(interface{ Unwrap() []error }); joined {
			e.add(source, inner)
			return
		}
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		switch found := placed.FindStringSubmatch(line); {
		case complete || strings.HasPrefix(line, source+":"):
		case found != nil:
			line = source + ":" + found[1]
		default:
			line = source + ": " + line
		}
		e.Lines = append(e.Lines, line)
	}
}
