package trace

import "fmt"

// FormatError reports a file that is no trace, or is damaged.
type FormatError struct {
	Offset int64 // bytes from the start of the file to the frame or byte that is wrong
	Reason string
}

// Error gives the reason and the offset.
func (e *FormatError) Error() string { return fmt.Sprintf("trace: offset %#x: %s", e.Offset, e.Reason) }

// LimitError reports that reading stopped after Work units. The steps so far are good.
type LimitError struct{ Work uint64 }

// Error gives the work done.
func (e *LimitError) Error() string {
	return fmt.Sprintf("trace: reading takes more than the work of %d warp-instructions", e.Work)
}

// OptionError reports an unknown option, or a value that an option does not take.
type OptionError struct {
	Text string // the offending text
	Want string // the accepted ones, in words
}

// Error names the offending text and lists the accepted ones.
func (e *OptionError) Error() string { return fmt.Sprintf("trace: %s: want %s", e.Text, e.Want) }
