package main

// #include "server.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

// watchCalls has all calls bring the program's stack if the check knob asks for any kind of mistake.
func watchCalls() {
	if theDriver().Checks() {
		C.jacquard_watch_calls()
	}
}

//export goCallBegins
func goCallBegins(thread C.uint64_t, stack *unsafe.Pointer, depth C.int) {
	pcs := make([]uintptr, depth)
	for i, pc := range unsafe.Slice(stack, int(depth)) {
		pcs[i] = uintptr(pc)
	}
	driver.CallBegins(theDriver().Thread(uint64(thread)), pcs)
}

//export goCallEnds
func goCallEnds(thread C.uint64_t, result C.CUresult) {
	driver.CallEnds(theDriver().Thread(uint64(thread)), driver.Result(result))
}

//export goRuntimeFailed
func goRuntimeFailed(thread C.uint64_t, call, name *C.char) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		driver.RuntimeFailed(t, text(call), text(name))
		return nil
	})
}

//export goErrorAsked
func goErrorAsked(thread C.uint64_t) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		driver.ErrorAsked(t)
		return nil
	})
}
