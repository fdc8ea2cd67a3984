package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

// The names of the files are ignored, because nothing is written.

//export goProfilerInitialize
func goProfilerInitialize(thread C.uint64_t, config, output *C.char, mode C.CUoutput_mode) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.ProfilerInitialize(driver.ProfilerOutput(mode)) })
}

//export goProfilerStart
func goProfilerStart(thread C.uint64_t) C.CUresult { return do(thread, (*driver.Thread).ProfilerStart) }

//export goProfilerStop
func goProfilerStop(thread C.uint64_t) C.CUresult { return do(thread, (*driver.Thread).ProfilerStop) }
