package main

// #include <stdlib.h>
// #include "server.h"
import "C"

import (
	"os"
	"slices"
	"unsafe"

	"jacquard/board/mirror"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// listener makes the listener of the crosscheck knob: a mirror that does all work on another
// libcuda too.
func listener(s knobs.Settings) (driver.Listener, error) {
	if s.Crosscheck == "" {
		return nil, nil
	}
	options, err := knobs.ParseCrosscheck(s.Crosscheck)
	if err != nil {
		return nil, err
	}
	defer hideKnobs()()
	m, err := mirror.New(options, os.Stderr)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// sharedKnobs also apply to another build of this library.
var sharedKnobs = []string{"device", "engine", "order", "policy", "simd", "warpsync", "watchdog", "workers"}

// hideKnobs keeps another build of this library, which is about to read its knobs, from writing to
// our files and from loading a third library, and has it lay memory out as we do. restore undoes it
// for the program's children.
func hideKnobs() (restore func()) {
	var undo []func()
	for _, k := range knobs.All() {
		value, given := lookupEnv(k.Env)
		old := &value
		if !given {
			old = nil
		}
		switch {
		case k.Name == "memory":
			apart := "board" // as the memory of a driver with a mirror lies, so addresses are the same
			setEnv(k.Env, &apart)
		case given && !slices.Contains(sharedKnobs, k.Name):
			setEnv(k.Env, nil)
		default:
			continue
		}
		undo = append(undo, func() { setEnv(k.Env, old) })
	}
	return func() {
		for _, f := range undo {
			f()
		}
	}
}

// setEnv sets or removes an environment variable in C; os.Setenv would change Go's copy only.
func setEnv(name string, value *string) {
	key := C.CString(name)
	defer C.free(unsafe.Pointer(key))
	if value == nil {
		C.unsetenv(key)
		return
	}
	text := C.CString(*value)
	defer C.free(unsafe.Pointer(text))
	C.setenv(key, text, 1)
}

//export goProcessEnd
func goProcessEnd(thread C.uint64_t) C.CUresult {
	return do(thread, func(*driver.Thread) error {
		theDriver().End()
		return nil
	})
}
