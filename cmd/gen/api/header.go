package main

import (
	"bytes"
	"fmt"
	"sort"
	"strings"

	"jacquard/libcuda/api"
)

// chapters are the function groups that cuda.h declares, in its order. The groups of graphics
// libraries need those libraries' headers, and the profiler has its own header.
var chapters = []struct{ group, title string }{
	{"init", "The driver"},
	{"device", "Devices"},
	{"context", "Contexts"},
	{"module", "Modules"},
	{"link", "Linking"},
	{"memory", "Memory"},
	{"memcpy", "Copies"},
	{"memset", "Filling memory"},
	{"array", "Arrays"},
	{"function", "Functions"},
	{"launch-old", "Launches, the older way"},
	{"launch-new", "Launches"},
	{"occupancy", "Occupancy"},
	{"stream", "Streams"},
	{"event", "Events"},
	{"texref", "Texture references"},
	{"surfref", "Surface references"},
	{"bindless", "Texture and surface objects"},
	{"peer", "Several devices"},
	{"ipc", "Other processes"},
	{"graphics", "Graphics resources"},
	{"hidden", "Private tables"},
}

// span is the range of releases of a declaration: from (0: the first) up to and without until (0:
// no end).
type span struct{ from, until api.Version }

// condition is the span as a preprocessor condition, or "" for always.
func (s span) condition() string {
	var parts []string
	if s.from > 2000 { // programs from before 2.0 are not supported
		parts = append(parts, fmt.Sprintf("__CUDA_API_VERSION >= %d", s.from))
	}
	if s.until != 0 {
		parts = append(parts, fmt.Sprintf("__CUDA_API_VERSION < %d", s.until))
	}
	return strings.Join(parts, " && ")
}

// guarded collects lines by span and prints each span's lines under one condition.
type guarded map[span][]string

func (g guarded) add(s span, line string) {
	if s.condition() == "" {
		s = span{}
	}
	g[s] = append(g[s], line)
}

func (g guarded) print(b *bytes.Buffer) {
	var spans []span
	for s := range g {
		spans = append(spans, s)
	}
	sort.Slice(spans, func(i, j int) bool {
		if spans[i].from != spans[j].from {
			return spans[i].from < spans[j].from
		}
		return spans[i].until < spans[j].until
	})
	for _, s := range spans {
		if c := s.condition(); c != "" {
			fmt.Fprintf(b, "#if %s\n", c)
		}
		for _, line := range g[s] {
			b.WriteString(line)
		}
		if s.condition() != "" {
			b.WriteString("#endif\n")
		}
	}
}

// offer is a variant of a function, with the releases for which the function's plain name means
// it.
type offer struct {
	*api.Function
	span
}

// offers returns the variants of name for programs of any release up to the newest. Functions of
// later releases are declared at the newest; later variants of older functions are not.
func (m *model) offers(name string) []offer {
	var list []offer
	for _, f := range m.Variants(name) {
		from := f.Since
		if from > api.Newest {
			if len(list) > 0 {
				continue
			}
			from = api.Newest
		}
		if n := len(list); n > 0 {
			list[n-1].until = from
		}
		list = append(list, offer{&f, span{from: from}})
	}
	return list
}

const headerTop = `/* ` + banner + ` */
/*
 * cuda.h: Jacquard's CUDA driver interface.
 *
 * CUDA_VERSION says which release's interface a program is written for: 10000, that of the toolkit,
 * unless the program or the compiler's command line defines it. From 3020 on device pointers and
 * sizes are as wide as pointers, and the functions concerned are the library's _v2 symbols. Before,
 * both are 32 bits wide, on every machine.
 * -DCUDA_FORCE_API_VERSION=3010 (or 2030 ...) compiles for an older interface.
 */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include <stdint.h>
#include <stdlib.h>

#ifndef CUDA_VERSION
#ifdef CUDA_FORCE_API_VERSION
#define CUDA_VERSION CUDA_FORCE_API_VERSION
#else
#define CUDA_VERSION %d
#endif
#endif

#ifdef CUDA_FORCE_API_VERSION
#define __CUDA_API_VERSION CUDA_FORCE_API_VERSION
#else
#define __CUDA_API_VERSION CUDA_VERSION
#endif

#ifndef CUDAAPI
#define CUDAAPI
#endif
#ifndef CUDA_CB
#define CUDA_CB
#endif

`

const (
	openExternC  = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
	closeExternC = "\n#ifdef __cplusplus\n}\n#endif\n"
)

// printHeader prints cuda.h.
func printHeader(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, headerTop, api.Toolkit)
	printRenames(b, m)
	b.WriteString("\n" + openExternC)
	printTypes(b, m)
	for _, c := range chapters {
		fmt.Fprintf(b, "\n/* %s */\n", c.title)
		printPrototypes(b, m, c.group)
	}
	b.WriteString(closeExternC + "\n#endif\n")
}

// printRenames prints the macros that map a function's plain name to a later variant.
func printRenames(b *bytes.Buffer, m *model) {
	g := guarded{}
	for _, f := range m.Functions {
		if f.Variant != "" && f.Variant != "v1" {
			continue
		}
		for _, o := range m.offers(f.Name) {
			if o.Symbol != f.Name {
				g.add(o.span, fmt.Sprintf("#define %s %s\n", f.Name, o.Symbol))
			}
		}
	}
	g.print(b)
}

// printTypes prints handles, enumerations, macros and structures.
func printTypes(b *bytes.Buffer, m *model) {
	b.WriteString(`
/* long long is no part of C89 and C++98, but has always been the type of device pointers. */
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wlong-long"
#endif

#if __CUDA_API_VERSION >= 3020 && UINTPTR_MAX > 0xffffffffu
typedef unsigned long long CUdeviceptr;
#else
typedef unsigned int CUdeviceptr;
#endif

`)
	for _, t := range m.Types {
		switch t.Kind {
		case api.Handle:
			fmt.Fprintf(b, "typedef struct %s *%s;\n", t.Tag, t.Name)
		case api.Opaque:
			fmt.Fprintf(b, "typedef struct %s %s;\n", t.Tag, t.Name)
		case api.Scalar:
			fmt.Fprintf(b, "typedef %s %s;\n", t.Definition, t.Name)
		}
	}
	b.WriteString("\n#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n\n")
	for _, c := range m.Macros {
		switch {
		case c.Pointer:
			fmt.Fprintf(b, "#define %s ((void *)%d)\n", c.Name, c.Value)
		case c.Value < 0:
			fmt.Fprintf(b, "#define %s (%d)\n", c.Name, c.Value)
		default:
			fmt.Fprintf(b, "#define %s %d\n", c.Name, c.Value)
		}
	}
	for i := range m.Enums {
		printEnum(b, &m.Enums[i])
	}
	b.WriteString("\n")
	for _, t := range m.Types {
		if t.Kind == api.Callback {
			fmt.Fprintf(b, "typedef %s;\n", strings.Replace(t.Definition, "NAME", t.Name, 1))
		}
	}
	for i := range m.Structs {
		s := &m.Structs[i]
		if !s.Wide {
			printStruct(b, s, "", false, "CUdeviceptr")
			continue
		}
		b.WriteString("\n#if __CUDA_API_VERSION >= 3020")
		printStruct(b, s, "", false, "CUdeviceptr")
		if s.Narrow {
			b.WriteString("#else")
			printStruct(b, s, "", true, "CUdeviceptr")
		}
		b.WriteString("#endif\n")
	}
}

// printEnum prints an enumeration. Its last enumerator must exist in every release, so that no
// comma is left over.
func printEnum(b *bytes.Buffer, e *api.Enum) {
	fmt.Fprintf(b, "\ntypedef enum %s {\n", e.Tag())
	for i, c := range e.Values {
		comma := ","
		if i == len(e.Values)-1 {
			comma = ""
		}
		condition := ""
		if e.Guarded(c) {
			condition = span{c.From, c.Until}.condition()
		}
		if condition != "" {
			fmt.Fprintf(b, "#if %s\n", condition)
		}
		fmt.Fprintf(b, "\t%s = %d%s\n", c.Name, c.Value, comma)
		if condition != "" {
			b.WriteString("#endif\n")
		}
	}
	fmt.Fprintf(b, "} %s;\n", e.Name)
}

// printPrototypes prints the functions of one group. Variants of one declaration share a line.
func printPrototypes(b *bytes.Buffer, m *model, group string) {
	g := guarded{}
	for _, f := range m.Functions {
		if f.Group != group || f.Symbol != f.Name {
			continue
		}
		var line string
		var when span
		for _, o := range m.offers(f.Name) {
			plain := strings.ReplaceAll(params(o.Params), api.NarrowSuffix, "")
			next := fmt.Sprintf("CUresult CUDAAPI %s(%s);\n", f.Name, plain)
			if next == line {
				when.until = o.until
				continue
			}
			if line != "" {
				g.add(when, line)
			}
			line, when = next, o.span
		}
		g.add(when, line)
	}
	g.print(b)
}
