package main

import (
	"bytes"
	"fmt"
	"strings"

	"jacquard/libcuda/api"
)

// printRandom prints calls of every function of release 10.0 with arguments by chance.
func printRandom(b *bytes.Buffer, r *api.Runtime) {
	fmt.Fprintf(b, "// %s\n", banner)
	b.WriteString(`//
// Calls of every function with arguments by chance; runtime_random.c says where they come from.

static cudaError_t call(int function)
{
	switch (function) {
`)
	n := 0
	for i := range r.Functions {
		f := &r.Functions[i]
		if !called(f) || f.Result != "cudaError_t" {
			continue
		}
		var args []string
		for _, p := range f.Params {
			args = append(args, random(p))
		}
		fmt.Fprintf(b, "\tcase %d:\n\t\treturn %s(%s);\n", n, f.Name, strings.Join(args, ", "))
		n++
	}
	fmt.Fprintf(b, "\t}\n\treturn cudaSuccess;\n}\n\n#define FUNCTIONS %d\n", n)
}

// handles are the types whose values one call returns and another takes.
var handles = []string{"cudaStream_t", "cudaEvent_t", "cudaArray_t", "cudaArray_const_t", "cudaGraphicsResource_t"}

// random is an expression for an argument: a call of one of the functions of runtime_random.c.
func random(p api.Param) string {
	cast := "(" + p.Type + ")"
	for _, h := range handles {
		kind := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(h, "cuda"), "_t"), "_const")
		switch p.Type {
		case h:
			return cast + "handle(" + kind + ")"
		case h + " *":
			return cast + "room(" + kind + ")"
		}
	}
	switch p.Type {
	case "void **":
		if p.Name == "devPtr" || p.Name == "pDevice" {
			return "room(Address)"
		}
	case "const char *":
		return "text()"
	case "const struct textureReference *":
		return "texture()"
	case "void *", "const void *":
		if p.Name == "symbol" || p.Name == "func" {
			return "symbol()"
		}
		return "address()"
	case "cudaStreamCallback_t":
		return "callback"
	case "cudaHostFn_t":
		return "host_function"
	case "dim3":
		return "shape(small(), small(), small())"
	case "struct cudaExtent":
		return "extent()"
	case "struct cudaPitchedPtr":
		return "pitched()"
	}
	switch {
	case p.Pointer():
		return cast + "own()"
	case strings.HasPrefix(p.Type, "cudaIpc"):
		return cast + "{0}"
	case strings.HasPrefix(p.Type, "enum "):
		return cast + "small()"
	case strings.HasSuffix(p.Type, "_t") && p.Type != "size_t":
		return cast + "(uintptr_t)small()"
	}
	return cast + "number()"
}
