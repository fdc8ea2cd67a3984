//go:build linked

package main

/*
#include <cuda.h>
#include <stdlib.h>

static CUresult launch(CUfunction f, unsigned blocks, unsigned threads, void *parameters, size_t size)
{
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	return cuLaunchKernel(f, blocks, 1, 1, threads, 1, 1, 0, NULL, NULL, extra);
}
*/
import "C"

import "unsafe"

type linked struct{}

func open() calls { return linked{} }

func (linked) start() (context uintptr, code int32) {
	var c C.CUcontext
	if code = int32(C.cuInit(0)); code == 0 {
		code = int32(C.cuCtxCreate(&c, 0, 0))
	}
	return uintptr(unsafe.Pointer(c)), code
}

func (linked) setCurrent(context uintptr) int32 {
	return int32(C.cuCtxSetCurrent(*(*C.CUcontext)(unsafe.Pointer(&context))))
}

func (linked) load(cubin string) (function uintptr, code int32) {
	var module C.CUmodule
	var f C.CUfunction
	path, name := C.CString(cubin), C.CString("vecadd")
	defer C.free(unsafe.Pointer(path))
	defer C.free(unsafe.Pointer(name))
	if code = int32(C.cuModuleLoad(&module, path)); code == 0 {
		code = int32(C.cuModuleGetFunction(&f, module, name))
	}
	return uintptr(unsafe.Pointer(f)), code
}

func (linked) alloc(bytes int) (address uint64, code int32) {
	var p C.CUdeviceptr
	code = int32(C.cuMemAlloc(&p, C.size_t(bytes)))
	return uint64(p), code
}

func (linked) free(address uint64) int32 { return int32(C.cuMemFree(C.CUdeviceptr(address))) }

func (linked) fill(address uint64, value uint32, words int) int32 {
	return int32(C.cuMemsetD32(C.CUdeviceptr(address), C.uint(value), C.size_t(words)))
}

func (linked) read(to []byte, address uint64) int32 {
	return int32(C.cuMemcpyDtoH(unsafe.Pointer(&to[0]), C.CUdeviceptr(address), C.size_t(len(to))))
}

func (linked) launch(function uintptr, blocks, threads uint32, parameters []byte) int32 {
	f := *(*C.CUfunction)(unsafe.Pointer(&function))
	return int32(C.launch(f, C.uint(blocks), C.uint(threads), unsafe.Pointer(&parameters[0]), C.size_t(len(parameters))))
}
