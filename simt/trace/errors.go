package trace

import "fmt"

// FormatError is a file that is no trace, or is damaged.
type FormatError struct {
	Offset int64 // in bytes, of the frame or the byte that is wrong
	Reason string
}

// Error gives the reason and the offset.
func (e *FormatError) Error() string { return fmt.Sprintf("trace: offset %#x: %s", e.Offset, e.Reason) }

// LimitError says that reading was given up after so much work. The steps until then are good.
type LimitError struct{ Work uint64 }

// Error says how much work was done.
func (e *LimitError) Error() string {
	return fmt.Sprintf("trace: reading takes more than the work of %d warp-instructions", e.Work)
}

// OptionError is an option that does not exist, or a value that it does not take.
type OptionError struct {
	Text string // what was wrong
	Want string // the good ones, in words
}

// Error names what was wrong and lists what is right.
func (e *OptionError) Error() string { return fmt.Sprintf("trace: %s: want %s", e.Text, e.Want) }
