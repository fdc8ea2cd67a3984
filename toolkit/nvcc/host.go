package nvcc

import (
	"path/filepath"
	"slices"
	"strings"

	"jacquard/toolkit/options"
)

// tolerant makes clang take what compilers of the time took.
var tolerant = []string{"-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal", "-Wno-register", "-Wno-invalid-constexpr"}

// tolerantC does so for C, which had functions without declarations and common variables.
var tolerantC = []string{"-fcommon", "-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-int-conversion"}

// macros tell programs that nvcc compiles them, and its version.
var macros = []string{"-D__NVCC__", "-D__CUDACC_VER_MAJOR__=" + options.Major,
	"-D__CUDACC_VER_MINOR__=" + options.Minor, "-D__CUDACC_VER_BUILD__=" + options.Build}

// sdk says how kernels are launched: by cudaLaunchKernel, since 9.2.
const sdk = "-target-sdk-version=" + options.Release

// compile appends the steps that make an object of a CUDA, C++ or C file.
func (p *planner) compile(in input, object string) {
	args := []string{"-c", "-o", object}
	if in.kind == cuda {
		args = append(args, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", p.device(in))
	}
	if p.depends.with != "" {
		file := p.depends.file
		if file == "" {
			file = strings.TrimSuffix(p.result(in, ".o"), filepath.Ext(p.result(in, ".o"))) + ".d"
		}
		args = append(args, p.depends.with, "-MF", file)
		args = append(args, p.target(in)...)
	}
	p.add("clang++", slices.Concat(args, p.half(in), p.code(), []string{in.path})...)
}

// preprocess appends the step of -E. The text goes to standard output without -o.
func (p *planner) preprocess(in input) {
	p.add("clang++", slices.Concat([]string{"-E"}, p.into(p.output), p.half(in), p.code(), []string{in.path})...)
}

// dependencies appends the step of -M or -MM.
func (p *planner) dependencies(in input) {
	list := "-M"
	if p.phase == toUserDepends {
		list = "-MM"
	}
	file := p.depends.file
	if file == "" {
		file = p.output
	}
	p.add("clang++", slices.Concat([]string{list}, p.into(file), p.target(in), p.half(in), p.code(), []string{in.path})...)
}

// target returns the options of a dependency rule: the target is the object, unless -MT says another.
func (p *planner) target(in input) []string {
	if slices.Contains(p.depends.options, "-MT") {
		return p.depends.options
	}
	object := p.result(in, ".o")
	if p.phase != toObject {
		object = in.stem + ".o"
	}
	return append([]string{"-MT", object}, p.depends.options...)
}

// into returns the options that send a text to a file; "" is standard output.
func (p *planner) into(file string) []string {
	if file == "" {
		return nil
	}
	return []string{"-o", file}
}

// half returns the options of an input's language, for the host half.
func (p *planner) half(in input) []string {
	switch in.kind {
	case cuda:
		// Functions of the device are checked in its half: a macro may make them such there alone.
		return slices.Concat([]string{"-x", "cuda", "--cuda-host-only", "-fgpu-defer-diag"}, p.cuda(), p.headers, in.respelled)
	case "c":
		return slices.Concat([]string{"-x", "c"}, p.dialect(in), tolerantC, macros, p.headers, p.system())
	default:
		return slices.Concat([]string{"-x", "c++"}, p.dialect(in), tolerant, macros, p.headers, p.system())
	}
}

// system returns where the toolkit's headers are.
func (p *planner) system() []string { return []string{"-isystem", p.toolkit.include()} }

// cuda returns clang's options for both halves of a CUDA file. The header comes before line 1, as
// many programs include nothing.
func (p *planner) cuda() []string {
	return slices.Concat(
		[]string{"--cuda-path=" + p.toolkit.Root, "-nocudainc", "--no-cuda-version-check", "-Qunused-arguments", "-Xclang", sdk},
		p.dialect(input{kind: cuda}), tolerant, macros, p.system(),
		[]string{"-include", "cuda_runtime.h"})
}

// dialect returns the option for the standard of a language. The headers need C++11, and programs of
// the time take no more than C++14.
func (p *planner) dialect(in input) []string {
	std := p.standard
	plus := strings.HasPrefix(std, "c++") || strings.HasPrefix(std, "gnu++")
	old := strings.HasSuffix(std, "++98") || strings.HasSuffix(std, "++03")
	switch {
	case in.kind == "c" && (std == "" || plus):
		return nil
	case std == "", in.kind == cuda && old:
		std = "gnu++14"
	}
	return []string{"-std=" + std}
}

// code returns the options for the code of the host half.
func (p *planner) code() []string {
	args := slices.Clone(p.host)
	if p.silent {
		args = append(args, "-w")
	}
	if p.shared {
		args = append(args, "-fPIC")
	}
	return append(args, p.forward...)
}
