// A request of the simulator to the program's OpenGL. The program's thread that made the call
// answers it, because OpenGL's context is current there.
#ifndef JACQUARD_GLREQUEST_H
#define JACQUARD_GLREQUEST_H

#include <stdint.h>

#include "abi_gen.h"

enum gl_operation {
	GL_CURRENT, // is a context current?
	GL_BUFFER,  // how large is a buffer object?
	GL_IMAGE,   // what shape has a level of a texture, or a renderbuffer?
	GL_READ,    // copy from OpenGL to memory
	GL_WRITE,   // copy from memory to OpenGL
};

struct gl_request {
	enum gl_operation operation;
	// The object: a buffer if target is GL_ARRAY_BUFFER.
	uint32_t name, target, level;
	// The shape of an image: GL_IMAGE sets it. An absent level has width 0.
	uint32_t width, height, depth, internal_format, border, samples;
	// GL_READ and GL_WRITE: the elements of an image in memory.
	uint32_t format, type;
	uint64_t size; // of a buffer, or of memory
	void *memory;  // rows and slices without gaps
	// 0, CUDA_ERROR_INVALID_GRAPHICS_CONTEXT without a context, CUDA_ERROR_INVALID_HANDLE for an
	// unknown object, CUDA_ERROR_INVALID_VALUE for an object of another target, or
	// CUDA_ERROR_UNKNOWN if OpenGL cannot serve the request.
	CUresult answer;
};

#endif
