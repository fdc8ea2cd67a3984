package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goDeviceCanAccessPeer
func goDeviceCanAccessPeer(thread C.uint64_t, can *C.int, dev, peer C.CUdevice) C.CUresult {
	return get(thread, can, func(t *driver.Thread) (int, error) {
		yes, err := t.DeviceCanAccessPeer(driver.Device(dev), driver.Device(peer))
		return number01(yes), err
	})
}

//export goCtxEnablePeerAccess
func goCtxEnablePeerAccess(thread C.uint64_t, peer C.CUcontext, flags C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.CtxEnablePeerAccess(driver.Context(peer), uint32(flags)) })
}

//export goCtxDisablePeerAccess
func goCtxDisablePeerAccess(thread C.uint64_t, peer C.CUcontext) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.CtxDisablePeerAccess(driver.Context(peer)) })
}
