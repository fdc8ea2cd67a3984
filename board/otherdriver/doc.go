// Package otherdriver opens another libcuda beside the simulator's own: a board's driver, or any
// library with the driver API of CUDA 4.0 or later.
//
// [Open] loads a library so that neither sees the other's symbols. It refuses a library that the
// process has loaded already, which would be the simulator itself. A [Driver]'s methods are the
// CUDA functions from modules to memory and launches, in one form each. Handles and addresses are
// the library's own, as numbers. A failed call is an [*Error] with the call's name.
//
// [Places] says which memory here is which memory there: it translates addresses, and finds the
// words that differ only because both sides have their own addresses. [Textures] binds texture
// references, and keeps the counterparts of arrays.
//
// The current context belongs to the system's thread: the caller stays on one thread
// ([runtime.LockOSThread]) from [Driver.CtxSetCurrent] to the last call that relies on it.
package otherdriver
