package main

// #include "server.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

//export goGetProcAddress
func goGetProcAddress(thread C.uint64_t, name *C.char, pfn *unsafe.Pointer, version C.int, flags C.cuuint64_t) C.CUresult {
	return procAddress(thread, name, pfn, version, flags, nil)
}

//export goGetProcAddressV2
func goGetProcAddressV2(thread C.uint64_t, name *C.char, pfn *unsafe.Pointer, version C.int, flags C.cuuint64_t, status *C.CUdriverProcAddressQueryResult) C.CUresult {
	return procAddress(thread, name, pfn, version, flags, status)
}

// procAddress stores the function, or NULL, and the status of the search. status may be NULL.
func procAddress(thread C.uint64_t, name *C.char, pfn *unsafe.Pointer, version C.int, flags C.cuuint64_t, status *C.CUdriverProcAddressQueryResult) C.CUresult {
	if name == nil || pfn == nil {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		row, found, err := t.GetProcAddress(text(name), int(version), uint64(flags))
		*pfn = nil
		if err == nil {
			*pfn = unsafe.Pointer(C.jacquard_symbol(C.int(row)))
		}
		*wanted(status) = C.CUdriverProcAddressQueryResult(found)
		return err
	})
}
