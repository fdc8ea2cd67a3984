package main

// #include "abi_gen.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

// maxOptions is many more than there are.
const maxOptions = 1000

// optionsFit reports whether there is an array for each side of count options.
func optionsFit(count C.uint, options *C.CUjit_option, values *unsafe.Pointer) bool {
	return count == 0 || count <= maxOptions && options != nil && values != nil
}

// jitOptions converts options with their values. A value is a number in place of a pointer, or the
// address of a buffer; another option gives the size of the buffer.
func jitOptions(count C.uint, options *C.CUjit_option, values *unsafe.Pointer) driver.JITOptions {
	if count == 0 {
		return driver.JITOptions{}
	}
	names := unsafe.Slice(options, int(count))
	slots := unsafe.Slice((*uintptr)(unsafe.Pointer(values)), int(count))
	o := driver.JITOptions{Given: make([]driver.JITValue, len(names))}
	slot := map[driver.JITOption]*uintptr{} // the first of each option
	for i, name := range names {
		option := driver.JITOption(name)
		o.Given[i] = driver.JITValue{Option: option, Value: slots[i]}
		if slot[option] == nil {
			slot[option] = &slots[i]
		}
	}
	o.InfoLog = logBuffer(slot[driver.JITInfoLogBuffer], slot[driver.JITInfoLogBufferSizeBytes])
	o.ErrorLog = logBuffer(slot[driver.JITErrorLogBuffer], slot[driver.JITErrorLogBufferSizeBytes])
	o.Answer = func(option driver.JITOption, value uintptr) {
		if to := slot[option]; to != nil {
			*to = value
		}
	}
	return o
}

// logBuffer returns the buffer with an address and a size, nil if one is missing. The size is an
// unsigned int in a pointer's place: only its low half is the program's.
func logBuffer(at, size *uintptr) []byte {
	if at == nil || size == nil || *at == 0 {
		return nil
	}
	buffer, ok := host(*at, uint64(uint32(*size)))
	if !ok {
		panic(badPointer(*at))
	}
	return buffer
}
