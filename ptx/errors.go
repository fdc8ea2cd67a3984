package ptx

import (
	"fmt"
	"strings"
)

// maxErrors is how many errors of a text are reported.
const maxErrors = 100

// Error is one mistake in a text.
type Error struct {
	Name    string // of the source
	Pos     Pos
	Message string
}

// Error returns "name:line:column: message".
func (e *Error) Error() string { return fmt.Sprintf("%s:%v: %s", e.Name, e.Pos, e.Message) }

// Errors are the mistakes in a text, in its order, 100 at most.
type Errors []*Error

// Error returns all messages, one per line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors for errors.As.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}
