package driver

import (
	"errors"
	"fmt"

	"jacquard/simt"
)

// faultResults maps a fault to its error in driver version 6050. Older callers read 700 as "launch
// failed", which is right too.
var faultResults = map[simt.FaultKind]Result{
	simt.FaultIllegalInstruction: ErrIllegalInstruction,
	simt.FaultIllegalAddress:     ErrIllegalAddress,
	simt.FaultMisaligned:         ErrMisalignedAddress,
	simt.FaultInvalidPC:          ErrInvalidPC,
	simt.FaultStack:              ErrHardwareStackError,
	simt.FaultTrap:               ErrLaunchFailed,
	simt.FaultBarrier:            ErrLaunchTimeout,
	simt.FaultLivelock:           ErrLaunchTimeout,
	simt.FaultWatchdog:           ErrLaunchTimeout,
	simt.FaultInterrupt:          ErrLaunchTimeout,
	simt.FaultUnsupported:        ErrNotSupported, // a limit of the simulator, not of the kernel
	simt.FaultInternal:           ErrUnknown,
}

// launchResult maps the error of a launch to a Result. refused means that the call answers it, and
// that the context goes on; otherwise the result stays in the context.
func launchResult(err error) (result Result, refused bool) {
	var fault *simt.Fault
	var launch *simt.LaunchError
	var policy *simt.RefusedError
	var host *hostMemoryError
	switch {
	case err == nil:
		return Success, false
	case errors.As(err, &fault):
		if r, ok := faultResults[fault.Kind]; ok {
			return r, false
		}
		return ErrUnknown, false
	case errors.As(err, &host):
		return ErrInvalidValue, true
	case errors.As(err, &launch) && launch.Resources:
		return ErrLaunchOutOfResources, true
	case errors.As(err, &launch):
		return ErrInvalidValue, true
	case errors.As(err, &policy):
		return ErrNotSupported, true
	}
	return ErrUnknown, true
}

// ResultOfLaunch returns the answer, of this call or the next, for a launch that ended with err.
func ResultOfLaunch(err error) Result {
	result, _ := launchResult(err)
	return result
}

// launchFailure is the error of a launch of kernel that ended with err, for which result stands.
func launchFailure(kernel string, result Result, err error) error {
	return failure(result, err, "%s", launchMessage(kernel, err))
}

// launchMessage is the log line for a launch of kernel that failed with err.
func launchMessage(kernel string, err error) string {
	var fault *simt.Fault
	switch {
	case !errors.As(err, &fault):
		if host, ok := errors.AsType[*hostMemoryError](err); ok {
			return fmt.Sprintf("kernel %s: %v", kernel, host)
		}
		return fmt.Sprintf("launch of kernel %s refused: %v", kernel, err)
	case fault.Kind == simt.FaultInternal:
		return fmt.Sprintf("%v; this is a bug in Jacquard, please report it", err)
	}
	return err.Error()
}
