package lane

import "runtime"

// WithPlainFloats calls do with the host's floating point as Go expects it: rounding to
// nearest, denormal numbers as they are. A host program may have changed the
// control register of its threads, as the start code of gcc's -ffast-math does; threads inherit it,
// and kernels would compute something else. The old value is put back.
func WithPlainFloats(do func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	was := exchangeControl(plainControl)
	defer exchangeControl(was)
	do()
}
