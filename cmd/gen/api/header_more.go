package main

import (
	"bytes"
	"fmt"
	"strings"
)

// printProfilerHeader prints cudaProfiler.h.
func printProfilerHeader(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "/* %s */\n", banner)
	b.WriteString(`/* cudaProfiler.h: the calls that mark the part of a program to be profiled. */
#ifndef __cuda_cudaProfiler_h__
#define __cuda_cudaProfiler_h__

#include "cuda.h"

` + openExternC + `
typedef enum CUoutput_mode_enum {
	CU_OUT_KEY_VALUE_PAIR = 0,
	CU_OUT_CSV = 1
} CUoutput_mode;

`)
	for _, f := range m.Functions {
		if f.Group == "profiler" {
			fmt.Fprintf(b, "CUresult CUDAAPI %s(%s);\n", f.Symbol, params(f.Params))
		}
	}
	b.WriteString(closeExternC + "\n#endif\n")
}

// printGLHeader prints cudaGL.h. OpenGL's types are written out, so that a program needs no header
// of OpenGL to compile it.
func printGLHeader(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "/* %s */\n", banner)
	b.WriteString(`/* cudaGL.h: OpenGL's buffers and images in kernels. */
#ifndef __cuda_cudaGL_h__
#define __cuda_cudaGL_h__

#include "cuda.h"

/* Programs expect OpenGL's header from this one. */
#ifdef __has_include
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#endif
#endif

` + openExternC + `
typedef enum CUGLDeviceList_enum {
	CU_GL_DEVICE_LIST_ALL = 1,
	CU_GL_DEVICE_LIST_CURRENT_FRAME = 2,
	CU_GL_DEVICE_LIST_NEXT_FRAME = 3
} CUGLDeviceList;

typedef enum CUGLmap_flags_enum {
	CU_GL_MAP_RESOURCE_FLAGS_NONE = 0,
	CU_GL_MAP_RESOURCE_FLAGS_READ_ONLY = 1,
	CU_GL_MAP_RESOURCE_FLAGS_WRITE_DISCARD = 2
} CUGLmap_flags;

`)
	var prototypes bytes.Buffer
	printPrototypes(&prototypes, m, "graphics-gl")
	b.WriteString(strings.NewReplacer("GLuint ", "unsigned int ", "GLenum ", "unsigned int ").Replace(prototypes.String()))
	b.WriteString(closeExternC + "\n#endif\n")
}
