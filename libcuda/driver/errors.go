package driver

import (
	"errors"
	"fmt"
)

// Error returns the constant's name in cuda.h.
func (r Result) Error() string {
	if name, ok := resultNames[r]; ok {
		return name
	}
	return fmt.Sprintf("CUresult %d", int(r))
}

// Error is the failure of a call for a reason, which the log has, too.
type Error struct {
	Result Result
	Reason string // one line
	Cause  error  // such as a *simt.RefusedError; may be nil
}

// Error gives the reason, and the constant's name in cuda.h.
func (e *Error) Error() string { return fmt.Sprintf("%s (%v)", e.Reason, e.Result) }

// Unwrap returns the result and the cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Result}
	}
	return []error{e.Result, e.Cause}
}

// failure returns the error of a call that fails because of cause, which may be nil.
func failure(result Result, cause error, format string, args ...any) error {
	return &Error{result, oneLine(fmt.Sprintf(format, args...)), cause}
}

// logged logs the reason of a failure, and returns err.
func (d *Driver) logged(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		d.log.Error("%s", e.Reason)
	}
	return err
}

// ResultOf returns the code for a call that failed with err: Success for nil, and ErrUnknown for an
// error of another package.
func ResultOf(err error) Result {
	if err == nil {
		return Success
	}
	var r Result
	if errors.As(err, &r) {
		return r
	}
	return ErrUnknown
}
