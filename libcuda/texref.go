package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

// A program that binds memory aligned for textures may pass NULL for the offset.

//export goTexRefSetAddress
func goTexRefSetAddress(thread C.uint64_t, offset *C.uint, ref C.CUtexref, ptr C.CUdeviceptr_v1, bytes C.uint) C.CUresult {
	return texRefSetAddress(thread, offset, ref, uint64(ptr), uint64(bytes))
}

//export goTexRefSetAddressV2
func goTexRefSetAddressV2(thread C.uint64_t, offset *C.size_t, ref C.CUtexref, ptr C.CUdeviceptr, bytes C.size_t) C.CUresult {
	return texRefSetAddress(thread, offset, ref, uint64(ptr), uint64(bytes))
}

func texRefSetAddress[S number](thread C.uint64_t, offset *S, ref C.CUtexref, ptr, bytes uint64) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		if offset == nil {
			return t.TexRefSetAddress(driver.TexRef(ref), driver.DevicePtr(ptr), bytes, nil)
		}
		var distance uint64
		err := t.TexRefSetAddress(driver.TexRef(ref), driver.DevicePtr(ptr), bytes, &distance)
		if err == nil {
			*offset = S(distance)
		}
		return err
	})
}

//export goTexRefSetFormat
func goTexRefSetFormat(thread C.uint64_t, ref C.CUtexref, format C.CUarray_format, channels C.int) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.TexRefSetFormat(driver.TexRef(ref), driver.ArrayFormat(format), int(channels))
	})
}

//export goTexRefSetFlags
func goTexRefSetFlags(thread C.uint64_t, ref C.CUtexref, flags C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.TexRefSetFlags(driver.TexRef(ref), uint32(flags)) })
}

//export goTexRefSetAddressMode
func goTexRefSetAddressMode(thread C.uint64_t, ref C.CUtexref, dim C.int, mode C.CUaddress_mode) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.TexRefSetAddressMode(driver.TexRef(ref), int(dim), driver.AddressMode(mode))
	})
}

//export goTexRefSetFilterMode
func goTexRefSetFilterMode(thread C.uint64_t, ref C.CUtexref, mode C.CUfilter_mode) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.TexRefSetFilterMode(driver.TexRef(ref), driver.FilterMode(mode))
	})
}
