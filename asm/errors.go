package asm

import "fmt"

// SyntaxError is a mistake in a text, with its place. Columns count bytes from 1.
type SyntaxError struct {
	Line, Column int
	Message      string
}

// Error returns "line L, column C: message".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}
