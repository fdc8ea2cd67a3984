package stats

import "fmt"

// FormatError is a file that holds no statistics, or is damaged.
type FormatError struct {
	Offset int64 // in bytes: about where it is wrong
	Reason string
}

// Error gives the reason and the offset.
func (e *FormatError) Error() string {
	return fmt.Sprintf("statistics: offset %#x: %s", e.Offset, e.Reason)
}
