package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"jacquard/libcuda/api"
)

// printZeros prints a C program that calls every symbol with zeros, and with unreadable pointers.
// It uses the library's own types, because cuda.h offers only one of the two interfaces at a time.
func printZeros(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "// %s\n", banner)
	b.WriteString(`//
// Calls every symbol of the interface with zeros and NULLs: before cuInit, after it, and with a
// current context. With the context, calls them with ones, and with pointers into the first page
// and to memory that cannot be read or written. Prints the five answers. Every call must return.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "abi_gen.h"

`)
	for _, f := range m.Functions {
		fmt.Fprintf(b, "CUresult %s(%s);\n", f.Symbol, params(f.Params))
	}
	b.WriteString("\nstatic const char *const symbols[] = {\n")
	for _, f := range m.Functions {
		fmt.Fprintf(b, "\t\"%s\",\n", f.Symbol)
	}
	b.WriteString(`};

enum { SYMBOLS = sizeof symbols / sizeof symbols[0] };

static CUresult call(int symbol, uintptr_t pointer, int number)
{
	switch (symbol) {
`)
	for i, f := range m.Functions {
		var zeros []string
		for _, p := range f.Params {
			switch {
			case m.isStruct(p.Type):
				zeros = append(zeros, fmt.Sprintf("(%s){{0}}", p.Type))
			case p.Pointer():
				zeros = append(zeros, fmt.Sprintf("(%s)pointer", p.Type))
			case slices.Contains([]string{"int", "unsigned int", "size_t"}, p.Type):
				zeros = append(zeros, "number")
			default:
				zeros = append(zeros, "0")
			}
		}
		fmt.Fprintf(b, "\tcase %d: return %s(%s);\n", i, f.Symbol, strings.Join(zeros, ", "))
	}
	b.WriteString(`	}
	return -1;
}

int main(void)
{
	static CUresult answers[SYMBOLS][5];
	uintptr_t pointers[5] = {0, 0, 0, 16, 0};
	CUcontext context = 0;
	int i, state;

	pointers[4] = (uintptr_t)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (state = 0; state < 5; state++) {
		if ((state == 1 && cuInit(0) != 0) || (state == 2 && cuCtxCreate_v2(&context, 0, 0) != 0)) {
			puts("cannot start the driver");
			return 1;
		}
		for (i = 0; i < SYMBOLS; i++) {
			if (state == 0 && strcmp(symbols[i], "cuInit") == 0)
				continue;
			if (state >= 2)
				cuCtxSetCurrent(context);
			answers[i][state] = call(i, pointers[state], state >= 3);
		}
	}
	for (i = 0; i < SYMBOLS; i++)
		printf("%s %d %d %d %d %d\n", symbols[i], answers[i][0], answers[i][1], answers[i][2], answers[i][3], answers[i][4]);
	return 0;
}
`)
}

// isStruct reports whether a parameter type is a structure passed by value.
func (m *model) isStruct(name string) bool {
	for _, s := range m.Structs {
		if s.Name == name {
			return true
		}
	}
	return false
}

// printLayout prints a C program that prints the layout of every structure of cuda.h.
func printLayout(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "/* %s */\n", banner)
	b.WriteString(`/* Prints size and member offsets of every structure, for the interface it is compiled for. */
#include <cuda.h>
#include <stddef.h>
#include <stdio.h>

#define SIZE(type) printf("%s %u\n", #type, (unsigned)sizeof(type))
#define MEMBER(type, member) printf("\t%s %u\n", #member, (unsigned)offsetof(type, member))

int main(void)
{
	SIZE(CUdeviceptr);
`)
	for i := range m.Structs {
		s := &m.Structs[i]
		if s.Wide && !s.Narrow {
			fmt.Fprintf(b, "#if __CUDA_API_VERSION >= %d\n", api.WideABI)
		}
		fmt.Fprintf(b, "\tSIZE(%s);\n", s.Name)
		for _, f := range s.Fields {
			name, _, _ := strings.Cut(f.Name, "[")
			fmt.Fprintf(b, "\tMEMBER(%s, %s);\n", s.Name, name)
		}
		if s.Wide && !s.Narrow {
			b.WriteString("#endif\n")
		}
	}
	b.WriteString("\treturn 0;\n}\n")
}
