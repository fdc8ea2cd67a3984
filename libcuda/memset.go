package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goMemsetD8V2
func goMemsetD8V2(thread C.uint64_t, dst C.CUdeviceptr, value C.uchar, n C.size_t) C.CUresult {
	return goMemsetD8Async(thread, dst, value, n, 0)
}

//export goMemsetD16V2
func goMemsetD16V2(thread C.uint64_t, dst C.CUdeviceptr, value C.ushort, n C.size_t) C.CUresult {
	return goMemsetD16Async(thread, dst, value, n, 0)
}

//export goMemsetD32V2
func goMemsetD32V2(thread C.uint64_t, dst C.CUdeviceptr, value C.uint, n C.size_t) C.CUresult {
	return goMemsetD32Async(thread, dst, value, n, 0)
}

//export goMemsetD8Async
func goMemsetD8Async(thread C.uint64_t, dst C.CUdeviceptr, value C.uchar, n C.size_t, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemsetD8Async(driver.DevicePtr(dst), uint8(value), uint64(n), driver.Stream(stream))
	})
}

//export goMemsetD16Async
func goMemsetD16Async(thread C.uint64_t, dst C.CUdeviceptr, value C.ushort, n C.size_t, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemsetD16Async(driver.DevicePtr(dst), uint16(value), uint64(n), driver.Stream(stream))
	})
}

//export goMemsetD32Async
func goMemsetD32Async(thread C.uint64_t, dst C.CUdeviceptr, value C.uint, n C.size_t, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemsetD32Async(driver.DevicePtr(dst), uint32(value), uint64(n), driver.Stream(stream))
	})
}

//export goMemsetD2D8V2
func goMemsetD2D8V2(thread C.uint64_t, dst C.CUdeviceptr, pitch C.size_t, value C.uchar, width, height C.size_t) C.CUresult {
	return goMemsetD2D8Async(thread, dst, pitch, value, width, height, 0)
}

//export goMemsetD2D8Async
func goMemsetD2D8Async(thread C.uint64_t, dst C.CUdeviceptr, pitch C.size_t, value C.uchar, width, height C.size_t, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemsetD2D8(driver.DevicePtr(dst), uint64(pitch), uint8(value), uint64(width), uint64(height), driver.Stream(stream))
	})
}

//export goMemsetD2D16V2
func goMemsetD2D16V2(thread C.uint64_t, dst C.CUdeviceptr, pitch C.size_t, value C.ushort, width, height C.size_t) C.CUresult {
	return goMemsetD2D16Async(thread, dst, pitch, value, width, height, 0)
}

//export goMemsetD2D16Async
func goMemsetD2D16Async(thread C.uint64_t, dst C.CUdeviceptr, pitch C.size_t, value C.ushort, width, height C.size_t, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemsetD2D16(driver.DevicePtr(dst), uint64(pitch), uint16(value), uint64(width), uint64(height), driver.Stream(stream))
	})
}

//export goMemsetD2D32V2
func goMemsetD2D32V2(thread C.uint64_t, dst C.CUdeviceptr, pitch C.size_t, value C.uint, width, height C.size_t) C.CUresult {
	return goMemsetD2D32Async(thread, dst, pitch, value, width, height, 0)
}

//export goMemsetD2D32Async
func goMemsetD2D32Async(thread C.uint64_t, dst C.CUdeviceptr, pitch C.size_t, value C.uint, width, height C.size_t, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemsetD2D32(driver.DevicePtr(dst), uint64(pitch), uint32(value), uint64(width), uint64(height), driver.Stream(stream))
	})
}
