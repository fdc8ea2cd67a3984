package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goStreamCreate
func goStreamCreate(thread C.uint64_t, stream *C.CUstream, flags C.uint) C.CUresult {
	return get(thread, stream, func(t *driver.Thread) (driver.Stream, error) { return t.StreamCreate(driver.StreamFlags(flags)) })
}

//export goStreamDestroy
func goStreamDestroy(thread C.uint64_t, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.StreamDestroy(driver.Stream(stream)) })
}

// The driver's streams run each call to its end, so that destroying one now or when its work is done is the same.

//export goStreamDestroyV2
func goStreamDestroyV2(thread C.uint64_t, stream C.CUstream) C.CUresult {
	return goStreamDestroy(thread, stream)
}

//export goStreamQuery
func goStreamQuery(thread C.uint64_t, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.StreamQuery(driver.Stream(stream)) })
}

//export goStreamSynchronize
func goStreamSynchronize(thread C.uint64_t, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.StreamSynchronize(driver.Stream(stream)) })
}
