package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goMemsetD8
func goMemsetD8(thread C.uint64_t, dst C.CUdeviceptr_v1, value C.uchar, n C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.MemsetD8(driver.DevicePtr(dst), uint8(value), uint64(n)) })
}

//export goMemsetD8V2
func goMemsetD8V2(thread C.uint64_t, dst C.CUdeviceptr, value C.uchar, n C.size_t) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.MemsetD8(driver.DevicePtr(dst), uint8(value), uint64(n)) })
}

//export goMemsetD16
func goMemsetD16(thread C.uint64_t, dst C.CUdeviceptr_v1, value C.ushort, n C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.MemsetD16(driver.DevicePtr(dst), uint16(value), uint64(n)) })
}

//export goMemsetD16V2
func goMemsetD16V2(thread C.uint64_t, dst C.CUdeviceptr, value C.ushort, n C.size_t) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.MemsetD16(driver.DevicePtr(dst), uint16(value), uint64(n)) })
}

//export goMemsetD32
func goMemsetD32(thread C.uint64_t, dst C.CUdeviceptr_v1, value, n C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.MemsetD32(driver.DevicePtr(dst), uint32(value), uint64(n)) })
}

//export goMemsetD32V2
func goMemsetD32V2(thread C.uint64_t, dst C.CUdeviceptr, value C.uint, n C.size_t) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.MemsetD32(driver.DevicePtr(dst), uint32(value), uint64(n)) })
}
