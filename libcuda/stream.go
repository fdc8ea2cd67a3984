package main

// #include "server.h"
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

// The driver's streams run each call to its end, so destroying a stream at once or after its work
// is the same.

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

//export goStreamGetFlags
func goStreamGetFlags(thread C.uint64_t, stream C.CUstream, flags *C.uint) C.CUresult {
	return get(thread, flags, func(t *driver.Thread) (driver.StreamFlags, error) {
		return t.StreamGetFlags(driver.Stream(stream))
	})
}

//export goStreamGetPriority
func goStreamGetPriority(thread C.uint64_t, stream C.CUstream, priority *C.int) C.CUresult {
	return get(thread, priority, func(t *driver.Thread) (int, error) { return t.StreamGetPriority(driver.Stream(stream)) })
}

//export goStreamWaitEvent
func goStreamWaitEvent(thread C.uint64_t, stream C.CUstream, event C.CUevent, flags C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.StreamWaitEvent(driver.Stream(stream), driver.Event(event), uint32(flags))
	})
}

//export goStreamAddCallback
func goStreamAddCallback(thread C.uint64_t, stream C.CUstream, callback C.CUstreamCallback, data C.uintptr_t, flags C.uint) C.CUresult {
	if callback == 0 {
		return invalidValue
	}
	call := func() {
		C.jacquard_call_stream_callback(callback, stream, C.CUresult(driver.Success), data)
	}
	return do(thread, func(t *driver.Thread) error {
		return t.StreamAddCallback(driver.Stream(stream), call, uint32(flags))
	})
}
