package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goEventCreate
func goEventCreate(thread C.uint64_t, event *C.CUevent, flags C.uint) C.CUresult {
	return get(thread, event, func(t *driver.Thread) (driver.Event, error) {
		return t.EventCreate(driver.EventFlags(flags))
	})
}

//export goEventDestroy
func goEventDestroy(thread C.uint64_t, event C.CUevent) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.EventDestroy(driver.Event(event)) })
}

// Recorded events are done at once, so both ways to destroy one are the same.

//export goEventDestroyV2
func goEventDestroyV2(thread C.uint64_t, event C.CUevent) C.CUresult {
	return goEventDestroy(thread, event)
}

//export goEventRecord
func goEventRecord(thread C.uint64_t, event C.CUevent, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.EventRecord(driver.Event(event), driver.Stream(stream)) })
}

//export goEventQuery
func goEventQuery(thread C.uint64_t, event C.CUevent) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.EventQuery(driver.Event(event)) })
}

//export goEventSynchronize
func goEventSynchronize(thread C.uint64_t, event C.CUevent) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.EventSynchronize(driver.Event(event)) })
}

//export goEventElapsedTime
func goEventElapsedTime(thread C.uint64_t, milliseconds *C.float, start, end C.CUevent) C.CUresult {
	return get(thread, milliseconds, func(t *driver.Thread) (float32, error) {
		return t.EventElapsedTime(driver.Event(start), driver.Event(end))
	})
}
