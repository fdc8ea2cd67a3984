package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"jacquard/libcuda/api"
)

// printABI prints the types of the entry points for the Go side. Handles, callbacks and the
// pointers in structures are numbers, so that no invalid pointer is ever in a Go pointer variable.
// Structures come in both forms.
func printABI(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "// %s\n", banner)
	b.WriteString(`//
// Types of libcuda's entry points. The binary interface is that of include/cuda.h, but handles,
// callbacks and the pointers in structures are integers here. Names ending in _v1 are of the
// interface before release 3.2.
#ifndef JACQUARD_ABI_GEN_H
#define JACQUARD_ABI_GEN_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t CUdeviceptr_v1;
typedef uintptr_t CUdeviceptr;

`)
	for _, t := range m.Types {
		switch t.Kind {
		case api.Handle, api.Callback:
			fmt.Fprintf(b, "typedef uintptr_t %s;\n", t.Name)
		case api.Opaque:
			fmt.Fprintf(b, "typedef struct %s %s;\n", t.Tag, t.Name)
		default:
			fmt.Fprintf(b, "typedef %s %s;\n", t.Definition, t.Name)
		}
	}
	b.WriteString("\n")
	for _, e := range m.Enums {
		fmt.Fprintf(b, "typedef int %s;\n", e.Name)
	}
	b.WriteString("\nenum {\n")
	for _, name := range []string{
		"CUDA_ERROR_INVALID_VALUE", "CUDA_ERROR_OUT_OF_MEMORY", "CUDA_ERROR_NOT_INITIALIZED",
		"CUDA_ERROR_INVALID_GRAPHICS_CONTEXT", "CUDA_ERROR_OPERATING_SYSTEM", "CUDA_ERROR_INVALID_HANDLE",
		"CUDA_ERROR_UNKNOWN",
		"CU_IPC_HANDLE_SIZE",
		"CU_JIT_ERROR_LOG_BUFFER", "CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES",
		"CU_JIT_INFO_LOG_BUFFER", "CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES", "CU_JIT_WALL_TIME",
		"CU_LAUNCH_PARAM_BUFFER_POINTER", "CU_LAUNCH_PARAM_BUFFER_SIZE", "CU_LAUNCH_PARAM_END",
	} {
		fmt.Fprintf(b, "\t%s = %d,\n", name, m.value(name))
	}
	b.WriteString("};\n")
	for i := range m.Structs {
		s := withNumbers(&m.Structs[i])
		if s.Narrow {
			printStruct(b, s, api.NarrowSuffix, true, "CUdeviceptr"+api.NarrowSuffix)
		}
		printStruct(b, s, "", false, "CUdeviceptr")
	}
	b.WriteString("\n#endif\n")
}

// withNumbers returns s with its pointers replaced by numbers.
func withNumbers(s *api.Struct) *api.Struct {
	numbers := *s
	numbers.Fields = slices.Clone(s.Fields)
	for i, f := range numbers.Fields {
		if (api.Param{Type: f.Type}).Pointer() {
			numbers.Fields[i].Type = "uintptr_t"
		}
	}
	return &numbers
}

// value returns the present value of a constant; the tables must have it.
func (m *model) value(name string) int {
	for _, e := range append([]api.Enum{{Values: m.Macros}}, m.Enums...) {
		for _, c := range e.Values {
			if c.Name == name && c.Until == 0 {
				return c.Value
			}
		}
	}
	panic("gen: no constant " + name)
}

// printStruct prints one form of a structure.
func printStruct(b *bytes.Buffer, s *api.Struct, suffix string, narrow bool, devicePointer string) {
	fmt.Fprintf(b, "\ntypedef struct %s%s {\n", s.Tag(), suffix)
	for _, f := range s.Fields {
		fmt.Fprintf(b, "\t%s;\n", api.Param{Type: f.CType(narrow, devicePointer), Name: f.Name})
	}
	fmt.Fprintf(b, "} %s%s;\n", s.Name, suffix)
}

// printProcAddresses prints the driver's table of symbols, for cuGetProcAddress.
func printProcAddresses(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "// %s\n\npackage driver\n\n", banner)
	b.WriteString("// symbols are the exported functions, sorted by symbol.\nvar symbols = [...]symbol{\n")
	for _, f := range m.Functions {
		fmt.Fprintf(b, "\t{%q, %d},\n", f.Name, int(f.Since))
	}
	b.WriteString("}\n")
}

// params prints a parameter list as C declares it.
func params(list []api.Param) string {
	if len(list) == 0 {
		return "void"
	}
	var s []string
	for _, p := range list {
		s = append(s, p.String())
	}
	return strings.Join(s, ", ")
}

// printVersionScript prints the linker's list of exported symbols.
func printVersionScript(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "/* %s */\n{\nglobal:\n", banner)
	for _, f := range m.Functions {
		fmt.Fprintf(b, "\t%s;\n", f.Symbol)
	}
	b.WriteString("local:\n\t*;\n};\n")
}

// printErrors prints the names of the result codes as C strings; programs keep pointers to them.
func printErrors(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "// %s\n", banner)
	b.WriteString(`
//go:build cgo

#include <stddef.h>

#include "server.h"

const char *jacquard_error_name(CUresult code)
{
	switch (code) {
`)
	m.eachResult(func(c api.Constant) { fmt.Fprintf(b, "\tcase %d: return \"%s\";\n", c.Value, c.Name) })
	b.WriteString(`	}
	return NULL;
}

const char *jacquard_error_words(CUresult code)
{
	switch (code) {
`)
	m.eachResult(func(c api.Constant) {
		words := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(c.Name, "CUDA_"), "ERROR_"), "_", " "))
		fmt.Fprintf(b, "\tcase %d: return \"%s\";\n", c.Value, words)
	})
	b.WriteString(`	}
	return NULL;
}
`)
}

// eachResult calls f for the present result codes in order.
func (m *model) eachResult(f func(api.Constant)) {
	for _, e := range m.Enums {
		if e.Name != "CUresult" {
			continue
		}
		for _, c := range e.Values {
			if c.Until == 0 {
				f(c)
			}
		}
	}
}
