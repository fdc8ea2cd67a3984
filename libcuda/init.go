package main

// #include "server.h"
import "C"

import (
	"sync"

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
