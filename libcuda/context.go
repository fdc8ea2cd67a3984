package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goCtxCreate
func goCtxCreate(thread C.uint64_t, ctx *C.CUcontext, flags C.uint, dev C.CUdevice) C.CUresult {
	return get(thread, ctx, func(t *driver.Thread) (driver.Context, error) {
		return t.CtxCreateV1(driver.ContextFlags(flags), driver.Device(dev))
	})
}

//export goCtxCreateV2
func goCtxCreateV2(thread C.uint64_t, ctx *C.CUcontext, flags C.uint, dev C.CUdevice) C.CUresult {
	return get(thread, ctx, func(t *driver.Thread) (driver.Context, error) {
		return t.CtxCreate(driver.ContextFlags(flags), driver.Device(dev))
	})
}

//export goCtxDestroy
func goCtxDestroy(thread C.uint64_t, ctx C.CUcontext) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.CtxDestroyV1(driver.Context(ctx)) })
}

//export goCtxDestroyV2
func goCtxDestroyV2(thread C.uint64_t, ctx C.CUcontext) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.CtxDestroy(driver.Context(ctx)) })
}

//export goCtxAttach
func goCtxAttach(thread C.uint64_t, ctx *C.CUcontext, flags C.uint) C.CUresult {
	return get(thread, ctx, func(t *driver.Thread) (driver.Context, error) { return t.CtxAttach(uint32(flags)) })
}

//export goCtxDetach
func goCtxDetach(thread C.uint64_t, ctx C.CUcontext) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.CtxDetach(driver.Context(ctx)) })
}

//export goCtxPushCurrent
func goCtxPushCurrent(thread C.uint64_t, ctx C.CUcontext) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.CtxPushCurrentV1(driver.Context(ctx)) })
}

//export goCtxPushCurrentV2
func goCtxPushCurrentV2(thread C.uint64_t, ctx C.CUcontext) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.CtxPushCurrent(driver.Context(ctx)) })
}

// The program may pass NULL if it does not need the context that it pops.

//export goCtxPopCurrent
func goCtxPopCurrent(thread C.uint64_t, ctx *C.CUcontext) C.CUresult {
	return get(thread, wanted(ctx), (*driver.Thread).CtxPopCurrentV1)
}

//export goCtxPopCurrentV2
func goCtxPopCurrentV2(thread C.uint64_t, ctx *C.CUcontext) C.CUresult {
	return get(thread, wanted(ctx), (*driver.Thread).CtxPopCurrent)
}

//export goCtxSetCurrent
func goCtxSetCurrent(thread C.uint64_t, ctx C.CUcontext) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.CtxSetCurrent(driver.Context(ctx)) })
}

//export goCtxGetCurrent
func goCtxGetCurrent(thread C.uint64_t, ctx *C.CUcontext) C.CUresult {
	return get(thread, ctx, (*driver.Thread).CtxGetCurrent)
}

//export goCtxGetDevice
func goCtxGetDevice(thread C.uint64_t, dev *C.CUdevice) C.CUresult {
	return get(thread, dev, (*driver.Thread).CtxGetDevice)
}

//export goCtxGetApiVersion
func goCtxGetApiVersion(thread C.uint64_t, ctx C.CUcontext, version *C.uint) C.CUresult {
	return get(thread, version, func(t *driver.Thread) (uint32, error) { return t.CtxGetApiVersion(driver.Context(ctx)) })
}

//export goCtxSynchronize
func goCtxSynchronize(thread C.uint64_t) C.CUresult {
	return do(thread, (*driver.Thread).CtxSynchronize)
}
