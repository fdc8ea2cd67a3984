package main

// #include "abi_gen.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

//export goLaunch
func goLaunch(thread C.uint64_t, function C.CUfunction) C.CUresult {
	return launch(thread, func(t *driver.Thread) error { return t.Launch(driver.Function(function)) })
}

//export goLaunchGrid
func goLaunchGrid(thread C.uint64_t, function C.CUfunction, width, height C.int) C.CUresult {
	return launch(thread, func(t *driver.Thread) error {
		return t.LaunchGrid(driver.Function(function), int(width), int(height))
	})
}

//export goLaunchGridAsync
func goLaunchGridAsync(thread C.uint64_t, function C.CUfunction, width, height C.int, stream C.CUstream) C.CUresult {
	return launch(thread, func(t *driver.Thread) error {
		return t.LaunchGridAsync(driver.Function(function), int(width), int(height), driver.Stream(stream))
	})
}

//export goLaunchKernel
func goLaunchKernel(thread C.uint64_t, function C.CUfunction, gridX, gridY, gridZ, blockX, blockY, blockZ, shared C.uint, stream C.CUstream, params, extra *unsafe.Pointer) C.CUresult {
	grid := [3]uint32{uint32(gridX), uint32(gridY), uint32(gridZ)}
	block := [3]uint32{uint32(blockX), uint32(blockY), uint32(blockZ)}
	return launch(thread, func(t *driver.Thread) error {
		args, err := arguments(params, extra)
		if err != nil {
			return err
		}
		return t.LaunchKernel(driver.Function(function), grid, block, uint32(shared), driver.Stream(stream), args)
	})
}

// launch is do for calls that run a kernel: the interrupt key ends the kernel.
func launch(thread C.uint64_t, f func(*driver.Thread) error) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		defer interrupts.watch(theDriver().Interrupt)()
		return f(t)
	})
}

const pointerSize = unsafe.Sizeof(uintptr(0))

// arguments converts the two forms of a launch's parameters. params holds the address of each
// value. extra holds pairs of a key and a pointer, up to the end key. Keys are small numbers cast
// to pointers, so they are read as numbers.
func arguments(params, extra *unsafe.Pointer) (driver.Arguments, error) {
	var args driver.Arguments
	if params != nil {
		args.Value = func(index, size int) []byte {
			value := *(*uintptr)(unsafe.Add(unsafe.Pointer(params), uintptr(index)*pointerSize))
			b, _ := host(value, uint64(size)) // nil for NULL: too short
			return b
		}
	}
	if extra == nil {
		return args, nil
	}
	var buffer, size uintptr // addresses
	for slot := unsafe.Pointer(extra); ; slot = unsafe.Add(slot, 2*pointerSize) {
		value := (*uintptr)(unsafe.Add(slot, pointerSize))
		switch *(*uintptr)(slot) {
		case C.CU_LAUNCH_PARAM_END:
			bytes, ok := host(size, C.sizeof_size_t)
			if !ok {
				return args, driver.ErrInvalidValue
			}
			// A kernel without parameters may have no buffer.
			packed, ok := host(buffer, uint64(*(*C.size_t)(unsafe.Pointer(unsafe.SliceData(bytes)))))
			if !ok {
				return args, driver.ErrInvalidValue
			}
			args.Packed = packed
			return args, nil
		case C.CU_LAUNCH_PARAM_BUFFER_POINTER:
			buffer = *value
		case C.CU_LAUNCH_PARAM_BUFFER_SIZE:
			size = *value
		default:
			return args, driver.ErrInvalidValue
		}
	}
}
