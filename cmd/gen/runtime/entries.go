package main

import (
	"bytes"
	"fmt"
	"strings"

	"jacquard/libcuda/api"
)

// params prints the parameters of a declaration.
func params(list []api.Param) string {
	if len(list) == 0 {
		return "void"
	}
	var parts []string
	for _, p := range list {
		parts = append(parts, p.String())
	}
	return strings.Join(parts, ", ")
}

func names(list []api.Param) string {
	var parts []string
	for _, p := range list {
		parts = append(parts, p.Name)
	}
	return strings.Join(parts, ", ")
}

// declaration is a function's declaration without a semicolon.
func declaration(f *api.RuntimeFunction, name string) string {
	return join(f.Result, name) + "(" + params(f.Params) + ")"
}

// join puts a C type before a name.
func join(typ, name string) string {
	if strings.HasSuffix(typ, "*") {
		return typ + name
	}
	return typ + " " + name
}

// printCalls declares the functions behind the entry points.
func printCalls(b *bytes.Buffer, r *api.Runtime) {
	fmt.Fprintf(b, "// %s\n", banner)
	b.WriteString(`//
// The functions behind the entry points. Each does its own work alone: the entry point has seen to
// driver and context, and remembers the error.
#ifndef JACQUARD_RUNTIME_CALLS_GEN_H
#define JACQUARD_RUNTIME_CALLS_GEN_H

#include "cuda_gl_interop.h"
#include "cuda_profiler_api.h"
#include "cuda_runtime_api.h"

`)
	for i := range r.Functions {
		f := &r.Functions[i]
		if f.Needs != api.ByHand && f.Needs != api.Unsupported {
			guarded(b, f.Span, declaration(f, f.Internal())+";\n")
		}
	}
	b.WriteString("\n#endif\n")
}

// printExports prints the entry points.
func printExports(b *bytes.Buffer, r *api.Runtime) {
	fmt.Fprintf(b, "// %s\n", banner)
	b.WriteString(`//
// The entry points of the runtime library.

#include "calls_gen.h"
#include "runtime.h"
`)
	for i := range r.Functions {
		f := &r.Functions[i]
		var body string
		switch f.Needs {
		case api.ByHand:
			continue
		case api.Unsupported:
			var unused strings.Builder
			for _, p := range f.Params {
				fmt.Fprintf(&unused, "\t(void)%s;\n", p.Name)
			}
			body = fmt.Sprintf("\tstatic atomic_flag told = ATOMIC_FLAG_INIT;\n%s\treturn runtime_unsupported(\"%s\", &told);\n", unused.String(), f.Name)
		case api.NeedsNothing:
			body = fmt.Sprintf("\treturn runtime_end(%s(%s));\n", f.Internal(), names(f.Params))
		default:
			body = fmt.Sprintf("\tcudaError_t error = runtime_needs_%s();\n", f.Needs) +
				fmt.Sprintf("\tif (error == cudaSuccess)\n\t\terror = %s(%s);\n", f.Internal(), names(f.Params)) +
				"\treturn runtime_end(error);\n"
		}
		b.WriteString("\n")
		guarded(b, f.Span, fmt.Sprintf("%s\n{\n%s}\n", "CUDARTAPI "+declaration(f, f.Name), body))
	}
}

// printErrors prints the table of errors.
func printErrors(b *bytes.Buffer, r *api.Runtime) {
	fmt.Fprintf(b, "// %s\n\n", banner)
	b.WriteString("#include \"errors.h\"\n\nconst struct runtime_error runtime_errors[] = {\n")
	for _, e := range r.Errors {
		driver := "-1"
		if e.Driver != "" {
			driver = e.Driver
		}
		fmt.Fprintf(b, "\t{%d, %d, %d, %s, \"%s\", \"%s\"},\n", e.Value, e.Since, e.Before, driver, e.Name, e.Text)
	}
	b.WriteString("};\n\nconst int runtime_error_count = sizeof runtime_errors / sizeof runtime_errors[0];\n")
}

// printNames prints the entry points of the library without a number: all names that any release has.
func printNames(b *bytes.Buffer, r *api.Runtime) {
	fmt.Fprintf(b, "// %s\n", banner)
	b.WriteString(`//
// The releases of the runtime library, and the functions of all of them but
// __cudaRegisterFatBinary.
#ifndef JACQUARD_RUNTIME_NAMES_GEN_H
#define JACQUARD_RUNTIME_NAMES_GEN_H

`)
	flat := 0
	var releases []string
	for i, l := range api.RuntimeLibraries {
		if l.Version < 4000 {
			flat = i + 1
		}
		releases = append(releases, fmt.Sprintf("%q", l.Suffix))
	}
	fmt.Fprintf(b, "#define RUNTIME_RELEASES %s\n\n", strings.Join(releases, ", "))
	b.WriteString("// RUNTIME_FIRST_FLAT is the first release that puts images into flat containers.\n")
	fmt.Fprintf(b, "enum { RUNTIME_FIRST_FLAT = %d };\n\n#define RUNTIME_NAMES(X)", flat)
	for _, f := range r.Functions {
		if f.Name != "__cudaRegisterFatBinary" {
			fmt.Fprintf(b, " \\\n\tX(%s)", f.Name)
		}
	}
	b.WriteString("\n\n#endif\n")
}
