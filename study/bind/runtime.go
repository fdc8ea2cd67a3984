package bind

import (
	"debug/elf"
	"path/filepath"
	"slices"
	"strings"

	"jacquard/libcuda/api"
)

// isRuntime reports whether a library is the CUDA runtime, which opens libcuda by its name.
func isRuntime(name string) bool { return strings.HasPrefix(filepath.Base(name), "libcudart.so") }

// isOwnRuntime reports whether make runtime builds the runtime library of a release. No release
// means the library without a number.
func isOwnRuntime(release string) bool {
	return release == "" || slices.ContainsFunc(api.RuntimeLibraries[:], func(l api.RuntimeLibrary) bool { return l.Suffix == release })
}

// runtimes returns the folder of the simulator's runtime libraries. It is beside the library's:
// ../runtime/lib64, or ../runtime/lib for 32-bit programs.
func (l *Library) runtimes() string {
	name := "lib64"
	if l.class == elf.ELFCLASS32 {
		name = "lib"
	}
	return filepath.Join(filepath.Dir(l.Dir()), "runtime", name)
}

// bindRuntime finds the runtime library that the loader loads with the program in env, the
// environment under jacquard exec. If the loader finds none, the simulator's own folder comes last on
// LD_LIBRARY_PATH. It returns the closure.
func (r *Report) bindRuntime(p *program, lib *Library, env Environment) *closure {
	then := newSearch(p, env).load(p)
	if slices.ContainsFunc(then.absent, func(a Absent) bool { return isRuntime(a.Name) }) {
		later := env
		later.LibraryPath = env.LibraryPath + ":" + lib.runtimes() // the simulator's folder is in it
		if with := newSearch(p, later).load(p); len(with.absent) < len(then.absent) {
			env, then = later, with
		}
	}
	for _, o := range then.objects[1:] {
		if isRuntime(o.path) {
			r.RuntimeFile = o.path
			break
		}
	}
	r.LibraryPath = env.LibraryPath
	return then
}
