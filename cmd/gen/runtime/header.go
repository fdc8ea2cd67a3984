package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"jacquard/libcuda/api"
)

// chapters are the groups that cuda_runtime_api.h declares, in its order.
var chapters = []struct{ group, title string }{
	{"device", "Devices"},
	{"error", "Errors"},
	{"version", "Versions"},
	{"stream", "Streams"},
	{"event", "Events"},
	{"launch", "Launches"},
	{"memory", "Memory"},
	{"copy", "Copies"},
	{"copy2d", "Copies of rows"},
	{"copy3d", "Copies of volumes"},
	{"peer", "Several devices"},
	{"ipc", "Other processes"},
	{"texture", "Textures and surfaces"},
	{"graphics", "Graphics resources"},
	{"hidden", "Private tables"},
	{"register", "What compilers call"},
}

const (
	openExternC  = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
	closeExternC = "\n#ifdef __cplusplus\n}\n#endif\n"
)

// open begins a header: the banner, its comment and its guard, which ends with the file.
func open(b *bytes.Buffer, name, comment string) {
	guard := "__" + strings.ToUpper(strings.ReplaceAll(name, ".", "_")) + "__"
	fmt.Fprintf(b, "/* %s */\n%s\n#ifndef %[3]s\n#define %[3]s\n\n", banner, comment, guard)
}

// printTypes prints driver_types.h.
func printTypes(b *bytes.Buffer, r *api.Runtime) {
	open(b, "driver_types.h", `/*
 * driver_types.h: the types of the CUDA runtime.
 *
 * CUDART_VERSION is the release whose types a program gets; 10000 unless it is defined before.
 */`)
	b.WriteString(`#include <limits.h>
#include <stddef.h>

#ifndef CUDART_VERSION
#define CUDART_VERSION 10000
#endif

#ifndef CUDART_CB
#define CUDART_CB
#endif

`)
	for _, m := range r.Macros {
		fmt.Fprintf(b, "#define %s %s\n", m.Name, m.Value)
	}
	b.WriteString("\nenum cudaError {\n")
	for i, e := range r.Errors {
		fmt.Fprintf(b, "\t%s = %d%s\n", e.Name, e.Value, comma(i, len(r.Errors)))
	}
	b.WriteString("};\n")
	for _, e := range r.Enums {
		fmt.Fprintf(b, "\nenum %s {\n", e.Name)
		for i, c := range e.Values {
			fmt.Fprintf(b, "\t%s = %d%s\n", c.Name, c.Value, comma(i, len(e.Values)))
		}
		b.WriteString("};\n")
	}
	b.WriteString(`
typedef enum cudaError cudaError_t;
typedef enum cudaOutputMode cudaOutputMode_t;

/* Streams and events were numbers before release 3.0. */
#if CUDART_VERSION < 3000
typedef int cudaStream_t;
typedef int cudaEvent_t;
#else
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
#endif
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
struct cudaResourceDesc;
struct cudaResourceViewDesc;
struct cudaTextureDesc;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef void (CUDART_CB *cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *userData);
typedef void (CUDART_CB *cudaHostFn_t)(void *userData);
`)
	for i := range r.Structs {
		printStruct(b, &r.Structs[i])
	}
	b.WriteString(`
typedef struct cudaIpcEventHandle_st cudaIpcEventHandle_t;
typedef struct cudaIpcMemHandle_st cudaIpcMemHandle_t;
typedef struct cudaUUID_st cudaUUID_t;

#endif
`)
}

func comma(i, n int) string {
	if i == n-1 {
		return ""
	}
	return ","
}

// printStruct prints a structure from the release of its first field on, with each run of fields of
// the same releases under one condition.
func printStruct(b *bytes.Buffer, s *api.RuntimeStruct) {
	whole := span(s)
	var text bytes.Buffer
	fmt.Fprintf(&text, "struct %s {\n", s.Name)
	for i := 0; i < len(s.Fields); {
		releases := s.Fields[i].Span
		var fields strings.Builder
		for ; i < len(s.Fields) && condition(s.Fields[i].Span) == condition(releases); i++ {
			fmt.Fprintf(&fields, "\t%s;\n", join(s.Fields[i].Type, s.Fields[i].Name))
		}
		if condition(releases) == condition(whole) {
			releases = api.Span{}
		}
		guarded(&text, releases, fields.String())
	}
	text.WriteString("};\n")
	b.WriteString("\n")
	guarded(b, whole, text.String())
}

// span returns the releases that have a structure: from the release of its first field on.
func span(s *api.RuntimeStruct) api.Span {
	whole := api.Span{Since: s.Fields[0].Since}
	for _, f := range s.Fields {
		whole.Since = min(whole.Since, f.Since)
	}
	return whole
}

// printProperties prints the properties of a device as release 4.0 has them, for the library of
// release 4.2, which serves programs of both.
func printProperties(b *bytes.Buffer, r *api.Runtime) {
	i := slices.IndexFunc(r.Structs, func(s api.RuntimeStruct) bool { return s.Name == "cudaDeviceProp" })
	var fields, copies strings.Builder
	for _, f := range r.Structs[i].Fields {
		if f.Since <= 4000 && (f.Until == 0 || f.Until > 4000) {
			name, _, _ := strings.Cut(f.Name, "[")
			fmt.Fprintf(&fields, "\t%s;\n", join(f.Type, f.Name))
			fmt.Fprintf(&copies, "\tmemcpy(&to->%[1]s, &from->%[1]s, sizeof to->%[1]s);\n", name)
		}
	}
	fmt.Fprintf(b, `// %s
//
// The properties of a device in the layout of release 4.0, and what makes them of those of 4.2.
#ifndef JACQUARD_RUNTIME_PROPERTIES_GEN_H
#define JACQUARD_RUNTIME_PROPERTIES_GEN_H

#if CUDART_VERSION == 4020

#include <string.h>

#include "driver_types.h"

struct properties_4_0 {
%s};

static inline void properties_4_0(struct properties_4_0 *to, const struct cudaDeviceProp *from)
{
%s}

#endif

#endif
`, banner, fields.String(), copies.String())
}

// printHeader prints cuda_runtime_api.h.
func printHeader(b *bytes.Buffer, r *api.Runtime) {
	open(b, "cuda_runtime_api.h", `/*
 * cuda_runtime_api.h: the functions of the CUDA runtime, for C and C++.
 *
 * C++ programs may leave out the arguments that have a value in __dv(); C programs give them all.
 */`)
	b.WriteString(`#include "driver_types.h"
#include "vector_types.h"

#ifndef CUDARTAPI
#define CUDARTAPI
#endif

#ifdef __cplusplus
#define __dv(value) = value
#else
#define __dv(value)
#endif

` + openExternC)
	for _, c := range chapters {
		fmt.Fprintf(b, "\n/* %s */\n", c.title)
		printPrototypes(b, r, c.group)
	}
	b.WriteString(closeExternC + "\n#endif\n")
}

// printPrototypes declares the functions of one group.
func printPrototypes(b *bytes.Buffer, r *api.Runtime, group string) {
	for i := range r.Functions {
		f := &r.Functions[i]
		if f.Group != group {
			continue
		}
		var list []string
		for _, p := range f.Params {
			text := p.String()
			if p.Default != "" {
				text += " __dv(" + p.Default + ")"
			}
			list = append(list, text)
		}
		if len(list) == 0 {
			list = []string{"void"}
		}
		guarded(b, f.Span, fmt.Sprintf("CUDARTAPI %s(%s);\n", join(f.Result, f.Name), strings.Join(list, ", ")))
	}
}

// printGL prints cuda_gl_interop.h.
func printGL(b *bytes.Buffer, r *api.Runtime) {
	open(b, "cuda_gl_interop.h", `/*
 * cuda_gl_interop.h: buffers and images that the CUDA runtime shares with OpenGL.
 *
 * OpenGL's own header comes first if the program includes it; the types are the same.
 */`)
	b.WriteString(`#include "cuda_runtime_api.h"

#ifndef GL_VERSION
typedef unsigned int GLuint;
typedef unsigned int GLenum;
#endif

` + openExternC + "\n")
	printPrototypes(b, r, "gl")
	b.WriteString(closeExternC + "\n#endif\n")
}

// printProfiler prints cuda_profiler_api.h.
func printProfiler(b *bytes.Buffer, r *api.Runtime) {
	open(b, "cuda_profiler_api.h", "/* cuda_profiler_api.h: the calls that mark the part of a program to be profiled. */")
	b.WriteString("#include \"cuda_runtime_api.h\"\n\n" + openExternC + "\n")
	printPrototypes(b, r, "profiler")
	b.WriteString(closeExternC + "\n#endif\n")
}

// printDocs prints the table of calls, for users.
func printDocs(b *bytes.Buffer, r *api.Runtime) {
	fmt.Fprintf(b, "<!-- %s -->\n", banner)
	b.WriteString(`# Runtime calls

` + "`libcudart`" + ` exports every symbol below that its release has. There are libraries of releases
2.0, 2.3, 3.2, 4.2, 5.0, 5.5, 6.0, 6.5 and 10.0. A call that is not supported answers
` + "`cudaErrorNotSupported`, before release 5.0 `cudaErrorNotYetImplemented`" + `, and names itself
once on standard error.
`)
	var groups []string
	for _, f := range r.Functions {
		if !slices.Contains(groups, f.Group) {
			groups = append(groups, f.Group)
		}
	}
	for _, group := range groups {
		fmt.Fprintf(b, "\n## %s\n\n| symbol | since | state |\n|---|---|---|\n", group)
		for _, f := range r.Functions {
			if f.Group != group {
				continue
			}
			state := "works"
			switch {
			case f.Needs == api.Unsupported:
				state = "not supported"
			case f.Until != 0:
				state = "works; until " + f.Until.String()
			}
			fmt.Fprintf(b, "| %s | %s | %s |\n", f.Name, f.Since, state)
		}
	}
}
