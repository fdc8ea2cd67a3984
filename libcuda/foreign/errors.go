package foreign

import (
	"fmt"
	"strings"

	"jacquard/libcuda/driver"
)

// Error is a call that the library answered with anything but CUDA_SUCCESS.
type Error struct {
	Call   string // the function
	Result driver.Result
	Log    string // what the library said about it, if it did: of images
}

// Error names the function and the code.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %v", e.Call, e.Result)
	if e.Log != "" {
		s += ": " + strings.Join(strings.Fields(e.Log), " ")
	}
	return s
}

// Unwrap returns the code.
func (e *Error) Unwrap() error { return e.Result }

// LoadError says that a file cannot be used as a libcuda.
type LoadError struct {
	Path string
	Why  string
	Err  error // what the system said; may be nil
}

// Error says why, and what to do where there is something.
func (e *LoadError) Error() string { return e.Path + ": " + e.Why }

// Unwrap returns what the system said.
func (e *LoadError) Unwrap() error { return e.Err }
