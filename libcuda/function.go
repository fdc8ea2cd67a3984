package main

// #include "abi_gen.h"
import "C"

import (
	"math"

	"jacquard/libcuda/driver"
)

//export goFuncGetAttribute
func goFuncGetAttribute(thread C.uint64_t, value *C.int, attribute C.CUfunction_attribute, function C.CUfunction) C.CUresult {
	return get(thread, value, func(t *driver.Thread) (int, error) {
		return t.FuncGetAttribute(driver.FuncAttribute(attribute), driver.Function(function))
	})
}

//export goFuncSetBlockShape
func goFuncSetBlockShape(thread C.uint64_t, function C.CUfunction, x, y, z C.int) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.FuncSetBlockShape(driver.Function(function), int(x), int(y), int(z))
	})
}

//export goFuncSetSharedSize
func goFuncSetSharedSize(thread C.uint64_t, function C.CUfunction, bytes C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.FuncSetSharedSize(driver.Function(function), uint32(bytes))
	})
}

//export goParamSetSize
func goParamSetSize(thread C.uint64_t, function C.CUfunction, bytes C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.ParamSetSize(driver.Function(function), uint32(bytes)) })
}

//export goParamSeti
func goParamSeti(thread C.uint64_t, function C.CUfunction, offset C.int, value C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.ParamSeti(driver.Function(function), int(offset), uint32(value))
	})
}

//export goParamSetf
func goParamSetf(thread C.uint64_t, function C.CUfunction, offset C.int, value C.float) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.ParamSeti(driver.Function(function), int(offset), math.Float32bits(float32(value)))
	})
}

//export goParamSetv
func goParamSetv(thread C.uint64_t, function C.CUfunction, offset C.int, value C.uintptr_t, bytes C.uint) C.CUresult {
	b, ok := host(value, uint64(bytes))
	if !ok {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error { return t.ParamSetv(driver.Function(function), int(offset), b) })
}

//export goParamSetTexRef
func goParamSetTexRef(thread C.uint64_t, function C.CUfunction, unit C.int, ref C.CUtexref) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.ParamSetTexRef(driver.Function(function), int(unit), driver.TexRef(ref))
	})
}
