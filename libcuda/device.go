package main

// #include "abi_gen.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

//export goDeviceGetCount
func goDeviceGetCount(thread C.uint64_t, count *C.int) C.CUresult {
	return get(thread, count, (*driver.Thread).DeviceGetCount)
}

//export goDeviceGet
func goDeviceGet(thread C.uint64_t, device *C.CUdevice, ordinal C.int) C.CUresult {
	return get(thread, device, func(t *driver.Thread) (driver.Device, error) { return t.DeviceGet(int(ordinal)) })
}

//export goDeviceGetName
func goDeviceGetName(thread C.uint64_t, name *C.char, size C.int, dev C.CUdevice) C.CUresult {
	if name == nil || size <= 0 {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		s, err := t.DeviceGetName(driver.Device(dev))
		if err == nil {
			storeString(name, int(size), s)
		}
		return err
	})
}

// storeString writes s and a zero byte to the size bytes at p, truncated to fit.
func storeString(p *C.char, size int, s string) {
	buffer := unsafe.Slice((*byte)(unsafe.Pointer(p)), size)
	buffer[copy(buffer[:size-1], s)] = 0
}

//export goDeviceComputeCapability
func goDeviceComputeCapability(thread C.uint64_t, major, minor *C.int, dev C.CUdevice) C.CUresult {
	if major == nil || minor == nil {
		return invalidValue
	}
	return get2(thread, major, minor, func(t *driver.Thread) (int, int, error) {
		return t.DeviceComputeCapability(driver.Device(dev))
	})
}

//export goDeviceTotalMem
func goDeviceTotalMem(thread C.uint64_t, bytes *C.uint, dev C.CUdevice) C.CUresult {
	return get(thread, bytes, func(t *driver.Thread) (uint64, error) { return t.DeviceTotalMem(driver.Device(dev)) })
}

//export goDeviceTotalMemV2
func goDeviceTotalMemV2(thread C.uint64_t, bytes *C.size_t, dev C.CUdevice) C.CUresult {
	return get(thread, bytes, func(t *driver.Thread) (uint64, error) { return t.DeviceTotalMem(driver.Device(dev)) })
}

//export goDeviceGetAttribute
func goDeviceGetAttribute(thread C.uint64_t, value *C.int, attribute C.CUdevice_attribute, dev C.CUdevice) C.CUresult {
	return get(thread, value, func(t *driver.Thread) (int, error) {
		return t.DeviceGetAttribute(driver.DeviceAttribute(attribute), driver.Device(dev))
	})
}

//export goDeviceGetProperties
func goDeviceGetProperties(thread C.uint64_t, prop *C.CUdevprop, dev C.CUdevice) C.CUresult {
	if prop == nil {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		p, err := t.DeviceGetProperties(driver.Device(dev))
		if err != nil {
			return err
		}
		*prop = C.CUdevprop{
			maxThreadsPerBlock:  C.int(p.MaxThreadsPerBlock),
			maxThreadsDim:       ints(p.MaxThreadsDim),
			maxGridSize:         ints(p.MaxGridSize),
			sharedMemPerBlock:   C.int(p.SharedMemPerBlock),
			totalConstantMemory: C.int(p.TotalConstantMemory),
			SIMDWidth:           C.int(p.SIMDWidth),
			memPitch:            C.int(p.MemPitch),
			regsPerBlock:        C.int(p.RegsPerBlock),
			clockRate:           C.int(p.ClockRate),
			textureAlign:        C.int(p.TextureAlign),
		}
		return nil
	})
}

func ints(v [3]int) [3]C.int { return [3]C.int{C.int(v[0]), C.int(v[1]), C.int(v[2])} }
