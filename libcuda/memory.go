package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goMemGetInfo
func goMemGetInfo(thread C.uint64_t, free, total *C.uint) C.CUresult {
	return memGetInfo(thread, free, total)
}

//export goMemGetInfoV2
func goMemGetInfoV2(thread C.uint64_t, free, total *C.size_t) C.CUresult {
	return memGetInfo(thread, free, total)
}

func memGetInfo[S number](thread C.uint64_t, free, total *S) C.CUresult {
	if free == nil || total == nil {
		return invalidValue
	}
	return get2(thread, free, total, (*driver.Thread).MemGetInfo)
}

//export goMemAlloc
func goMemAlloc(thread C.uint64_t, ptr *C.CUdeviceptr_v1, bytes C.uint) C.CUresult {
	return memAlloc(thread, ptr, uint64(bytes))
}

//export goMemAllocV2
func goMemAllocV2(thread C.uint64_t, ptr *C.CUdeviceptr, bytes C.size_t) C.CUresult {
	return memAlloc(thread, ptr, uint64(bytes))
}

func memAlloc[P number](thread C.uint64_t, ptr *P, bytes uint64) C.CUresult {
	return get(thread, ptr, func(t *driver.Thread) (driver.DevicePtr, error) { return t.MemAlloc(bytes) })
}

//export goMemAllocPitch
func goMemAllocPitch(thread C.uint64_t, ptr *C.CUdeviceptr_v1, pitch *C.uint, width, height, element C.uint) C.CUresult {
	return memAllocPitch(thread, ptr, pitch, uint64(width), uint64(height), uint32(element))
}

//export goMemAllocPitchV2
func goMemAllocPitchV2(thread C.uint64_t, ptr *C.CUdeviceptr, pitch *C.size_t, width, height C.size_t, element C.uint) C.CUresult {
	return memAllocPitch(thread, ptr, pitch, uint64(width), uint64(height), uint32(element))
}

func memAllocPitch[P, S number](thread C.uint64_t, ptr *P, pitch *S, width, height uint64, element uint32) C.CUresult {
	if ptr == nil || pitch == nil {
		return invalidValue
	}
	return get2(thread, ptr, pitch, func(t *driver.Thread) (driver.DevicePtr, uint64, error) {
		return t.MemAllocPitch(width, height, element)
	})
}

//export goMemFreeV2
func goMemFreeV2(thread C.uint64_t, ptr C.CUdeviceptr) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.MemFree(driver.DevicePtr(ptr)) })
}

// A program may ask for only the start or only the size of an allocation.

//export goMemGetAddressRange
func goMemGetAddressRange(thread C.uint64_t, base *C.CUdeviceptr_v1, bytes *C.uint, ptr C.CUdeviceptr_v1) C.CUresult {
	return get2(thread, base, bytes, func(t *driver.Thread) (driver.DevicePtr, uint64, error) {
		return t.MemGetAddressRange(driver.DevicePtr(ptr))
	})
}

//export goMemGetAddressRangeV2
func goMemGetAddressRangeV2(thread C.uint64_t, base *C.CUdeviceptr, bytes *C.size_t, ptr C.CUdeviceptr) C.CUresult {
	return get2(thread, base, bytes, func(t *driver.Thread) (driver.DevicePtr, uint64, error) {
		return t.MemGetAddressRange(driver.DevicePtr(ptr))
	})
}

//export goMemcpyHtoDV2
func goMemcpyHtoDV2(thread C.uint64_t, dst C.CUdeviceptr, src C.uintptr_t, bytes C.size_t) C.CUresult {
	return goMemcpyHtoDAsyncV2(thread, dst, src, bytes, 0)
}

//export goMemcpyHtoDAsyncV2
func goMemcpyHtoDAsyncV2(thread C.uint64_t, dst C.CUdeviceptr, src C.uintptr_t, bytes C.size_t, stream C.CUstream) C.CUresult {
	return withHost(thread, src, bytes, func(t *driver.Thread, b []byte) error {
		return t.MemcpyHtoDAsync(driver.DevicePtr(dst), b, driver.Stream(stream))
	})
}

//export goMemcpyDtoHV2
func goMemcpyDtoHV2(thread C.uint64_t, dst C.uintptr_t, src C.CUdeviceptr, bytes C.size_t) C.CUresult {
	return goMemcpyDtoHAsyncV2(thread, dst, src, bytes, 0)
}

//export goMemcpyDtoHAsyncV2
func goMemcpyDtoHAsyncV2(thread C.uint64_t, dst C.uintptr_t, src C.CUdeviceptr, bytes C.size_t, stream C.CUstream) C.CUresult {
	return withHost(thread, dst, bytes, func(t *driver.Thread, b []byte) error {
		return t.MemcpyDtoHAsync(b, driver.DevicePtr(src), driver.Stream(stream))
	})
}

//export goMemcpyDtoDV2
func goMemcpyDtoDV2(thread C.uint64_t, dst, src C.CUdeviceptr, bytes C.size_t) C.CUresult {
	return goMemcpyDtoDAsyncV2(thread, dst, src, bytes, 0)
}

//export goMemcpyDtoDAsyncV2
func goMemcpyDtoDAsyncV2(thread C.uint64_t, dst, src C.CUdeviceptr, bytes C.size_t, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyDtoDAsync(driver.DevicePtr(dst), driver.DevicePtr(src), uint64(bytes), driver.Stream(stream))
	})
}

// withHost is do for a call with size bytes of the program's memory at p.
func withHost(thread C.uint64_t, p C.uintptr_t, size C.size_t, f func(*driver.Thread, []byte) error) C.CUresult {
	b, ok := host(p, uint64(size))
	if !ok {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error { return f(t, b) })
}
