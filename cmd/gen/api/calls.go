package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"jacquard/libcuda/api"
)

// call is one call that passes from libcuda.so.1 to libjacquard.so.1.
type call struct {
	symbol string // the C function that makes the call
	goName string // the Go function that serves the call
	params []api.Param
}

// internalCalls are the calls without a symbol: entry/entry.c and entry/exporttable.c make them.
var internalCalls = []call{
	{"jacquard_thread_end", "goThreadEnd", nil},
	{"jacquard_process_end", "goProcessEnd", nil},
	{"jacquard_program_gone", "goProgramGone", nil},
	{"jacquard_no_such_entry", "goNoSuchEntry", []api.Param{{Type: "int", Name: "table"}, {Type: "int", Name: "slot"}}},
	{"jacquard_set_runtime_flags", "goSetRuntimeFlags", []api.Param{{Type: "CUdevice", Name: "dev"}, {Type: "unsigned int", Name: "flags"}}},
	{"jacquard_end_runtime_context", "goEndRuntimeContext", []api.Param{{Type: "CUcontext", Name: "context"}}},
	{"jacquard_context_storage_put", "goContextStoragePut", []api.Param{
		{Type: "CUcontext", Name: "context"}, {Type: "uintptr_t", Name: "key"},
		{Type: "uintptr_t", Name: "value"}, {Type: "uintptr_t", Name: "destructor"},
	}},
	{"jacquard_context_storage_delete", "goContextStorageDelete", []api.Param{{Type: "CUcontext", Name: "context"}, {Type: "uintptr_t", Name: "key"}}},
	{"jacquard_context_storage_get", "goContextStorageGet", []api.Param{
		{Type: "uintptr_t *", Name: "value"}, {Type: "CUcontext", Name: "context"}, {Type: "uintptr_t", Name: "key"},
	}},
	{"jacquard_runtime_failed", "goRuntimeFailed", []api.Param{{Type: "const char *", Name: "call"}, {Type: "const char *", Name: "error"}}},
	{"jacquard_error_asked", "goErrorAsked", nil},
}

// calls returns every call: first the symbols' calls, in the order of the driver's table of
// symbols, then the others.
func calls(m *model) []call {
	var all []call
	for i := range m.Functions {
		f := &m.Functions[i]
		all = append(all, call{f.Symbol, f.GoName(), f.Params})
	}
	return append(all, internalCalls...)
}

// printCalls prints the numbers and the arguments of the calls.
func printCalls(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "// %s\n", banner)
	b.WriteString(`//
// The calls that pass through a gate: their numbers and their arguments.
#ifndef JACQUARD_CALLS_GEN_H
#define JACQUARD_CALLS_GEN_H

#include "abi_gen.h"

enum jacquard_call {
`)
	for _, c := range calls(m) {
		fmt.Fprintf(b, "\tCALL_%s,\n", c.symbol)
	}
	b.WriteString("};\n")
	for _, c := range calls(m) {
		if len(c.params) > 0 {
			fmt.Fprintf(b, "\nstruct %s_arguments {\n", c.symbol)
			for _, p := range c.params {
				fmt.Fprintf(b, "\t%s;\n", p)
			}
			b.WriteString("};\n")
		}
	}
	b.WriteString(`
// What a gate has room for.
union jacquard_arguments {
`)
	for _, c := range calls(m) {
		if len(c.params) > 0 {
			fmt.Fprintf(b, "\tstruct %s_arguments %s;\n", c.symbol, c.symbol)
		}
	}
	b.WriteString("};\n\n// The functions without a symbol.\n")
	for _, c := range internalCalls {
		fmt.Fprintf(b, "CUresult %s(%s);\n", c.symbol, params(c.params))
	}
	b.WriteString("\n#endif\n")
}

// printExports prints the C function of every call, and the table of the symbols.
func printExports(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "// %s\n", banner)
	b.WriteString(`//
// The exported symbols, and the calls without a symbol. Each hands its arguments to the simulator.

#include "entry.h"
`)
	for _, c := range calls(m) {
		fmt.Fprintf(b, "\nCUresult %s(%s)\n{\n", c.symbol, params(c.params))
		if len(c.params) == 0 {
			fmt.Fprintf(b, "\treturn jacquard_call(CALL_%s, \"%s\", NULL, 0);\n}\n", c.symbol, c.symbol)
			continue
		}
		var names []string
		for _, p := range c.params {
			names = append(names, p.Name)
		}
		fmt.Fprintf(b, "\tstruct %s_arguments a = {%s};\n", c.symbol, strings.Join(names, ", "))
		fmt.Fprintf(b, "\treturn jacquard_call(CALL_%s, \"%s\", &a, sizeof a);\n}\n", c.symbol, c.symbol)
	}
	b.WriteString("\n// In the order of the driver's table of symbols.\nvoid *const jacquard_symbols[] = {\n")
	for _, f := range m.Functions {
		fmt.Fprintf(b, "\t(void *)%s,\n", f.Symbol)
	}
	b.WriteString("};\n")
}

// printServers prints the C function that serves every call by its Go function. A symbol without a
// Go function answers that it is not supported.
func printServers(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "// %s\n", banner)
	b.WriteString(`//
// Each function takes a call's arguments apart and hands them to Go, unless a pointer is one that Go
// must not see.

//go:build cgo

#include "server.h"
#include "_cgo_export.h"
`)
	for _, c := range calls(m) {
		fmt.Fprintf(b, "\nstatic CUresult serve_%s(uint64_t thread, const union jacquard_arguments *a)\n{\n", c.symbol)
		if len(c.params) == 0 || m.servers[c.symbol] == "" {
			b.WriteString("\t(void)a;\n")
		}
		result := fmt.Sprintf("goNotSupported(thread, \"%s\")", c.symbol)
		if server := m.servers[c.symbol]; server != "" {
			c.printRefusal(b)
			result = fmt.Sprintf("%s(%s)", server, c.arguments())
		}
		fmt.Fprintf(b, "\treturn %s;\n}\n", result)
	}
	b.WriteString("\njacquard_server *const jacquard_servers[] = {\n")
	for _, c := range calls(m) {
		fmt.Fprintf(b, "\t[CALL_%s] = serve_%s,\n", c.symbol, c.symbol)
	}
	b.WriteString("};\n")
}

// lengths maps the parameter of an array to the parameter of its length, by name. An array of
// length 0 may be at any address, because bindings pass whatever address an empty list has.
var lengths = map[string]string{
	"options": "numOptions", "optionValues": "numOptions", "resources": "count", "pCudaDevices": "cudaDeviceCount",
}

// printRefusal prints the check of the call's typed pointers: one into the first page must not
// reach a pointer variable of Go, because the garbage collector ends the process when it finds one.
func (c *call) printRefusal(b *bytes.Buffer) {
	var checks []string
	for _, p := range c.params {
		if p.Pointer() && !untyped(p) {
			checks = append(checks, fmt.Sprintf("jacquard_refuses(%s)", c.argument(p)))
		}
	}
	if len(checks) > 0 {
		fmt.Fprintf(b, "\tif (%s)\n\t\treturn CUDA_ERROR_INVALID_VALUE;\n", strings.Join(checks, " ||\n\t    "))
	}
}

// untyped reports whether p is an address without a type: it is a number to Go, whose function
// knows how many bytes the call needs there.
func untyped(p api.Param) bool {
	return p.Pointer() && p.Base() == "void" && strings.Count(p.Type, "*") == 1
}

// arguments prints a server's arguments for Go: the thread and the call's arguments.
func (c *call) arguments() string {
	s := []string{"thread"}
	for _, p := range c.params {
		s = append(s, c.argument(p))
	}
	return strings.Join(s, ", ")
}

// argument prints one argument for Go, without const, which Go lacks.
func (c *call) argument(p api.Param) string {
	argument := "a->" + c.symbol + "." + p.Name
	if untyped(p) {
		return "(uintptr_t)" + argument
	}
	if constless, ok := strings.CutPrefix(p.Type, "const "); ok {
		argument = "(" + constless + ")" + argument
	}
	if length := lengths[p.Name]; length != "" && slices.ContainsFunc(c.params, func(p api.Param) bool { return p.Name == length }) {
		return fmt.Sprintf("a->%s.%s == 0 ? NULL : %s", c.symbol, length, argument)
	}
	return argument
}
