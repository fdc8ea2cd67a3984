package main

// #include "server.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

// programGL is the program's OpenGL. Its methods run on a thread that serves a call, and the
// program's thread that made the call answers (entry/gl.c).
type programGL struct{}

// Current implements driver.GL.
func (programGL) Current() error {
	return ask(&C.struct_gl_request{operation: C.GL_CURRENT}, nil)
}

// Buffer implements driver.GL.
func (programGL) Buffer(name uint32) (uint64, error) {
	request := C.struct_gl_request{operation: C.GL_BUFFER, name: C.uint32_t(name), target: C.uint32_t(driver.GLArrayBuffer)}
	err := ask(&request, nil)
	return uint64(request.size), err
}

// Image implements driver.GL.
func (programGL) Image(name uint32, target driver.GLEnum, level uint32) (driver.GLImage, error) {
	request := C.struct_gl_request{operation: C.GL_IMAGE, name: C.uint32_t(name), target: C.uint32_t(target), level: C.uint32_t(level)}
	err := ask(&request, nil)
	return driver.GLImage{
		Width: uint32(request.width), Height: uint32(request.height), Depth: uint32(request.depth),
		Format: driver.GLEnum(request.internal_format), Border: uint32(request.border), Samples: uint32(request.samples),
	}, err
}

// Read implements driver.GL.
func (programGL) Read(place driver.GLPlace, to []byte) error { return transfer(C.GL_READ, place, to) }

// Write implements driver.GL.
func (programGL) Write(place driver.GLPlace, from []byte) error {
	return transfer(C.GL_WRITE, place, from)
}

func transfer(operation C.enum_gl_operation, place driver.GLPlace, b []byte) error {
	return ask(&C.struct_gl_request{
		operation: operation, name: C.uint32_t(place.Name), target: C.uint32_t(place.Target), level: C.uint32_t(place.Level),
		width: C.uint32_t(place.Image.Width), height: C.uint32_t(place.Image.Height), depth: C.uint32_t(place.Image.Depth),
		internal_format: C.uint32_t(place.Image.Format), format: C.uint32_t(place.Format), _type: C.uint32_t(place.Type),
	}, b)
}

// ask has the program's thread answer a request about the memory b.
func ask(request *C.struct_gl_request, b []byte) error {
	request.size = C.uint64_t(len(b))
	answer := C.jacquard_gl(request, unsafe.Pointer(unsafe.SliceData(b)))
	if answer != 0 {
		return driver.Result(answer)
	}
	return nil
}
