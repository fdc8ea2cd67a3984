package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

//export goDeviceGetByPCIBusId
func goDeviceGetByPCIBusId(thread C.uint64_t, dev *C.CUdevice, id *C.char) C.CUresult {
	if id == nil {
		return invalidValue
	}
	return get(thread, dev, func(t *driver.Thread) (driver.Device, error) { return t.DeviceGetByPCIBusId(text(id)) })
}

//export goDeviceGetPCIBusId
func goDeviceGetPCIBusId(thread C.uint64_t, id *C.char, size C.int, dev C.CUdevice) C.CUresult {
	if id == nil || size <= 0 {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		s, err := t.DeviceGetPCIBusId(driver.Device(dev))
		if err == nil {
			storeString(id, int(size), s)
		}
		return err
	})
}

//export goDeviceGetUuid
func goDeviceGetUuid(thread C.uint64_t, uuid *C.CUuuid, dev C.CUdevice) C.CUresult {
	if uuid == nil {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		id, err := t.DeviceGetUuid(driver.Device(dev))
		if err == nil {
			for i, b := range id {
				uuid.bytes[i] = C.char(b)
			}
		}
		return err
	})
}
