package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// enum maps the names of one C type to Go names: it removes cut and prepends add. An empty Go type
// makes plain constants.
type enum struct {
	c, doc       string
	goType, base string
	cut, add     string
}

var enums = []enum{
	{"CUresult", "Result is what a driver call answers. As an error it is never Success: calls that succeed return nil.", "Result", "int", "CUDA_", ""},
	{"CUdevice_attribute", "DeviceAttribute names one property of a device.", "DeviceAttribute", "int", "CU_DEVICE_ATTRIBUTE_", "Attribute"},
	{"CUfunction_attribute", "FuncAttribute names one property of a function.", "FuncAttribute", "int", "CU_FUNC_ATTRIBUTE_", "Func"},
	{"CUjit_option", "JITOption names an option of ModuleLoadDataEx.", "JITOption", "int", "CU_JIT_", "JIT"},
	{"CUjit_target", "ComputeTarget is a target of the translator of PTX.", "ComputeTarget", "int", "CU_TARGET_", "Target"},
	{"CUjitInputType", "JITInput is the kind of an input of the linker.", "JITInput", "int", "CU_JIT_INPUT_", "Input"},
	{"CUlimit", "Limit names a limit of a context.", "Limit", "int", "CU_LIMIT_", "Limit"},
	{"CUfunc_cache", "FuncCache is a preference between shared memory and cache.", "FuncCache", "int", "CU_FUNC_CACHE_", "Cache"},
	{"CUpointer_attribute", "PointerAttribute names one property of a pointer.", "PointerAttribute", "int", "CU_POINTER_ATTRIBUTE_", "Pointer"},
	{"CUmemorytype", "MemoryType says where memory lives.", "MemoryType", "uint32", "CU_MEMORYTYPE_", "Memory"},
	{"CUarray_format", "ArrayFormat is the type of one component of an array or texture element.", "ArrayFormat", "uint32", "CU_AD_FORMAT_", "Format"},
	{"CUaddress_mode", "AddressMode says what a texture coordinate outside the texture means.", "AddressMode", "uint32", "CU_TR_ADDRESS_MODE_", "Address"},
	{"CUfilter_mode", "FilterMode says how a texture is read between its elements.", "FilterMode", "uint32", "CU_TR_FILTER_MODE_", "Filter"},
	{"CUctx_flags", "ContextFlags are the flags of CtxCreate.", "ContextFlags", "uint32", "CU_CTX_", "Ctx"},
	{"CUevent_flags", "EventFlags are the flags of EventCreate.", "EventFlags", "uint32", "CU_EVENT_", "Event"},
	{"CUsharedconfig", "SharedConfig is the width of a shared memory bank.", "SharedConfig", "int", "CU_SHARED_MEM_CONFIG_", "SharedConfig"},
	{"CUstream_flags", "StreamFlags are the flags of StreamCreate.", "StreamFlags", "uint32", "CU_STREAM_", "Stream"},
	{"CUcomputemode", "ComputeMode is the value of AttributeComputeMode.", "ComputeMode", "int", "CU_COMPUTEMODE_", "ComputeMode"},
	{"CUgraphicsRegisterFlags", "GraphicsRegisterFlags say what kernels will do with a graphics resource.", "GraphicsRegisterFlags", "uint32", "CU_GRAPHICS_REGISTER_FLAGS_", "GraphicsRegister"},
	{"CUgraphicsMapResourceFlags", "GraphicsMapFlags say what kernels will do with a mapped graphics resource.", "GraphicsMapFlags", "uint32", "CU_GRAPHICS_MAP_RESOURCE_FLAGS_", "GraphicsMap"},
	{"macro", "The header's constants that have no type of their own.", "", "", "", ""},
}

// words are spelled in capitals in Go names, or run together in the header.
var words = map[string]string{
	"ECC": "ECC", "GPU": "GPU", "ID": "ID", "IPC": "IPC", "JIT": "JIT", "PC": "PC", "PCI": "PCI", "PTX": "PTX",
	"TCC": "TCC", "SRGB": "SRGB", "TR": "TR", "MEMHOSTALLOC": "MemHostAlloc", "MEMHOSTREGISTER": "MemHostRegister",
	"TRSA": "TRSA", "TRSF": "TRSF", "WRITECOMBINED": "WriteCombined", "DEVICEMAP": "DeviceMap",
}

// goName turns the C constant's name into the Go name.
func (e *enum) goName(c string) string {
	if e.goType == "Result" {
		if rest, isError := strings.CutPrefix(c, "CUDA_ERROR_"); isError {
			return "Err" + camel(rest)
		}
	}
	if e.goType == "" {
		return camel(strings.TrimPrefix(strings.TrimPrefix(c, "CU_"), "CUDA_"))
	}
	return e.add + camel(strings.TrimPrefix(c, e.cut))
}

func camel(s string) string {
	var b strings.Builder
	for _, w := range strings.Split(s, "_") {
		if spelled, ok := words[w]; ok {
			b.WriteString(spelled)
		} else {
			b.WriteString(w[:1] + strings.ToLower(w[1:]))
		}
	}
	return b.String()
}

func printConstants(out *bytes.Buffer, rows []row) error {
	for _, r := range rows {
		if !slices.ContainsFunc(enums, func(e enum) bool { return e.c == r["type"] }) {
			return fmt.Errorf("%s: unknown type %q", r["name"], r["type"])
		}
		if _, err := strconv.ParseInt(r["value"], 0, 32); err != nil {
			return fmt.Errorf("%s: %w", r["name"], err)
		}
	}
	for i := range enums {
		e := &enums[i]
		fmt.Fprintf(out, "// %s\n", e.doc)
		if e.goType != "" {
			fmt.Fprintf(out, "type %s %s\n\n// The values of %s.\n", e.goType, e.base, e.goType)
		}
		fmt.Fprintln(out, "const (")
		last := -1
		for _, r := range rows {
			if r["type"] != e.c {
				continue
			}
			fmt.Fprintf(out, "\t%s %s = %s", e.goName(r["name"]), e.goType, r["value"])
			if r["note"] != "" {
				fmt.Fprintf(out, " // %s", r["note"])
			}
			fmt.Fprintln(out)
			if e.goType == "DeviceAttribute" {
				last, _ = strconv.Atoi(r["value"])
			}
		}
		if last >= 0 {
			fmt.Fprintf(out, "\n\tlastAttribute DeviceAttribute = %d\n", last)
		}
		fmt.Fprint(out, ")\n\n")
	}
	fmt.Fprintln(out, "// resultNames holds the header's name of every Result.\nvar resultNames = map[Result]string{")
	for _, r := range rows {
		if r["type"] == "CUresult" {
			fmt.Fprintf(out, "\t%s: %q,\n", enums[0].goName(r["name"]), r["name"])
		}
	}
	fmt.Fprintln(out, "}")
	return nil
}
