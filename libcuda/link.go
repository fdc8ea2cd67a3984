package main

// #include "abi_gen.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

//export goLinkCreate
func goLinkCreate(thread C.uint64_t, count C.uint, options *C.CUjit_option, values *unsafe.Pointer, link *C.CUlinkState) C.CUresult {
	if !optionsFit(count, options, values) {
		return invalidValue
	}
	return get(thread, link, func(t *driver.Thread) (driver.Link, error) {
		return t.LinkCreate(jitOptions(count, options, values))
	})
}

//export goLinkAddData
func goLinkAddData(thread C.uint64_t, link C.CUlinkState, kind C.CUjitInputType, data C.uintptr_t, size C.size_t, name *C.char, count C.uint, options *C.CUjit_option, values *unsafe.Pointer) C.CUresult {
	if data < firstPage || !optionsFit(count, options, values) {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		called := ""
		if name != nil {
			called = text(name)
		}
		return t.LinkAddData(driver.Link(link), driver.JITInput(kind), programMemory{}, uint64(data), uint64(size),
			called, jitOptions(count, options, values))
	})
}

//export goLinkAddFile
func goLinkAddFile(thread C.uint64_t, link C.CUlinkState, kind C.CUjitInputType, path *C.char, count C.uint, options *C.CUjit_option, values *unsafe.Pointer) C.CUresult {
	if path == nil || !optionsFit(count, options, values) {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		return t.LinkAddFile(driver.Link(link), driver.JITInput(kind), text(path), jitOptions(count, options, values))
	})
}

// The program gets the cubin's address, and need not ask for its size.

//export goLinkComplete
func goLinkComplete(thread C.uint64_t, link C.CUlinkState, cubin *unsafe.Pointer, size *C.size_t) C.CUresult {
	if cubin == nil {
		return invalidValue
	}
	return get2(thread, address(cubin), size, func(t *driver.Thread) (uintptr, uint64, error) {
		return t.LinkComplete(driver.Link(link))
	})
}

//export goLinkDestroy
func goLinkDestroy(thread C.uint64_t, link C.CUlinkState) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.LinkDestroy(driver.Link(link)) })
}

// The second versions differ in the C++ types of their arguments alone.

//export goLinkCreateV2
func goLinkCreateV2(thread C.uint64_t, count C.uint, options *C.CUjit_option, values *unsafe.Pointer, link *C.CUlinkState) C.CUresult {
	return goLinkCreate(thread, count, options, values, link)
}

//export goLinkAddDataV2
func goLinkAddDataV2(thread C.uint64_t, link C.CUlinkState, kind C.CUjitInputType, data C.uintptr_t, size C.size_t, name *C.char, count C.uint, options *C.CUjit_option, values *unsafe.Pointer) C.CUresult {
	return goLinkAddData(thread, link, kind, data, size, name, count, options, values)
}

//export goLinkAddFileV2
func goLinkAddFileV2(thread C.uint64_t, link C.CUlinkState, kind C.CUjitInputType, path *C.char, count C.uint, options *C.CUjit_option, values *unsafe.Pointer) C.CUresult {
	return goLinkAddFile(thread, link, kind, path, count, options, values)
}
