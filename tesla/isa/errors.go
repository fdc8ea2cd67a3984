package isa

import "fmt"

// Error is a mistake in a description, with its place.
type Error struct {
	Pos
	Message string
}

// Error returns "file:line: message".
func (e *Error) Error() string { return e.Pos.String() + ": " + e.Message }

func errorf(p Pos, format string, args ...any) error {
	return &Error{Pos: p, Message: fmt.Sprintf(format, args...)}
}
