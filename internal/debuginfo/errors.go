package debuginfo

import "fmt"

// Error says why DWARF cannot be read.
type Error struct {
	Offset  uint64 // in the section .debug_info
	Problem string
}

// Error returns the place and the problem.
func (e *Error) Error() string {
	return fmt.Sprintf("debug information at 0x%x: %s", e.Offset, e.Problem)
}

// ValueError says why a value cannot be shown.
type ValueError struct{ Problem string }

// Error returns the problem.
func (e *ValueError) Error() string { return e.Problem }

func valueErrorf(format string, args ...any) error { return &ValueError{fmt.Sprintf(format, args...)} }
