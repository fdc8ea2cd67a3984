package nvcc

import (
	"fmt"
	"slices"
	"strings"

	"jacquard/toolkit/options"
)

// settings is a command line that was understood.
type settings struct {
	inputs   []string
	language string // of -x; "" for what names end in
	phase    phase
	output   string
	folder   string // of outputs; "" for the current one

	architectures
	targets  []target
	headers  []string // -I, -isystem, -D, -U and -include, as clang takes them
	standard string
	host     []string // options of the host half alone
	forward  []string // options of -Xcompiler
	depends  depends

	libraries []string // -l and -L
	linker    []string
	archive   []string
	shared    bool
	runtime   string // static, shared or none

	assembler []string // options of ptxas
	debug     bool     // of the device
	lines     bool
	math      mathematics

	clang        string // of -ccbin; "" for the toolkit's own
	silent       bool
	dryrun, show bool
	keep         bool
	keepFolder   string
	run          bool
	arguments    []string
	warnings     []string
}

// phase is what nvcc makes.
type phase string

// The phases, under the names of their options.
const (
	toProgram      phase = "link"
	toObject       phase = "compile"
	toLibrary      phase = "lib"
	toPreprocessed phase = "preprocess"
	toPTX          phase = "ptx"
	toCubin        phase = "cubin"
	toFatbin       phase = "fatbin"
	toDependencies phase = "generate-dependencies"
	toUserDepends  phase = "generate-nonsystem-dependencies"
)

// device reports whether the phase makes the device half alone.
func (p phase) device() bool { return p == toPTX || p == toCubin || p == toFatbin }

// depends are options about the files that an input includes, as clang takes them.
type depends struct {
	with    string // -MD or -MMD; "" for none
	file    string
	options []string
}

// parse understands a command line.
func parse(given []options.Given) (*settings, error) {
	s := &settings{phase: toProgram, runtime: "static", math: mathematics{contract: true}}
	for _, g := range given {
		if err := s.take(g); err != nil {
			return nil, err
		}
	}
	if err := s.complete(); err != nil {
		return nil, err
	}
	s.targets = targets(s.requests)
	return s, s.check()
}

// architectures holds the options of the command line about architectures.
type architectures struct {
	arch     string
	codes    []string
	requests []request // of -gencode, and with complete of the other options
}

// complete appends the request of -arch and -code; that for the device if there is none.
func (a *architectures) complete() error {
	switch {
	case a.arch != "":
		r, err := newRequest(a.arch, a.codes)
		a.requests = append(a.requests, r)
		return err
	case len(a.codes) > 0:
		return fmt.Errorf("-code wants -arch: say what virtual architecture it is made of")
	case len(a.requests) == 0:
		a.requests = []request{{latestTesla, []int{latestTesla}}}
	}
	return nil
}

// check finds what cannot go together.
func (s *settings) check() error {
	switch {
	case len(s.inputs) == 0:
		return fmt.Errorf("no input files; --help lists the options")
	case s.output != "" && len(s.inputs) > 1 && s.phase != toProgram && s.phase != toLibrary:
		return fmt.Errorf("-o %s: %d inputs have as many results; leave -o out, or use -odir", s.output, len(s.inputs))
	case len(s.targets) > 1 && s.phase == toPTX:
		return fmt.Errorf("-ptx: %d virtual architectures have as many results; name one", len(s.targets))
	case s.phase == toCubin && (len(s.targets) > 1 || len(s.targets[0].real) != 1):
		return fmt.Errorf("-cubin: want one real architecture, such as -arch=sm_13")
	case s.run && s.phase != toProgram:
		return fmt.Errorf("-run: only a linked program runs")
	}
	return nil
}

// take takes one option in.
func (s *settings) take(g options.Given) (err error) {
	if g.Input() {
		s.inputs = append(s.inputs, g.Value)
		return nil
	}
	for _, take := range []func(options.Given) (bool, error){s.takePhase, s.takeFront, s.takeCode, s.takeLink, s.takeDriver} {
		if taken, err := take(g); taken || err != nil {
			return err
		}
	}
	switch g.Name {
	case "gpu-architecture":
		s.arch = g.Value
	case "gpu-code":
		s.codes = append(s.codes, options.Split(strings.Trim(g.Value, `"'[]`))...)
	case "generate-code":
		r, err := newGencode(g.Value)
		s.requests = append(s.requests, r)
		return err
	}
	return nil
}

// takePhase takes options that say what to make.
func (s *settings) takePhase(g options.Given) (bool, error) {
	switch p := phase(g.Name); p {
	case toProgram, toObject, toLibrary, toPreprocessed, toPTX, toCubin, toFatbin, toDependencies, toUserDepends:
		s.phase = p
		return true, nil
	}
	switch g.Name {
	case "device-w":
		s.phase = toObject
	case "device-c":
		s.phase = toObject
		s.whole()
	case "relocatable-device-code":
		if g.On() {
			s.whole()
		}
	case "device-link":
		return true, fmt.Errorf("-dlink: machine code of sm_1x cannot be linked: compile the device half as one file")
	case "run":
		s.run = g.On()
	case "run-args":
		s.arguments = append(s.arguments, elements(g)...)
	default:
		return false, nil
	}
	return true, nil
}

// whole warns that separate compilation is not there.
func (s *settings) whole() {
	const text = "-rdc=true: each file is compiled as a whole program, and cannot call device functions of others"
	if !slices.Contains(s.warnings, text) {
		s.warnings = append(s.warnings, text)
	}
}

// elements returns the words of a list.
func elements(g options.Given) (words []string) {
	for _, part := range options.Split(g.Value) {
		words = append(words, options.Words(part)...)
	}
	return words
}
