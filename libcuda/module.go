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
	return get(thread, module, func(t *driver.Thread) (driver.Module, error) { return t.ModuleLoad(text(path)) })
}

//export goModuleLoadData
func goModuleLoadData(thread C.uint64_t, module *C.CUmodule, image C.uintptr_t) C.CUresult {
	return goModuleLoadFatBinary(thread, module, image)
}

//export goModuleLoadFatBinary
func goModuleLoadFatBinary(thread C.uint64_t, module *C.CUmodule, image C.uintptr_t) C.CUresult {
	if image < firstPage {
		return invalidValue
	}
	return get(thread, module, func(t *driver.Thread) (driver.Module, error) {
		return t.ModuleLoadFatBinary(programMemory{}, uint64(image))
	})
}

//export goModuleLoadDataEx
func goModuleLoadDataEx(thread C.uint64_t, module *C.CUmodule, image C.uintptr_t, count C.uint, options *C.CUjit_option, values *unsafe.Pointer) C.CUresult {
	if image < firstPage || !optionsFit(count, options, values) {
		return invalidValue
	}
	return get(thread, module, func(t *driver.Thread) (driver.Module, error) {
		return t.ModuleLoadDataEx(programMemory{}, uint64(image), jitOptions(count, options, values))
	})
}

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
		return t.ModuleGetFunction(driver.Module(module), text(name))
	})
}

//export goModuleGetTexRef
func goModuleGetTexRef(thread C.uint64_t, texref *C.CUtexref, module C.CUmodule, name *C.char) C.CUresult {
	if name == nil {
		return invalidValue
	}
	return get(thread, texref, func(t *driver.Thread) (driver.TexRef, error) {
		return t.ModuleGetTexRef(driver.Module(module), text(name))
	})
}

// A program may ask for only the address or only the size of a variable.

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
		return t.ModuleGetGlobal(driver.Module(module), text(name))
	})
}
