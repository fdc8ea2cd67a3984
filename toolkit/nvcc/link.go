package nvcc

import (
	"regexp"
	"slices"
)

// link appends the steps that make a program or a shared library of objects, and run it.
func (p *planner) link(objects []string) {
	out := p.output
	if out == "" {
		out = "a.out"
	}
	args := []string{"-o", out}
	if p.shared {
		args = append(args, "-shared")
	}
	args = slices.Concat(args, p.host, openMP(p.forward), openMP(p.linker))
	// In a group the order of libraries does not matter: NVIDIA's nvcc gives them in any order, too.
	args = append(args, "-Wl,--start-group")
	args = slices.Concat(args, openMP(objects), openMP(p.libraries), p.runtimeLibraries(), []string{"-Wl,--end-group"})
	p.add("clang++", args...)
	if p.run {
		p.steps = append(p.steps, step{tool: program(out), args: p.arguments, result: true})
	}
}

// ofGCC is GCC's library for OpenMP, as an option or a file.
var ofGCC = regexp.MustCompile(`^(-l|-l:lib|(.*/)?lib)gomp(\.so[.0-9]*|\.a)?$`)

// openMP puts clang's library for OpenMP in the place of GCC's, which programs name for nvcc with
// GCC. Clang's has the functions of both. With two, each would count its own threads.
func openMP(args []string) []string {
	args = slices.Clone(args)
	for i, a := range args {
		if ofGCC.MatchString(a) {
			args[i] = "-lomp"
		}
	}
	return args
}

// runtimeLibraries returns the options that link the runtime library and its dependencies.
func (p *planner) runtimeLibraries() []string {
	args := []string{"-L" + p.toolkit.library()}
	switch p.runtime {
	case "static":
		return append(args, "-lcudart_static", "-lrt", "-lpthread", "-ldl")
	case "shared":
		return append(args, "-lcudart")
	}
	return args
}

// program returns the path of a file as a command that no search finds elsewhere.
func program(path string) string {
	if path[0] == '/' || path[0] == '.' {
		return path
	}
	return "./" + path
}

// library appends the step that makes a library of objects.
func (p *planner) library(objects []string) {
	out := p.output
	if out == "" {
		out = "a.a"
	}
	p.add("ar", slices.Concat([]string{"rcs"}, p.archive, []string{out}, objects)...)
}
