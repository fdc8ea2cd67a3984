package otherdriver

import (
	"cmp"
	"strings"

	"jacquard/libcuda/driver"
)

// Error is a call that the library answered with anything but CUDA_SUCCESS.
type Error struct {
	Call   string // the function
	Result driver.Result
	Name   string // what the library calls the code, if it says
	Log    string // what the library said about it, if it did: of images
}

// mostLog bounds what of a library's log is quoted: compilers say something about each line that
// they do not like.
const mostLog = 160

// Error names the function and the code.
func (e *Error) Error() string {
	s := e.Call + ": " + e.Code()
	if e.Log == "" {
		return s
	}
	log := strings.ToValidUTF8(strings.Join(strings.Fields(e.Log), " "), "?")
	if len(log) > mostLog {
		log = strings.ToValidUTF8(log[:mostLog], "") + " ..."
	}
	return s + ": " + log
}

// Code returns the name of the code: the library's own, which knows more of them than ours.
func (e *Error) Code() string { return cmp.Or(e.Name, e.Result.Error()) }

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
