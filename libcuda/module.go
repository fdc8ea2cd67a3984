package main

// #include "abi_gen.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

//export goModuleLoad
func goModuleLoad(thread C.uint64_t, module *C.CUmodule, path *C.char) C.CUresult {
	if path == nil {
		return invalidValue
	}
	return get(thread, module, func(t *driver.Thread) (driver.Module, error) { return t.ModuleLoad(C.GoString(path)) })
}

//export goModuleLoadData
func goModuleLoadData(thread C.uint64_t, module *C.CUmodule, image unsafe.Pointer) C.CUresult {
	if image == nil {
		return invalidValue
	}
	return get(thread, module, func(t *driver.Thread) (driver.Module, error) { return t.ModuleLoadData(imageAt(image)) })
}

//export goModuleLoadDataEx
func goModuleLoadDataEx(thread C.uint64_t, module *C.CUmodule, image unsafe.Pointer, count C.uint, options *C.CUjit_option, values *unsafe.Pointer) C.CUresult {
	if image == nil || count != 0 && (options == nil || values == nil) {
		return invalidValue
	}
	return get(thread, module, func(t *driver.Thread) (driver.Module, error) {
		// Options guide the translation of PTX, and machine code needs none: all there is to answer is that
		// the logs are empty.
		numbers := unsafe.Slice((*uintptr)(unsafe.Pointer(values)), int(count))
		for i, option := range unsafe.Slice(options, int(count)) {
			switch option {
			case C.CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, C.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
				numbers[i] = 0
			}
		}
		return t.ModuleLoadData(imageAt(image))
	})
}

// imageAt copies the image at p. A text cubin ends with a zero byte. The other containers begin with a magic number
// without one, which is all the driver needs to name what it cannot read.
//
// TODO: measure binary containers by their headers, when package cubin reads them.
func imageAt(p unsafe.Pointer) []byte { return []byte(C.GoString((*C.char)(p))) }

//export goModuleUnload
func goModuleUnload(thread C.uint64_t, module C.CUmodule) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.ModuleUnload(driver.Module(module)) })
}

//export goModuleGetFunction
func goModuleGetFunction(thread C.uint64_t, function *C.CUfunction, module C.CUmodule, name *C.char) C.CUresult {
	if name == nil {
		return invalidValue
	}
	return get(thread, function, func(t *driver.Thread) (driver.Function, error) {
		return t.ModuleGetFunction(driver.Module(module), C.GoString(name))
	})
}

//export goModuleGetTexRef
func goModuleGetTexRef(thread C.uint64_t, texref *C.CUtexref, module C.CUmodule, name *C.char) C.CUresult {
	if name == nil {
		return invalidValue
	}
	return get(thread, texref, func(t *driver.Thread) (driver.TexRef, error) {
		return t.ModuleGetTexRef(driver.Module(module), C.GoString(name))
	})
}

// A program may ask for the address or the size of a variable alone.

//export goModuleGetGlobal
func goModuleGetGlobal(thread C.uint64_t, ptr *C.CUdeviceptr_v1, bytes *C.uint, module C.CUmodule, name *C.char) C.CUresult {
	return moduleGetGlobal(thread, ptr, bytes, module, name)
}

//export goModuleGetGlobalV2
func goModuleGetGlobalV2(thread C.uint64_t, ptr *C.CUdeviceptr, bytes *C.size_t, module C.CUmodule, name *C.char) C.CUresult {
	return moduleGetGlobal(thread, ptr, bytes, module, name)
}

func moduleGetGlobal[P, S number](thread C.uint64_t, ptr *P, bytes *S, module C.CUmodule, name *C.char) C.CUresult {
	if name == nil {
		return invalidValue
	}
	return get2(thread, ptr, bytes, func(t *driver.Thread) (driver.DevicePtr, uint64, error) {
		return t.ModuleGetGlobal(driver.Module(module), C.GoString(name))
	})
}
