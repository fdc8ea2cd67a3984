package source

import (
	"path"
	"slices"
	"strings"
)

// Frame is a function that an instruction is part of, and its line there. In an outer function, the
// line is that of the call.
type Frame struct {
	Function string // "" if it is unknown
	Line
	System bool // the file is not the user's: see [System]
}

// NewFrame returns a frame of a function.
func NewFrame(function string, l Line) Frame { return Frame{function, l, System(l.File)} }

// System reports whether a file is a header of the toolkit, of the compiler or of the system. The
// toolkit may be installed anywhere, so its headers are known by their names in a folder "include".
func System(file string) bool {
	for _, folder := range []string{"/usr/include/", "/usr/lib/"} {
		if strings.HasPrefix(file, folder) {
			return true
		}
	}
	folder, name := path.Split(path.Clean(file))
	switch {
	case strings.Contains(folder, "/lib/clang/"):
		return true
	case strings.HasSuffix(folder, "/include/jacquard/"), strings.HasSuffix(folder, "/include/crt/"):
		return true
	}
	return strings.HasSuffix(folder, "/include/") && slices.Contains(headers, strings.TrimSuffix(name, ".h"))
}

// headers are the names of the toolkit's headers, without the end .h.
var headers = strings.Fields(`
	builtin_types channel_descriptor common_functions cuComplex cublas cublas_v2 cudaGL cuda_fp16
	cuda_gl_interop cuda_profiler_api cuda_runtime cuda_runtime_api cuda_surface_types
	cuda_texture_types cufft curand cusparse cusparse_v2 device_atomic_functions device_functions
	device_launch_parameters device_types driver_functions driver_types host_config host_defines
	math_constants math_functions sm_11_atomic_functions sm_12_atomic_functions sm_13_double_functions
	sm_20_atomic_functions sm_20_intrinsics sm_30_intrinsics sm_32_atomic_functions sm_32_intrinsics
	sm_35_atomic_functions sm_35_intrinsics sm_60_atomic_functions sm_61_intrinsics surface_functions
	surface_types texture_fetch_functions texture_types vector_functions vector_types`)
