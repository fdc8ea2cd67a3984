package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

// The program may pass NULL for the offset if its memory is aligned for textures.

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

//export goTexRefCreate
func goTexRefCreate(thread C.uint64_t, ref *C.CUtexref) C.CUresult {
	return get(thread, ref, (*driver.Thread).TexRefCreate)
}

//export goTexRefDestroy
func goTexRefDestroy(thread C.uint64_t, ref C.CUtexref) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.TexRefDestroy(driver.TexRef(ref)) })
}

//export goTexRefSetAddress2D
func goTexRefSetAddress2D(thread C.uint64_t, ref C.CUtexref, desc *C.CUDA_ARRAY_DESCRIPTOR_v1, ptr C.CUdeviceptr_v1, pitch C.uint) C.CUresult {
	if desc == nil {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		return t.TexRefSetAddress2D(driver.TexRef(ref), planeOfV1(desc), driver.DevicePtr(ptr), uint64(pitch))
	})
}

//export goTexRefSetAddress2DV2
func goTexRefSetAddress2DV2(thread C.uint64_t, ref C.CUtexref, desc *C.CUDA_ARRAY_DESCRIPTOR, ptr C.CUdeviceptr, pitch C.size_t) C.CUresult {
	if desc == nil {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		return t.TexRefSetAddress2D(driver.TexRef(ref), planeOf(desc), driver.DevicePtr(ptr), uint64(pitch))
	})
}

//export goTexRefSetAddress2DV3
func goTexRefSetAddress2DV3(thread C.uint64_t, ref C.CUtexref, desc *C.CUDA_ARRAY_DESCRIPTOR, ptr C.CUdeviceptr, pitch C.size_t) C.CUresult {
	if desc == nil {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		return t.TexRefSetAddress2DV3(driver.TexRef(ref), planeOf(desc), driver.DevicePtr(ptr), uint64(pitch))
	})
}

//export goTexRefSetArray
func goTexRefSetArray(thread C.uint64_t, ref C.CUtexref, array C.CUarray, flags C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.TexRefSetArray(driver.TexRef(ref), driver.Array(array), uint32(flags))
	})
}

//export goTexRefGetAddress
func goTexRefGetAddress(thread C.uint64_t, ptr *C.CUdeviceptr_v1, ref C.CUtexref) C.CUresult {
	return texRefGet(thread, ptr, ref, (*driver.Thread).TexRefGetAddress)
}

//export goTexRefGetAddressV2
func goTexRefGetAddressV2(thread C.uint64_t, ptr *C.CUdeviceptr, ref C.CUtexref) C.CUresult {
	return texRefGet(thread, ptr, ref, (*driver.Thread).TexRefGetAddress)
}

//export goTexRefGetArray
func goTexRefGetArray(thread C.uint64_t, array *C.CUarray, ref C.CUtexref) C.CUresult {
	return texRefGet(thread, array, ref, (*driver.Thread).TexRefGetArray)
}

//export goTexRefGetFilterMode
func goTexRefGetFilterMode(thread C.uint64_t, mode *C.CUfilter_mode, ref C.CUtexref) C.CUresult {
	return texRefGet(thread, mode, ref, (*driver.Thread).TexRefGetFilterMode)
}

//export goTexRefGetFlags
func goTexRefGetFlags(thread C.uint64_t, flags *C.uint, ref C.CUtexref) C.CUresult {
	return texRefGet(thread, flags, ref, (*driver.Thread).TexRefGetFlags)
}

// texRefGet stores a property of a texture reference.
func texRefGet[To, From number](thread C.uint64_t, out *To, ref C.CUtexref, f func(*driver.Thread, driver.TexRef) (From, error)) C.CUresult {
	return get(thread, out, func(t *driver.Thread) (From, error) { return f(t, driver.TexRef(ref)) })
}

//export goTexRefGetAddressMode
func goTexRefGetAddressMode(thread C.uint64_t, mode *C.CUaddress_mode, ref C.CUtexref, dim C.int) C.CUresult {
	return get(thread, mode, func(t *driver.Thread) (driver.AddressMode, error) {
		return t.TexRefGetAddressMode(driver.TexRef(ref), int(dim))
	})
}

// A program may ask for only the format or only the channels.

//export goTexRefGetFormat
func goTexRefGetFormat(thread C.uint64_t, format *C.CUarray_format, channels *C.int, ref C.CUtexref) C.CUresult {
	return get2(thread, format, channels, func(t *driver.Thread) (driver.ArrayFormat, int, error) {
		return t.TexRefGetFormat(driver.TexRef(ref))
	})
}
