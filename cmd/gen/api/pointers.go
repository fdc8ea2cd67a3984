package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// printPointers prints a C program that calls every served symbol with pointers into the first
// page, one argument at a time, and prints each answer that is not CUDA_ERROR_INVALID_VALUE.
func printPointers(b *bytes.Buffer, m *model) {
	fmt.Fprintf(b, "// %s\n", banner)
	b.WriteString(`//
// Calls every symbol with pointers into the first page, where no memory is: one argument at a time,
// the others point to zeros. Prints the arguments whose answer is not 1, an invalid value. Every call
// must return.
#include <stdio.h>

#include "abi_gen.h"

`)
	for _, f := range m.Functions {
		fmt.Fprintf(b, "CUresult %s(%s);\n", f.Symbol, params(f.Params))
	}
	b.WriteString(`
static char zeros[1 << 16];

// at returns the address for argument i when argument chosen points to low.
static void *at(int i, int chosen, uintptr_t low) { return i == chosen ? (void *)low : (void *)zeros; }

static CUresult call(int symbol, int chosen, uintptr_t low)
{
	switch (symbol) {
`)
	var served []string
	for _, f := range m.Functions {
		if m.servers[f.Symbol] == "" {
			continue
		}
		var arguments []string
		for i, p := range f.Params {
			switch {
			case m.isStruct(p.Type):
				arguments = append(arguments, fmt.Sprintf("(%s){{0}}", p.Type))
			case p.Pointer():
				arguments = append(arguments, fmt.Sprintf("(%s)at(%d, chosen, low)", p.Type, i))
			case slices.Contains([]string{"int", "unsigned int", "size_t"}, p.Type):
				arguments = append(arguments, "1")
			default:
				arguments = append(arguments, "0")
			}
		}
		if slices.ContainsFunc(arguments, func(a string) bool { return strings.Contains(a, "chosen") }) {
			fmt.Fprintf(b, "\tcase %d: return %s(%s);\n", len(served), f.Symbol, strings.Join(arguments, ", "))
			var names []string
			for i, p := range f.Params {
				if p.Pointer() {
					names = append(names, fmt.Sprintf("{%d, \"%s\"}", i, p.Name))
				}
			}
			served = append(served, fmt.Sprintf("{\"%s\", {%s}}", f.Symbol, strings.Join(names, ", ")))
		}
	}
	b.WriteString("\t}\n\treturn -1;\n}\n\nstatic const struct {\n\tconst char *name;\n\tstruct {\n\t\tint index;\n\t\tconst char *name;\n\t} pointers[8];\n} symbols[] = {\n")
	for _, row := range served {
		fmt.Fprintf(b, "\t%s,\n", row)
	}
	b.WriteString(`};

int main(void)
{
	static const uintptr_t low[] = {1, 8, 4095};
	CUcontext context = 0;
	size_t symbol, i, k;
	int calls = 0;

	if (cuInit(0) != 0 || cuCtxCreate_v2(&context, 0, 0) != 0) {
		puts("cannot start the driver");
		return 1;
	}
	for (symbol = 0; symbol < sizeof symbols / sizeof symbols[0]; symbol++)
		for (i = 0; i < 8 && symbols[symbol].pointers[i].name; i++)
			for (k = 0; k < sizeof low / sizeof low[0]; k++, calls++) {
				CUresult answer = call((int)symbol, symbols[symbol].pointers[i].index, low[k]);
				if (answer != CUDA_ERROR_INVALID_VALUE)
					printf("%s %s %d: %d\n", symbols[symbol].name, symbols[symbol].pointers[i].name, (int)low[k], answer);
			}
	printf("%d calls\n", calls);
	return 0;
}
`)
}
