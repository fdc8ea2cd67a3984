package bundle

import "fmt"

// FormatError is a file that is no bundle, or is damaged.
type FormatError struct {
	Offset int64 // in bytes, of the bad frame
	Reason string
	Memory bool // the bundle may be right, but needs more than MostMemory
}

// Error gives the reason and the offset.
func (e *FormatError) Error() string {
	return fmt.Sprintf("bundle: offset %#x: %s", e.Offset, e.Reason)
}

// CutError is a bundle whose recorder was interrupted: everything before Offset is good.
type CutError struct {
	Offset   int64 // in bytes, of the incomplete frame, or the end of the file
	Launches int   // whole ones before it
}

// Error gives the number of whole launches.
func (e *CutError) Error() string {
	return fmt.Sprintf("bundle: offset %#x: the recording breaks off within a launch, after %d whole ones", e.Offset, e.Launches)
}

// OptionError is an unknown option, or a value that the option does not take.
type OptionError struct {
	Text string // the mistake
	Want string // the good ones, in words
}

// Error names the mistake and lists the good options.
func (e *OptionError) Error() string { return fmt.Sprintf("bundle: %s: want %s", e.Text, e.Want) }
