package main

import (
	"bytes"
	"fmt"
	"strings"

	"jacquard/libcuda/api"
)

// called reports whether the C tests call f: compilers alone call the others.
func called(f *api.RuntimeFunction) bool {
	return f.Group != "register" && f.Group != "emulation" && f.Group != "vdpau"
}

// printZeros prints a C program that calls every function of release 10.0 with zeros, with ones,
// and with pointers to memory that cannot be read or written.
func printZeros(b *bytes.Buffer, r *api.Runtime) {
	fmt.Fprintf(b, "// %s\n", banner)
	b.WriteString(`//
// Calls every function of the runtime with zeros and NULLs, with ones, with pointers into the first
// page, and with pointers to memory that cannot be read or written. Every call must return.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "cuda_gl_interop.h"
#include "cuda_profiler_api.h"
#include "cuda_runtime_api.h"

static void callback(cudaStream_t stream, cudaError_t status, void *data) { (void)stream, (void)status, (void)data; }
static void host_function(void *data) { (void)data; }

static int call(int function, uintptr_t pointer, int number)
{
	switch (function) {
`)
	n := 0
	for i := range r.Functions {
		f := &r.Functions[i]
		if !called(f) {
			continue
		}
		var args []string
		for _, p := range f.Params {
			args = append(args, argument(p))
		}
		line := fmt.Sprintf("%s(%s)", f.Name, strings.Join(args, ", "))
		if f.Result == "cudaError_t" {
			line = "return " + line
		} else {
			line += ", 0"
			line = "return (void)" + line
		}
		fmt.Fprintf(b, "\tcase %d:\n\t\t%s;\n", n, line)
		n++
	}
	fmt.Fprintf(b, "\t}\n\treturn -1;\n}\n\nstatic const char *const functions[] = {\n")
	for i := range r.Functions {
		if f := &r.Functions[i]; called(f) {
			fmt.Fprintf(b, "\t\"%s\",\n", f.Name)
		}
	}
	b.WriteString(`};

int main(void)
{
	char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t pointers[] = {0, 1, 8, (uintptr_t)page};
	for (int round = 0; round < 2; round++) { // before the first context, and after its end
		for (int i = 0; i < (int)(sizeof functions / sizeof functions[0]); i++) {
			printf("%s", functions[i]);
			for (int k = 0; k < 4; k++) {
				fflush(stdout);
				printf(" %d", call(i, pointers[k], k > 0));
			}
			printf("\n");
		}
		printf("reset %d\n", cudaDeviceReset());
	}
	return 0;
}
`)
}

// argument is an expression for an argument: a pointer or number that the program chooses.
func argument(p api.Param) string {
	switch {
	case p.Pointer():
		return "(" + p.Type + ")pointer"
	case p.Type == "dim3", strings.HasPrefix(p.Type, "struct "), strings.HasPrefix(p.Type, "cudaIpc"):
		return "(" + p.Type + "){0}"
	case p.Type == "cudaStreamCallback_t":
		return "pointer ? callback : NULL" // the driver calls it
	case p.Type == "cudaHostFn_t":
		return "pointer ? host_function : NULL"
	case strings.HasSuffix(p.Type, "_t") && p.Type != "size_t" && p.Type != "cudaError_t":
		return "(" + p.Type + ")pointer"
	}
	return "(" + p.Type + ")number"
}

// printLayout prints a C program that prints the size of every structure, and where its fields lie.
func printLayout(b *bytes.Buffer, r *api.Runtime) {
	fmt.Fprintf(b, "// %s\n", banner)
	b.WriteString(`//
// Prints size and member offsets of every structure of the runtime, in the release it is compiled for.
#include <stddef.h>
#include <stdio.h>

#include "driver_types.h"

#define SIZE(type) printf("%s %u\n", #type, (unsigned)sizeof(struct type))
#define MEMBER(type, member) printf("\t%s %u\n", #member, (unsigned)offsetof(struct type, member))

int main(void)
{
`)
	for i := range r.Structs {
		s := &r.Structs[i]
		guarded(b, span(s), fmt.Sprintf("\tSIZE(%s);\n", s.Name))
		for _, f := range s.Fields {
			name, _, _ := strings.Cut(f.Name, "[")
			guarded(b, f.Span, fmt.Sprintf("\tMEMBER(%s, %s);\n", s.Name, name))
		}
	}
	b.WriteString("\treturn 0;\n}\n")
}
