package main

// #include "abi_gen.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

//export goMemcpyHtoA
func goMemcpyHtoA(thread C.uint64_t, dst C.CUarray, offset C.uint, src unsafe.Pointer, bytes C.uint) C.CUresult {
	return memcpyHtoA(thread, dst, uint64(offset), src, uint64(bytes), 0)
}

//export goMemcpyHtoAV2
func goMemcpyHtoAV2(thread C.uint64_t, dst C.CUarray, offset C.size_t, src unsafe.Pointer, bytes C.size_t) C.CUresult {
	return memcpyHtoA(thread, dst, uint64(offset), src, uint64(bytes), 0)
}

//export goMemcpyHtoAAsync
func goMemcpyHtoAAsync(thread C.uint64_t, dst C.CUarray, offset C.uint, src unsafe.Pointer, bytes C.uint, stream C.CUstream) C.CUresult {
	return memcpyHtoA(thread, dst, uint64(offset), src, uint64(bytes), stream)
}

//export goMemcpyHtoAAsyncV2
func goMemcpyHtoAAsyncV2(thread C.uint64_t, dst C.CUarray, offset C.size_t, src unsafe.Pointer, bytes C.size_t, stream C.CUstream) C.CUresult {
	return memcpyHtoA(thread, dst, uint64(offset), src, uint64(bytes), stream)
}

func memcpyHtoA(thread C.uint64_t, dst C.CUarray, offset uint64, src unsafe.Pointer, bytes uint64, stream C.CUstream) C.CUresult {
	b, ok := host(src, bytes)
	if !ok {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyHtoAAsync(driver.Array(dst), offset, b, driver.Stream(stream))
	})
}

//export goMemcpyAtoH
func goMemcpyAtoH(thread C.uint64_t, dst unsafe.Pointer, src C.CUarray, offset, bytes C.uint) C.CUresult {
	return memcpyAtoH(thread, dst, src, uint64(offset), uint64(bytes), 0)
}

//export goMemcpyAtoHV2
func goMemcpyAtoHV2(thread C.uint64_t, dst unsafe.Pointer, src C.CUarray, offset, bytes C.size_t) C.CUresult {
	return memcpyAtoH(thread, dst, src, uint64(offset), uint64(bytes), 0)
}

//export goMemcpyAtoHAsync
func goMemcpyAtoHAsync(thread C.uint64_t, dst unsafe.Pointer, src C.CUarray, offset, bytes C.uint, stream C.CUstream) C.CUresult {
	return memcpyAtoH(thread, dst, src, uint64(offset), uint64(bytes), stream)
}

//export goMemcpyAtoHAsyncV2
func goMemcpyAtoHAsyncV2(thread C.uint64_t, dst unsafe.Pointer, src C.CUarray, offset, bytes C.size_t, stream C.CUstream) C.CUresult {
	return memcpyAtoH(thread, dst, src, uint64(offset), uint64(bytes), stream)
}

func memcpyAtoH(thread C.uint64_t, dst unsafe.Pointer, src C.CUarray, offset, bytes uint64, stream C.CUstream) C.CUresult {
	b, ok := host(dst, bytes)
	if !ok {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyAtoHAsync(b, driver.Array(src), offset, driver.Stream(stream))
	})
}

//export goMemcpyDtoA
func goMemcpyDtoA(thread C.uint64_t, dst C.CUarray, offset C.uint, src C.CUdeviceptr_v1, bytes C.uint) C.CUresult {
	return memcpyDtoA(thread, dst, uint64(offset), uint64(src), uint64(bytes))
}

//export goMemcpyDtoAV2
func goMemcpyDtoAV2(thread C.uint64_t, dst C.CUarray, offset C.size_t, src C.CUdeviceptr, bytes C.size_t) C.CUresult {
	return memcpyDtoA(thread, dst, uint64(offset), uint64(src), uint64(bytes))
}

func memcpyDtoA(thread C.uint64_t, dst C.CUarray, offset, src, bytes uint64) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyDtoA(driver.Array(dst), offset, driver.DevicePtr(src), bytes)
	})
}

//export goMemcpyAtoD
func goMemcpyAtoD(thread C.uint64_t, dst C.CUdeviceptr_v1, src C.CUarray, offset, bytes C.uint) C.CUresult {
	return memcpyAtoD(thread, uint64(dst), src, uint64(offset), uint64(bytes))
}

//export goMemcpyAtoDV2
func goMemcpyAtoDV2(thread C.uint64_t, dst C.CUdeviceptr, src C.CUarray, offset, bytes C.size_t) C.CUresult {
	return memcpyAtoD(thread, uint64(dst), src, uint64(offset), uint64(bytes))
}

func memcpyAtoD(thread C.uint64_t, dst uint64, src C.CUarray, offset, bytes uint64) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyAtoD(driver.DevicePtr(dst), driver.Array(src), offset, bytes)
	})
}

//export goMemcpyAtoA
func goMemcpyAtoA(thread C.uint64_t, dst C.CUarray, dstOffset C.uint, src C.CUarray, srcOffset, bytes C.uint) C.CUresult {
	return memcpyAtoA(thread, dst, uint64(dstOffset), src, uint64(srcOffset), uint64(bytes))
}

//export goMemcpyAtoAV2
func goMemcpyAtoAV2(thread C.uint64_t, dst C.CUarray, dstOffset C.size_t, src C.CUarray, srcOffset, bytes C.size_t) C.CUresult {
	return memcpyAtoA(thread, dst, uint64(dstOffset), src, uint64(srcOffset), uint64(bytes))
}

func memcpyAtoA(thread C.uint64_t, dst C.CUarray, dstOffset uint64, src C.CUarray, srcOffset, bytes uint64) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.MemcpyAtoA(driver.Array(dst), dstOffset, driver.Array(src), srcOffset, bytes)
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
