package main

// #include "abi_gen.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

//export goPointerGetAttribute
func goPointerGetAttribute(thread C.uint64_t, data C.uintptr_t, attribute C.CUpointer_attribute, ptr C.CUdeviceptr) C.CUresult {
	if data == 0 {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		value, err := t.PointerGetAttribute(driver.PointerAttribute(attribute), uint64(ptr))
		if err == nil {
			storeAttribute(uintptr(data), driver.PointerAttribute(attribute), value)
		}
		return err
	})
}

//export goPointerGetAttributes
func goPointerGetAttributes(thread C.uint64_t, count C.uint, attributes *C.CUpointer_attribute, data *unsafe.Pointer, ptr C.CUdeviceptr) C.CUresult {
	if attributes == nil || data == nil {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		var list []driver.PointerAttribute
		for _, a := range unsafe.Slice(attributes, int(count)) {
			list = append(list, driver.PointerAttribute(a))
		}
		addresses := unsafe.Slice(address(data), int(count))
		values, err := t.PointerGetAttributes(list, uint64(ptr))
		for i, value := range values {
			storeAttribute(addresses[i], list[i], value)
		}
		return err
	})
}

// storeAttribute stores a value in the attribute's width in C: a memory type is a number, the
// others are addresses.
func storeAttribute(at uintptr, attribute driver.PointerAttribute, value uint64) {
	to, ok := host(at, uint64(pointerSize))
	switch p := unsafe.Pointer(unsafe.SliceData(to)); {
	case !ok:
		panic(badPointer(at))
	case attribute == driver.PointerMemoryType:
		*(*C.uint)(p) = C.uint(value)
	default:
		*(*uintptr)(p) = uintptr(value)
	}
}
