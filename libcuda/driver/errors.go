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
