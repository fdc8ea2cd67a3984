package otherdriver

import (
	"cmp"
	"strings"

	"jacquard/libcuda/driver"
)

// Error is a call of the library that did not return CUDA_SUCCESS.
type Error struct {
	Call   string // the function
	Result driver.Result
	Name   string // the library's name of the code, if it has one
	Log    string // the library's log of an image, if any
}

// mostLog bounds the part of a library's log that is quoted: compilers log many lines.
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

// Code returns the name of the code: the library's, which knows more codes, or else ours.
func (e *Error) Code() string { return cmp.Or(e.Name, e.Result.Error()) }

// Unwrap returns the code.
func (e *Error) Unwrap() error { return e.Result }

// LoadError says that a file cannot be used as a libcuda.
type LoadError struct {
	Path string
	Why  string
	Err  error // the system's error; may be nil
}

// Error gives the reason, with a remedy if there is one.
func (e *LoadError) Error() string { return e.Path + ": " + e.Why }

// Unwrap returns the system's error.
func (e *LoadError) Unwrap() error { return e.Err }
