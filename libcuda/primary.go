package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goDevicePrimaryCtxRetain
func goDevicePrimaryCtxRetain(thread C.uint64_t, ctx *C.CUcontext, dev C.CUdevice) C.CUresult {
	return get(thread, ctx, func(t *driver.Thread) (driver.Context, error) {
		return t.DevicePrimaryCtxRetain(driver.Device(dev))
	})
}

//export goDevicePrimaryCtxRelease
func goDevicePrimaryCtxRelease(thread C.uint64_t, dev C.CUdevice) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.DevicePrimaryCtxRelease(driver.Device(dev)) })
}

//export goDevicePrimaryCtxReleaseV2
func goDevicePrimaryCtxReleaseV2(thread C.uint64_t, dev C.CUdevice) C.CUresult {
	return goDevicePrimaryCtxRelease(thread, dev)
}

//export goDevicePrimaryCtxReset
func goDevicePrimaryCtxReset(thread C.uint64_t, dev C.CUdevice) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.DevicePrimaryCtxReset(driver.Device(dev)) })
}

//export goDevicePrimaryCtxResetV2
func goDevicePrimaryCtxResetV2(thread C.uint64_t, dev C.CUdevice) C.CUresult {
	return goDevicePrimaryCtxReset(thread, dev)
}

//export goDevicePrimaryCtxSetFlags
func goDevicePrimaryCtxSetFlags(thread C.uint64_t, dev C.CUdevice, flags C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.DevicePrimaryCtxSetFlags(driver.Device(dev), driver.ContextFlags(flags))
	})
}

//export goDevicePrimaryCtxSetFlagsV2
func goDevicePrimaryCtxSetFlagsV2(thread C.uint64_t, dev C.CUdevice, flags C.uint) C.CUresult {
	return goDevicePrimaryCtxSetFlags(thread, dev, flags)
}

//export goDevicePrimaryCtxGetState
func goDevicePrimaryCtxGetState(thread C.uint64_t, dev C.CUdevice, flags *C.uint, active *C.int) C.CUresult {
	if flags == nil || active == nil {
		return invalidValue
	}
	return get2(thread, flags, active, func(t *driver.Thread) (driver.ContextFlags, int, error) {
		flags, active, err := t.DevicePrimaryCtxGetState(driver.Device(dev))
		return flags, number01(active), err
	})
}

// number01 returns a truth value as C's number.
func number01(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
