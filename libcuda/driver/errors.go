package driver

import (
	"errors"
	"fmt"
)

// Error returns the constant's name as cuda.h has it.
func (r Result) Error() string {
	if name, ok := resultNames[r]; ok {
		return name
	}
	return fmt.Sprintf("CUresult %d", int(r))
}

// ResultOf returns the code that a call which failed with err answers: Success for nil, and
// ErrUnknown for an error that is not the driver's.
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
