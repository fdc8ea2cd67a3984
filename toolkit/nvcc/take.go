package nvcc

import (
	"fmt"
	"slices"
	"strings"

	"jacquard/toolkit/options"
)

// takeFront takes options of the front end.
func (s *settings) takeFront(g options.Given) (bool, error) {
	switch g.Name {
	case "include-path":
		for _, dir := range options.Split(g.Value) {
			s.headers = append(s.headers, "-I"+dir)
		}
	case "system-include":
		s.headers = append(s.headers, "-isystem", g.Value)
	case "pre-include":
		s.headers = append(s.headers, "-include", g.Value)
	case "define-macro":
		s.headers = append(s.headers, "-D"+g.Value)
	case "undefine-macro":
		s.headers = append(s.headers, "-U"+g.Value)
	case "std":
		s.standard = g.Value
	case "x":
		if !slices.Contains([]string{"cu", "c++", "c"}, g.Value) {
			return true, fmt.Errorf("-x %s: want cu, c++ or c", g.Value)
		}
		s.language = g.Value
	case "default-stream":
		switch g.Value {
		case "legacy", "null":
		case "per-thread":
			s.headers = append(s.headers, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1")
		default:
			return true, fmt.Errorf("-default-stream %s: want legacy or per-thread", g.Value)
		}
	case "generate-dependencies-with-compile":
		s.depends.with = "-MD"
	case "generate-nonsystem-dependencies-with-compile":
		s.depends.with = "-MMD"
	case "dependency-output":
		s.depends.file = g.Value
	case "dependency-target-name":
		s.depends.options = append(s.depends.options, "-MT", g.Value)
	case "generate-dependency-targets":
		s.depends.options = append(s.depends.options, "-MP")
	default:
		return false, nil
	}
	return true, nil
}

// takeCode takes options of code generation, first the options of the device.
func (s *settings) takeCode(g options.Given) (taken bool, err error) {
	on := g.On()
	switch g.Name {
	case "maxrregcount":
		s.assembler = append(s.assembler, "--maxrregcount="+g.Value)
	case "ptxas-options":
		s.assembler = append(s.assembler, elements(g)...)
	case "resource-usage":
		s.assembler = append(s.assembler, "-v")
	case "device-debug":
		s.debug = g.On()
	case "generate-line-info":
		s.lines = g.On()
	case "use_fast_math":
		s.math.fast = g.On()
	case "fmad":
		s.math.contract = on
	case "ftz":
		s.math.flush = &on
	case "prec-div":
		s.math.divide = &on
	case "prec-sqrt":
		s.math.root = &on
	case "optimize":
		s.host = append(s.host, "-O"+g.Value)
	case "debug":
		s.host = append(s.host, "-g")
	case "profile":
		s.host = append(s.host, "-pg")
	case "compiler-options":
		s.forward = append(s.forward, elements(g)...)
	case "Wno-deprecated-declarations":
		s.host = append(s.host, "-Wno-deprecated-declarations")
	case "Werror":
		if strings.Contains(g.Value, "all-warnings") {
			s.host = append(s.host, "-Werror")
		}
	default:
		return false, nil
	}
	return true, err
}

// takeLink takes options of the linker.
func (s *settings) takeLink(g options.Given) (bool, error) {
	switch g.Name {
	case "library":
		for _, name := range options.Split(g.Value) {
			s.libraries = append(s.libraries, "-l"+name)
		}
	case "library-path":
		for _, dir := range options.Split(g.Value) {
			s.libraries = append(s.libraries, "-L"+dir)
		}
	case "linker-options":
		for _, word := range elements(g) {
			s.linker = append(s.linker, "-Xlinker", word)
		}
	case "archive-options":
		s.archive = append(s.archive, elements(g)...)
	case "shared":
		s.shared = g.On()
	case "cudart":
		if g.Value != "static" && g.Value != "shared" && g.Value != "none" {
			return true, fmt.Errorf("-cudart %s: want static, shared or none", g.Value)
		}
		s.runtime = g.Value
	default:
		return false, nil
	}
	return true, nil
}

// takeDriver takes options of the driver itself.
func (s *settings) takeDriver(g options.Given) (bool, error) {
	switch g.Name {
	case "output-file":
		s.output = g.Value
	case "output-directory":
		s.folder = g.Value
	case "compiler-bindir":
		s.clang = g.Value
	case "dryrun":
		s.dryrun = g.On()
	case "verbose":
		s.show = g.On()
	case "keep", "save-temps":
		s.keep = g.On()
	case "keep-dir":
		s.keep, s.keepFolder = true, g.Value
	case "disable-warnings":
		s.silent = g.On()
	default:
		return false, nil
	}
	return true, nil
}
