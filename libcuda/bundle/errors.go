package bundle

import "fmt"

// FormatError is a file that is no bundle, or is damaged.
type FormatError struct {
	Offset int64 // in bytes, of the frame that is wrong
	Reason string
	Memory bool // the bundle may be right, but MostMemory is too little for it
}

// Error gives the reason and the offset.
func (e *FormatError) Error() string {
	return fmt.Sprintf("bundle: offset %#x: %s", e.Offset, e.Reason)
}

// CutError is a bundle whose recorder ended in the middle: everything before is good.
type CutError struct {
	Offset   int64 // in bytes, of the frame that is not whole, or the end of the file
	Launches int   // whole ones before it
}

// Error says how much there is.
func (e *CutError) Error() string {
	return fmt.Sprintf("bundle: offset %#x: the recording breaks off within a launch, after %d whole ones", e.Offset, e.Launches)
}

// OptionError is an option that does not exist, or a value that it does not take.
type OptionError struct {
	Text string // what was wrong
	Want string // the good ones, in words
}

// Error names the mistake and lists the good options.
func (e *OptionError) Error() string { return fmt.Sprintf("bundle: %s: want %s", e.Text, e.Want) }
