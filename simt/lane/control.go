package lane

import "runtime"

// WithPlainFloats calls do with the host's floating point as Go expects it: rounding to
// nearest, denormal numbers as they are. A host program may have changed that for its
// threads (the start code of gcc's -ffast-math does), and threads inherit it; kernels would
// then compute something else. What it was is put back.
func WithPlainFloats(do func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	was := exchangeControl(plainControl)
	defer exchangeControl(was)
	do()
}
