package lane

import "runtime"

// WithPlainFloats calls do with the host's floating point in Go's mode: rounding to nearest,
// denormal numbers unchanged. A host program may have changed the control register of its threads,
// as the start code of gcc's -ffast-math does; threads inherit it, and kernels would compute other
// results. The old value is restored.
func WithPlainFloats(do func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	was := exchangeControl(plainControl)
	defer exchangeControl(was)
	do()
}
