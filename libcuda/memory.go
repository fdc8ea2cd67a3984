package main

// #include "abi_gen.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

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

//export goMemFree
func goMemFree(thread C.uint64_t, ptr C.CUdeviceptr_v1) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.MemFree(driver.DevicePtr(ptr)) })
}

//export goMemFreeV2
func goMemFreeV2(thread C.uint64_t, ptr C.CUdeviceptr) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.MemFree(driver.DevicePtr(ptr)) })
}

// A program may ask for the start or the size of an allocation alone.

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

//export goMemcpyHtoD
func goMemcpyHtoD(thread C.uint64_t, dst C.CUdeviceptr_v1, src unsafe.Pointer, bytes C.uint) C.CUresult {
	return memcpyHtoD(thread, uint64(dst), src, uint64(bytes))
}

//export goMemcpyHtoDV2
func goMemcpyHtoDV2(thread C.uint64_t, dst C.CUdeviceptr, src unsafe.Pointer, bytes C.size_t) C.CUresult {
	return memcpyHtoD(thread, uint64(dst), src, uint64(bytes))
}

func memcpyHtoD(thread C.uint64_t, dst uint64, src unsafe.Pointer, bytes uint64) C.CUresult {
	b, ok := host(src, bytes)
	if !ok {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error { return t.MemcpyHtoD(driver.DevicePtr(dst), b) })
}

//export goMemcpyHtoDAsync
func goMemcpyHtoDAsync(thread C.uint64_t, dst C.CUdeviceptr_v1, src unsafe.Pointer, bytes C.uint, stream C.CUstream) C.CUresult {
	return memcpyHtoDAsync(thread, uint64(dst), src, uint64(bytes), stream)
}

//export goMemcpyHtoDAsyncV2
func goMemcpyHtoDAsyncV2(thread C.uint64_t, dst C.CUdeviceptr, src unsafe.Pointer, bytes C.size_t, stream C.CUstream) C.CUresult {
	return memcpyHtoDAsync(thread, uint64(dst), src, uint64(bytes), stream)
}

func memcpyHtoDAsync(thread C.uint64_t, dst uint64, src unsafe.Pointer, bytes uint64, stream C.CUstream) C.CUresult {
	b, ok := host(src, bytes)
	if !ok {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyHtoDAsync(driver.DevicePtr(dst), b, driver.Stream(stream))
	})
}

//export goMemcpyDtoH
func goMemcpyDtoH(thread C.uint64_t, dst unsafe.Pointer, src C.CUdeviceptr_v1, bytes C.uint) C.CUresult {
	return memcpyDtoH(thread, dst, uint64(src), uint64(bytes))
}

//export goMemcpyDtoHV2
func goMemcpyDtoHV2(thread C.uint64_t, dst unsafe.Pointer, src C.CUdeviceptr, bytes C.size_t) C.CUresult {
	return memcpyDtoH(thread, dst, uint64(src), uint64(bytes))
}

func memcpyDtoH(thread C.uint64_t, dst unsafe.Pointer, src, bytes uint64) C.CUresult {
	b, ok := host(dst, bytes)
	if !ok {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error { return t.MemcpyDtoH(b, driver.DevicePtr(src)) })
}

//export goMemcpyDtoHAsync
func goMemcpyDtoHAsync(thread C.uint64_t, dst unsafe.Pointer, src C.CUdeviceptr_v1, bytes C.uint, stream C.CUstream) C.CUresult {
	return memcpyDtoHAsync(thread, dst, uint64(src), uint64(bytes), stream)
}

//export goMemcpyDtoHAsyncV2
func goMemcpyDtoHAsyncV2(thread C.uint64_t, dst unsafe.Pointer, src C.CUdeviceptr, bytes C.size_t, stream C.CUstream) C.CUresult {
	return memcpyDtoHAsync(thread, dst, uint64(src), uint64(bytes), stream)
}

func memcpyDtoHAsync(thread C.uint64_t, dst unsafe.Pointer, src, bytes uint64, stream C.CUstream) C.CUresult {
	b, ok := host(dst, bytes)
	if !ok {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyDtoHAsync(b, driver.DevicePtr(src), driver.Stream(stream))
	})
}

//export goMemcpyDtoD
func goMemcpyDtoD(thread C.uint64_t, dst, src C.CUdeviceptr_v1, bytes C.uint) C.CUresult {
	return memcpyDtoD(thread, uint64(dst), uint64(src), uint64(bytes))
}

//export goMemcpyDtoDV2
func goMemcpyDtoDV2(thread C.uint64_t, dst, src C.CUdeviceptr, bytes C.size_t) C.CUresult {
	return memcpyDtoD(thread, uint64(dst), uint64(src), uint64(bytes))
}

func memcpyDtoD(thread C.uint64_t, dst, src, bytes uint64) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyDtoD(driver.DevicePtr(dst), driver.DevicePtr(src), bytes)
	})
}

//export goMemcpyDtoDAsync
func goMemcpyDtoDAsync(thread C.uint64_t, dst, src C.CUdeviceptr_v1, bytes C.uint, stream C.CUstream) C.CUresult {
	return memcpyDtoDAsync(thread, uint64(dst), uint64(src), uint64(bytes), stream)
}

//export goMemcpyDtoDAsyncV2
func goMemcpyDtoDAsyncV2(thread C.uint64_t, dst, src C.CUdeviceptr, bytes C.size_t, stream C.CUstream) C.CUresult {
	return memcpyDtoDAsync(thread, uint64(dst), uint64(src), uint64(bytes), stream)
}

func memcpyDtoDAsync(thread C.uint64_t, dst, src, bytes uint64, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyDtoDAsync(driver.DevicePtr(dst), driver.DevicePtr(src), bytes, driver.Stream(stream))
	})
}
