package main

// #include "abi_gen.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

//export goMemAllocHostV2
func goMemAllocHostV2(thread C.uint64_t, p *unsafe.Pointer, bytes C.size_t) C.CUresult {
	return get(thread, address(p), func(t *driver.Thread) (uintptr, error) { return t.MemAllocHost(uint64(bytes)) })
}

// address returns p as a pointer to a number, because addresses are no pointers of Go.
func address(p *unsafe.Pointer) *uintptr { return (*uintptr)(unsafe.Pointer(p)) }

//export goMemHostAlloc
func goMemHostAlloc(thread C.uint64_t, p *unsafe.Pointer, bytes C.size_t, flags C.uint) C.CUresult {
	return get(thread, address(p), func(t *driver.Thread) (uintptr, error) {
		return t.MemHostAlloc(uint64(bytes), uint32(flags))
	})
}

//export goMemFreeHost
func goMemFreeHost(thread C.uint64_t, p C.uintptr_t) C.CUresult {
	if p == 0 {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error { return t.MemFreeHost(uintptr(p)) })
}

//export goMemHostGetDevicePointer
func goMemHostGetDevicePointer(thread C.uint64_t, ptr *C.CUdeviceptr_v1, p C.uintptr_t, flags C.uint) C.CUresult {
	return memHostGetDevicePointer(thread, ptr, p, flags)
}

//export goMemHostGetDevicePointerV2
func goMemHostGetDevicePointerV2(thread C.uint64_t, ptr *C.CUdeviceptr, p C.uintptr_t, flags C.uint) C.CUresult {
	return memHostGetDevicePointer(thread, ptr, p, flags)
}

func memHostGetDevicePointer[P number](thread C.uint64_t, ptr *P, p C.uintptr_t, flags C.uint) C.CUresult {
	return get(thread, ptr, func(t *driver.Thread) (driver.DevicePtr, error) {
		return t.MemHostGetDevicePointer(uintptr(p), uint32(flags))
	})
}

//export goMemHostGetFlags
func goMemHostGetFlags(thread C.uint64_t, flags *C.uint, p C.uintptr_t) C.CUresult {
	return get(thread, flags, func(t *driver.Thread) (uint32, error) { return t.MemHostGetFlags(uintptr(p)) })
}

//export goMemHostRegisterV2
func goMemHostRegisterV2(thread C.uint64_t, p C.uintptr_t, bytes C.size_t, flags C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemHostRegister(uintptr(p), uint64(bytes), uint32(flags))
	})
}

//export goMemHostUnregister
func goMemHostUnregister(thread C.uint64_t, p C.uintptr_t) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.MemHostUnregister(uintptr(p)) })
}
