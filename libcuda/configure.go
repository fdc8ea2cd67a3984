package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goCtxGetFlags
func goCtxGetFlags(thread C.uint64_t, flags *C.uint) C.CUresult {
	return get(thread, flags, (*driver.Thread).CtxGetFlags)
}

//export goCtxGetLimit
func goCtxGetLimit(thread C.uint64_t, value *C.size_t, limit C.CUlimit) C.CUresult {
	return get(thread, value, func(t *driver.Thread) (uint64, error) { return t.CtxGetLimit(driver.Limit(limit)) })
}

//export goCtxSetLimit
func goCtxSetLimit(thread C.uint64_t, limit C.CUlimit, value C.size_t) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.CtxSetLimit(driver.Limit(limit), uint64(value)) })
}

//export goCtxGetCacheConfig
func goCtxGetCacheConfig(thread C.uint64_t, config *C.CUfunc_cache) C.CUresult {
	return get(thread, config, (*driver.Thread).CtxGetCacheConfig)
}

//export goCtxSetCacheConfig
func goCtxSetCacheConfig(thread C.uint64_t, config C.CUfunc_cache) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.CtxSetCacheConfig(driver.FuncCache(config)) })
}

//export goCtxGetSharedMemConfig
func goCtxGetSharedMemConfig(thread C.uint64_t, config *C.CUsharedconfig) C.CUresult {
	return get(thread, config, (*driver.Thread).CtxGetSharedMemConfig)
}

//export goCtxSetSharedMemConfig
func goCtxSetSharedMemConfig(thread C.uint64_t, config C.CUsharedconfig) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.CtxSetSharedMemConfig(driver.SharedConfig(config)) })
}

// A program may ask for one end of the range only.

//export goCtxGetStreamPriorityRange
func goCtxGetStreamPriorityRange(thread C.uint64_t, least, greatest *C.int) C.CUresult {
	return get2(thread, least, greatest, (*driver.Thread).CtxGetStreamPriorityRange)
}

//export goFuncSetCacheConfig
func goFuncSetCacheConfig(thread C.uint64_t, function C.CUfunction, config C.CUfunc_cache) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.FuncSetCacheConfig(driver.Function(function), driver.FuncCache(config))
	})
}

//export goFuncSetSharedMemConfig
func goFuncSetSharedMemConfig(thread C.uint64_t, function C.CUfunction, config C.CUsharedconfig) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.FuncSetSharedMemConfig(driver.Function(function), driver.SharedConfig(config))
	})
}
