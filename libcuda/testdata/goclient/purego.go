//go:build !linked

package main

import (
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

type opened struct {
	init              func(uint32) int32
	ctxCreate         func(*uintptr, uint32, int32) int32
	ctxSetCurrent     func(uintptr) int32
	moduleLoad        func(*uintptr, string) int32
	moduleGetFunction func(*uintptr, uintptr, string) int32
	memAlloc          func(*uint64, uintptr) int32
	memFree           func(uint64) int32
	memsetD32         func(uint64, uint32, uintptr) int32
	memcpyDtoH        func(unsafe.Pointer, uint64, uintptr) int32
	launchKernel      func(f uintptr, gx, gy, gz, bx, by, bz, shared uint32, stream uintptr, params, extra unsafe.Pointer) int32
}

func open() calls {
	library, err := purego.Dlopen("libcuda.so.1", purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		panic(err)
	}
	c := new(opened)
	for name, f := range map[string]any{
		"cuInit": &c.init, "cuCtxCreate_v2": &c.ctxCreate, "cuCtxSetCurrent": &c.ctxSetCurrent,
		"cuModuleLoad": &c.moduleLoad, "cuModuleGetFunction": &c.moduleGetFunction, "cuMemAlloc_v2": &c.memAlloc,
		"cuMemFree_v2": &c.memFree, "cuMemsetD32_v2": &c.memsetD32, "cuMemcpyDtoH_v2": &c.memcpyDtoH, "cuLaunchKernel": &c.launchKernel,
	} {
		purego.RegisterLibFunc(f, library, name)
	}
	return c
}

func (c *opened) start() (context uintptr, code int32) {
	if code = c.init(0); code == 0 {
		code = c.ctxCreate(&context, 0, 0)
	}
	return context, code
}

func (c *opened) setCurrent(context uintptr) int32 { return c.ctxSetCurrent(context) }

func (c *opened) load(cubin string) (function uintptr, code int32) {
	var module uintptr
	if code = c.moduleLoad(&module, cubin); code == 0 {
		code = c.moduleGetFunction(&function, module, "vecadd")
	}
	return function, code
}

func (c *opened) alloc(bytes int) (address uint64, code int32) {
	code = c.memAlloc(&address, uintptr(bytes))
	return address, code
}

func (c *opened) free(address uint64) int32 { return c.memFree(address) }

func (c *opened) fill(address uint64, value uint32, words int) int32 {
	return c.memsetD32(address, value, uintptr(words))
}

func (c *opened) read(to []byte, address uint64) int32 {
	return c.memcpyDtoH(unsafe.Pointer(&to[0]), address, uintptr(len(to)))
}

func (c *opened) launch(function uintptr, blocks, threads uint32, parameters []byte) int32 {
	size := uintptr(len(parameters))
	var pinned runtime.Pinner
	defer pinned.Unpin()
	pinned.Pin(&parameters[0])
	pinned.Pin(&size)
	extra := [5]uintptr{1, uintptr(unsafe.Pointer(&parameters[0])), 2, uintptr(unsafe.Pointer(&size)), 0}
	return c.launchKernel(function, blocks, 1, 1, threads, 1, 1, 0, 0, nil, unsafe.Pointer(&extra))
}
