package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goMemcpyHtoAV2
func goMemcpyHtoAV2(thread C.uint64_t, dst C.CUarray, offset C.size_t, src C.uintptr_t, bytes C.size_t) C.CUresult {
	return goMemcpyHtoAAsyncV2(thread, dst, offset, src, bytes, 0)
}

//export goMemcpyHtoAAsyncV2
func goMemcpyHtoAAsyncV2(thread C.uint64_t, dst C.CUarray, offset C.size_t, src C.uintptr_t, bytes C.size_t, stream C.CUstream) C.CUresult {
	return withHost(thread, src, bytes, func(t *driver.Thread, b []byte) error {
		return t.MemcpyHtoAAsync(driver.Array(dst), uint64(offset), b, driver.Stream(stream))
	})
}

//export goMemcpyAtoHV2
func goMemcpyAtoHV2(thread C.uint64_t, dst C.uintptr_t, src C.CUarray, offset, bytes C.size_t) C.CUresult {
	return goMemcpyAtoHAsyncV2(thread, dst, src, offset, bytes, 0)
}

//export goMemcpyAtoHAsyncV2
func goMemcpyAtoHAsyncV2(thread C.uint64_t, dst C.uintptr_t, src C.CUarray, offset, bytes C.size_t, stream C.CUstream) C.CUresult {
	return withHost(thread, dst, bytes, func(t *driver.Thread, b []byte) error {
		return t.MemcpyAtoHAsync(b, driver.Array(src), uint64(offset), driver.Stream(stream))
	})
}

//export goMemcpyDtoAV2
func goMemcpyDtoAV2(thread C.uint64_t, dst C.CUarray, offset C.size_t, src C.CUdeviceptr, bytes C.size_t) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyDtoA(driver.Array(dst), uint64(offset), driver.DevicePtr(src), uint64(bytes))
	})
}

//export goMemcpyAtoDV2
func goMemcpyAtoDV2(thread C.uint64_t, dst C.CUdeviceptr, src C.CUarray, offset, bytes C.size_t) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyAtoD(driver.DevicePtr(dst), driver.Array(src), uint64(offset), uint64(bytes))
	})
}

//export goMemcpyAtoAV2
func goMemcpyAtoAV2(thread C.uint64_t, dst C.CUarray, dstOffset C.size_t, src C.CUarray, srcOffset, bytes C.size_t) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyAtoA(driver.Array(dst), uint64(dstOffset), driver.Array(src), uint64(srcOffset), uint64(bytes))
	})
}

//export goMemcpy
func goMemcpy(thread C.uint64_t, dst, src C.CUdeviceptr, bytes C.size_t) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.Memcpy(driver.DevicePtr(dst), driver.DevicePtr(src), uint64(bytes))
	})
}

//export goMemcpyAsync
func goMemcpyAsync(thread C.uint64_t, dst, src C.CUdeviceptr, bytes C.size_t, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyAsync(driver.DevicePtr(dst), driver.DevicePtr(src), uint64(bytes), driver.Stream(stream))
	})
}
