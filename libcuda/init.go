package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goInit
func goInit(thread C.uint64_t, flags C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.Init(uint32(flags)) })
}

//export goDriverGetVersion
func goDriverGetVersion(thread C.uint64_t, version *C.int) C.CUresult {
	return get(thread, version, (*driver.Thread).DriverGetVersion)
}
