package main

// #include "server.h"
import "C"

import (
	"sync"
	"unsafe"

	"jacquard/libcuda/driver"
)

//export goInit
func goInit(thread C.uint64_t, flags C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		err := t.Init(uint32(flags))
		if err == nil {
			atExit()
			watchCalls()
		}
		return err
	})
}

// atExit has goProcessEnd called when the process ends. The handler of another library that Init has
// loaded runs after ours, so that library works until then.
var atExit = sync.OnceFunc(func() { C.jacquard_at_exit() })

//export goDriverGetVersion
func goDriverGetVersion(thread C.uint64_t, version *C.int) C.CUresult {
	return get(thread, version, (*driver.Thread).DriverGetVersion)
}

//export goGetErrorName
func goGetErrorName(thread C.uint64_t, code C.CUresult, text **C.char) C.CUresult {
	return errorText(thread, text, func() *C.char { return C.jacquard_error_name(code) })
}

//export goGetErrorString
func goGetErrorString(thread C.uint64_t, code C.CUresult, text **C.char) C.CUresult {
	return errorText(thread, text, func() *C.char { return C.jacquard_error_words(code) })
}

// errorText stores a text that belongs to the library, or NULL.
func errorText(thread C.uint64_t, text **C.char, f func() *C.char) C.CUresult {
	if text == nil {
		return invalidValue
	}
	return do(thread, func(*driver.Thread) error {
		*text = f()
		if *text == nil {
			return driver.ErrInvalidValue
		}
		return nil
	})
}

// watchCalls has all calls bring the program's stack if the check knob asks for any kind of mistake.
func watchCalls() {
	if theDriver().Checks() {
		C.jacquard_watch_calls()
	}
}

//export goProgramGone
func goProgramGone(thread C.uint64_t) C.CUresult {
	return do(thread, func(*driver.Thread) error {
		theDriver().Judge()
		return nil
	})
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
