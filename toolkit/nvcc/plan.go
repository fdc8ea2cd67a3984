package nvcc

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// step is one command of a plan.
type step struct {
	tool string // clang++, ptxas, fatbinary, toolkit, ar, or the path of a program to run
	args []string
	// optional is a file that later steps do without if this one fails.
	optional string
	source   string // ptxas: the file that PTX was made of
	// result says that the tool is the program that was made: it finds the toolkit's libraries.
	result bool
}

// kinds are the languages of inputs by the ends of their names. Their values are clang's names;
// "link" goes to the linker.
var kinds = map[string]string{
	"cu": cuda, "c": "c", "c++": "c++", "cc": "c++", "cpp": "c++", "cxx": "c++", "C": "c++", "i": "c", "ii": "c++",
	"ptx": ptxText, "o": "link", "obj": "link", "a": "link", "so": "link", "lib": "link",
}

// Languages that are not the host's alone.
const (
	cuda    = "cuda"
	ptxText = "ptx"
)

// input is an input file.
type input struct {
	path string
	kind string // of kinds
	stem string // the path without folder and end
	// respelled are the options by which clang reads it in newer spellings.
	respelled []string
	// synchronizes says that threads may take locks in it.
	synchronizes bool
	// least is the earliest target with all features that it names, 0 for any.
	least int
}

// versioned is the name of a shared library with a version: libm.so.6.
var versioned = regexp.MustCompile(`\.so(\.[0-9]+)+$`)

func (s *settings) input(path string) (input, error) {
	end := filepath.Ext(path)
	in := input{path: path, stem: strings.TrimSuffix(filepath.Base(path), end)}
	in.kind = kinds[strings.TrimPrefix(end, ".")]
	switch {
	case in.kind == "link" || versioned.MatchString(path):
		in.kind = "link"
	case s.language != "":
		in.kind = kinds[s.language]
	case in.kind == "":
		return in, fmt.Errorf("%s: what to do with it? its name ends in none of .cu .cpp .c .ptx .o .a .so; -x cu makes it CUDA", path)
	}
	return in, nil
}

// planner makes the steps of a command line.
type planner struct {
	*settings
	toolkit Toolkit
	scratch string // folder of files between the steps
	steps   []step
	names   map[string]bool // of scratch files in use
}

// plan returns the steps of a command line.
func (s *settings) plan(t Toolkit, scratch string) ([]step, error) {
	p := &planner{settings: s, toolkit: t, scratch: scratch, names: map[string]bool{}}
	var objects []string
	for _, path := range s.inputs {
		in, err := s.input(path)
		if err != nil {
			return nil, err
		}
		object, err := p.input(in)
		if err != nil {
			return nil, err
		}
		if object != "" {
			objects = append(objects, object)
		}
	}
	switch s.phase {
	case toProgram:
		p.link(objects)
	case toLibrary:
		p.library(objects)
	}
	return p.steps, nil
}

// add appends a step.
func (p *planner) add(tool string, args ...string) {
	p.steps = append(p.steps, step{tool: tool, args: args})
}

// input appends the steps of an input. It returns the object that comes of it, "" for none.
func (p *planner) input(in input) (object string, err error) {
	linked := p.phase == toProgram || p.phase == toLibrary
	if in.kind == cuda {
		read := sources(in.path, p.included())
		in.respelled, in.synchronizes, in.least = p.respelled(in, read), synchronize(read), least(read)
	}
	switch {
	case in.kind == "link":
		if !linked {
			return "", nil // nvcc passes over it, too
		}
		return in.path, nil
	case in.kind == ptxText:
		return "", p.text(in)
	case p.phase == toDependencies || p.phase == toUserDepends:
		p.dependencies(in)
		return "", nil
	case p.phase == toPreprocessed:
		p.preprocess(in)
		return "", nil
	case p.phase.device():
		if in.kind != cuda {
			return "", fmt.Errorf("%s: -%s wants CUDA: a host file has no device half", in.path, p.phase)
		}
		p.device(in)
		return "", nil
	}
	if object = p.result(in, ".o"); linked {
		object = p.temporary(in.stem + ".o")
	}
	p.compile(in, object)
	return object, nil
}

// result returns the path of an input's result: the path of -o, or the input's name with another
// end.
func (p *planner) result(in input, end string) string {
	if p.output != "" && p.phase != toProgram && p.phase != toLibrary {
		return p.output
	}
	return filepath.Join(p.folder, in.stem+end)
}

// temporary returns an unused path for a file between two steps.
func (p *planner) temporary(name string) string {
	unused := name
	for n := 2; p.names[unused]; n++ {
		unused = fmt.Sprintf("%d-%s", n, name)
	}
	p.names[unused] = true
	return filepath.Join(p.scratch, unused)
}
