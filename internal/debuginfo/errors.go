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
