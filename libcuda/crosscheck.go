package main

// #include <stdlib.h>
// #include "server.h"
import "C"

import (
	"os"
	"unsafe"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/mirror"
)

// witness makes the witness that the crosscheck knob asks for: it does all work on another libcuda too.
func witness(s driver.Settings) (driver.Witness, error) {
	if s.Crosscheck == "" {
		return nil, nil
	}
	options, err := driver.ParseCrosscheck(s.Crosscheck)
	if err != nil {
		return nil, err
	}
	defer hideKnobs()()
	m, err := mirror.New(options, os.Stderr)
	if err != nil {
		return nil, err
	}
	C.jacquard_at_exit() // behind what the other library has registered, so that it still works when we end
	return m, nil
}

// sharedKnobs are those that another build of this library is to heed as well while it is compared with.
var sharedKnobs = map[string]bool{"device": true, "policy": true, "simd": true, "watchdog": true, "warpsync": true, "workers": true}

// hideKnobs keeps another build of this library, which is about to read its knobs, from writing to our files, and from
// asking for a third. What it returns undoes it: the program's children get the environment that it was given.
func hideKnobs() (restore func()) {
	var undo []func()
	for _, k := range driver.Knobs() {
		value, given := lookupEnv(k.Env)
		if sharedKnobs[k.Name] || !given {
			continue
		}
		setEnv(k.Env, nil)
		undo = append(undo, func() { setEnv(k.Env, &value) })
	}
	return func() {
		for _, f := range undo {
			f()
		}
	}
}

// setEnv sets an environment variable of the process, or removes it: Go would do so in its own copy alone.
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
