package bind

import (
	"debug/elf"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jacquard/cubin/carrier"
	"jacquard/libcuda/api"
)

// unnumbered is the runtime library's name in programs of CUDA 1.x and 2.0. The simulator's file of
// that name chooses the library of a release; libcuda/runtime/choice/choice.c has the same rules.
const unnumbered = "libcudart.so"

// choiceMark is in the simulator's library without a number, and in no other.
const choiceMark = "jacquard: release %s of the CUDA runtime has no %s"

// firstFlat is the first release that puts images into flat containers.
const firstFlat = 4000

// emulation lists the functions that only programs for device emulation call: a group in
// libcuda/runtime/api.csv. They end the process.
var emulation = []string{"__cudaSynchronizeThreads", "__cudaTextureFetch", "__cudaGetBlockIdxPtr", "__cudaGetSharedMem", "__cudaMutexOperation"}

// checkRuntime finds the release of the runtime library that the program gets, and the functions
// that this library lacks.
func (r *Report) checkRuntime(p *program, then *closure) {
	users, name := then.runtimeUsers()
	if r.RuntimeFile == "" || name == "" {
		return
	}
	imports := runtimeImports(users)
	if len(r.Code) == 0 && slices.ContainsFunc(imports, func(f string) bool { return slices.Contains(emulation, f) }) {
		r.problem("it was compiled for device emulation, and carries no device code: compile it without -deviceemu")
		return
	}
	if filepath.Base(name) == unnumbered && !r.chooseRelease(p, imports) {
		return
	}
	exports := exportsOf(r.RuntimeFile)
	missing := slices.DeleteFunc(imports, func(f string) bool { return exports[f] })
	for _, o := range then.objects {
		if len(missing) > 0 && !isRuntime(o.path) { // it may have functions with such names
			own := exportsOf(o.path)
			missing = slices.DeleteFunc(missing, func(f string) bool { return own[f] })
		}
	}
	switch what := strings.Join(missing, ", "); {
	case exports == nil || len(missing) == 0:
	case p.bindNow:
		r.problem("%s lacks functions that it links: %s; it was linked with -z now, so that it does not start", r.RuntimeFile, what)
	default:
		r.note("%s lacks functions that it links: %s; it ends if it calls one", r.RuntimeFile, what)
	}
}

// runtimeUsers returns the objects that link the runtime library, and the name that the first of
// them has for it.
func (c *closure) runtimeUsers() (users []*object, name string) {
	for _, o := range c.objects {
		i := slices.IndexFunc(o.needed, isRuntime)
		if i < 0 {
			continue
		}
		if name == "" {
			name = o.needed[i]
		}
		users = append(users, o)
	}
	return users, name
}

// chooseRelease puts the library of a release in place of the one without a number. It reports
// whether there is one.
func (r *Report) chooseRelease(p *program, imports []string) bool {
	if data, err := os.ReadFile(r.RuntimeFile); err != nil || !strings.Contains(string(data), choiceMark) {
		if h, err := readHeader(r.RuntimeFile); err == nil && h.soname != "" && h.soname != unnumbered {
			r.problem("it links %s, the name of CUDA 1.x and 2.0, for which the loader finds %s of a later release: take its folder from LD_LIBRARY_PATH",
				unnumbered, r.RuntimeFile)
			return false
		}
		return true
	}
	folder := filepath.Dir(r.RuntimeFile)
	from, below := api.Version(0), api.Version(1<<30)
	switch flat, found := firstContainer(p.path); {
	case found && flat:
		from = firstFlat
	case found:
		below = firstFlat
	}
	exports, known := map[string]map[string]bool{}, map[string]bool{}
	for _, l := range api.RuntimeLibraries {
		exports[l.Suffix] = exportsOf(filepath.Join(folder, unnumbered+"."+l.Suffix))
		maps.Copy(known, exports[l.Suffix])
	}
	lacks := func(suffix string) bool {
		return exports[suffix] == nil || slices.ContainsFunc(imports, func(f string) bool { return known[f] && !exports[suffix][f] })
	}
	for _, l := range api.RuntimeLibraries {
		if l.Version < from || l.Version >= below || lacks(l.Suffix) {
			continue
		}
		r.RuntimeFile = filepath.Join(folder, unnumbered+"."+l.Suffix)
		r.note("it links %s without a number; its functions and images are of release %s or later", unnumbered, l.Version)
		return true
	}
	r.problem("it links %s without a number, and no release has all functions that it imports and takes its images", unnumbered)
	return false
}

// firstContainer reports whether the first fat binary of the file at path is a flat container.
func firstContainer(path string) (flat, found bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return false, false
	}
	file, err := carrier.Find(data)
	if err != nil || len(file.Modules) == 0 {
		return false, false
	}
	return file.Modules[0].Contents.Size > 0, true
}

// runtimeImports returns the runtime's functions that objects import, sorted. An object may do
// without its weak imports.
func runtimeImports(objects []*object) (names []string) {
	for _, o := range objects {
		for _, s := range dynamicSymbols(o.path) {
			if s.Section == elf.SHN_UNDEF && elf.ST_BIND(s.Info) == elf.STB_GLOBAL && runtimeFunction(s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// exportsOf returns the names that the library at path exports, nil if there is no library.
func exportsOf(path string) map[string]bool {
	var names map[string]bool
	for _, s := range dynamicSymbols(path) {
		if s.Section != elf.SHN_UNDEF {
			if names == nil {
				names = map[string]bool{}
			}
			names[s.Name] = true
		}
	}
	return names
}

func dynamicSymbols(path string) []elf.Symbol {
	f, err := elf.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	symbols, _ := f.DynamicSymbols() // an error means that there are none
	return symbols
}

// runtimeFunction reports whether a symbol belongs to the runtime: cuda and a capital, or a
// function that compilers call.
func runtimeFunction(name string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(name, "__"), "cuda")
	return ok && rest != "" && 'A' <= rest[0] && rest[0] <= 'Z'
}
