package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goModuleGetSurfRef
func goModuleGetSurfRef(thread C.uint64_t, surface *C.CUsurfref, module C.CUmodule, name *C.char) C.CUresult {
	if name == nil {
		return invalidValue
	}
	return get(thread, surface, func(t *driver.Thread) (uintptr, error) {
		return t.ModuleGetSurfRef(driver.Module(module), text(name))
	})
}
