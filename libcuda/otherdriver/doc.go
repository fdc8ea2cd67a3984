// Package otherdriver opens another libcuda beside the simulator's own, and calls it: a real
// driver, or any library with the driver API of CUDA 4.0 or later.
//
// [Open] loads a library so that neither sees the other's symbols, and refuses one that the process
// has loaded already: it would talk to itself. A [Driver]'s methods are the CUDA functions that
// take modules to memory and launches, in one form each; handles and addresses are the library's
// own, as numbers. A failed call is an [*Error], which names it.
//
// The current context belongs to the system's thread: the caller stays on one
// ([runtime.LockOSThread]) from [Driver.CtxSetCurrent] to the last call that relies on it.
package otherdriver
