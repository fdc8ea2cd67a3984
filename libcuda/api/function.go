package api

import (
	"fmt"
	"slices"
	"strings"
)

// Function is one exported symbol.
type Function struct {
	Name     string  // the name in programs' source, "cuMemAlloc"
	Symbol   string  // the exported name, "cuMemAlloc_v2"
	Variant  string  // "", "v1", "v2" or "v3": which of several symbols of one name
	Group    string  // chapter, "memory"
	Since    Version // release it appeared in
	Priority int     // 1 nearly all programs, 2 samples and bindings, 3 exported only
	Params   []Param // in order; none for (void)
}

// Param is one parameter of a function.
type Param struct {
	Type string // C type as in the new interface, "const void *"
	Name string
	// Default is the value that C++ programs may leave out; "" for none. The driver has none.
	Default string
}

// Version is a CUDA release in the form of CUDA_VERSION: 1000*major + 10*minor.
type Version int

// String returns the release as people write it, "3.2".
func (v Version) String() string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }

// ParseVersion reads a release such as "3.2".
func ParseVersion(s string) (Version, error) {
	var major, minor int
	if n, err := fmt.Sscanf(s, "%d.%d", &major, &minor); n != 2 || err != nil || major < 1 || minor < 0 || minor > 99 {
		return 0, fmt.Errorf("release %q is not of the form 3.2", s)
	}
	return Version(1000*major + 10*minor), nil
}

// Releases that change the interface.
const (
	WideABI Version = 3020 // device pointers and sizes become pointer-wide
	// Newest is the last toolkit for this hardware, and the version that the library reports.
	Newest Version = 6050
	// Toolkit is the release that cuda.h declares, unless a program asks for another: the toolkit's.
	Toolkit Version = 10000
)

// GoName is the name of the Go function that serves the symbol, "goMemAllocV2".
func (f *Function) GoName() string {
	return "go" + strings.ReplaceAll(strings.TrimPrefix(f.Symbol, "cu"), "_v", "V")
}

// wide reports whether f takes a device pointer of the interface since 3.2.
func (f *Function) wide() bool {
	return slices.ContainsFunc(f.Params, func(p Param) bool { return p.Base() == "CUdeviceptr" })
}

// Pointer reports whether p is a pointer of any kind: the C type ends in a star.
func (p Param) Pointer() bool { return strings.HasSuffix(p.Type, "*") }

// Base is the type without const and stars: "CUdeviceptr" for "const CUdeviceptr *".
func (p Param) Base() string {
	return strings.TrimSpace(strings.TrimRight(strings.TrimPrefix(p.Type, "const "), "* "))
}

// String returns the parameter as C declares it, "const char *name".
func (p Param) String() string {
	if p.Pointer() {
		return p.Type + p.Name
	}
	return p.Type + " " + p.Name
}

// parseParams reads a C parameter list without its parentheses; "void" is the empty list.
func parseParams(list string) ([]Param, error) {
	if list == "void" {
		return nil, nil
	}
	var params []Param
	for _, s := range strings.Split(list, ",") {
		s, value, _ := strings.Cut(strings.TrimSpace(s), " = ")
		name := strings.LastIndexAny(s, " *") + 1
		if name == 0 || name == len(s) {
			return nil, fmt.Errorf("parameter %q is not of the form 'type name' or 'type *name'", s)
		}
		params = append(params, Param{Type: strings.TrimSpace(s[:name]), Name: s[name:], Default: value})
	}
	return params, nil
}
