package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"jacquard/study/programs"
)

// setup has the folders of everything; paths are absolute.
type setup struct {
	toolkit string
	lib     string // folder of the simulator's libcuda.so.1
	work    string
	limit   time.Duration
	control bool                   // run programs with kernels that do nothing, too
	page    string                 // that the tables go into, or ""
	common  map[*suite]commonBuild // built once
}

type commonBuild struct {
	library string
	err     error
}

func newSetup(toolkit, lib, work string, limit time.Duration) (*setup, error) {
	folders, err := programs.Folders(programs.Place{Dir: toolkit, Has: "bin/nvcc"}, programs.Place{Dir: lib, Has: "libcuda.so.1"})
	if err != nil {
		return nil, fmt.Errorf("%w: run make lib toolkit", err)
	}
	work, err = filepath.Abs(work)
	return &setup{toolkit: folders[0], lib: folders[1], work: work, limit: limit, common: map[*suite]commonBuild{}}, err
}

// build compiles and links a program, and returns its path. A program that does not run is compiled
// alone.
func (s *setup) build(ctx context.Context, in *suite, p *program) (string, error) {
	dir := filepath.Join(in.folder, p.dir)
	files := makefile{sources: p.sources}
	if p.sources == nil {
		var err error
		if files, err = readMakefile(dir); err != nil {
			return "", err
		}
	}
	path := filepath.Join(s.work, in.name, p.name, p.name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", err
	}
	for _, source := range files.ptx {
		if err := s.buildPTX(ctx, in, dir, filepath.Dir(path), source); err != nil {
			return "", err
		}
	}
	args := append([]string{"-w", "-cudart", "shared", "-o", path}, files.sources...)
	if p.proof.check == nil {
		args = append([]string{"-w", "-c", "-odir", filepath.Dir(path)}, files.sources...)
	}
	if len(in.common) > 0 && p.proof.check != nil {
		library, err := s.buildCommon(ctx, in)
		if err != nil {
			return "", err
		}
		args = append(args, library)
	}
	extra, err := s.headers(p)
	if err != nil {
		return "", err
	}
	args = append(append(append(args, extra...), in.expand(in.options)...), in.expand(p.options)...)
	return path, compile(ctx, dir, filepath.Join(s.toolkit, "bin/nvcc"), args)
}

// ptxFolder is where, beside a program, the PTX is that it loads from its folder data.
const ptxFolder = "ptx"

// buildPTX compiles a source to PTX.
func (s *setup) buildPTX(ctx context.Context, in *suite, dir, to, source string) error {
	to = filepath.Join(to, ptxFolder)
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(source), ".cu") + ".ptx"
	args := []string{"-w", "-ptx", "-o", filepath.Join(to, name), source}
	args = append(args, in.expand(in.options)...)
	return compile(ctx, dir, filepath.Join(s.toolkit, "bin/nvcc"), args)
}

// headers returns the options for headers that a program needs and that are not the suite's.
func (s *setup) headers(p *program) (args []string, err error) {
	if p.header != "" {
		path, err := s.unpack(p.header)
		if err != nil {
			return nil, err
		}
		args = append(args, "-include", path)
	}
	folder := filepath.Join(s.work, "host", p.name)
	for _, name := range p.empty {
		if err := write(folder, name, ""); err != nil {
			return nil, err
		}
	}
	if len(p.empty) > 0 {
		args = append(args, "-I"+folder)
	}
	return args, nil
}

// buildCommon makes the library of a suite, once.
func (s *setup) buildCommon(ctx context.Context, in *suite) (string, error) {
	if made, ok := s.common[in]; ok {
		return made.library, made.err
	}
	made := commonBuild{library: filepath.Join(s.work, in.name, "common.a")}
	made.err = os.MkdirAll(filepath.Dir(made.library), 0o777)
	if made.err == nil {
		args := append([]string{"-w", "-lib", "-o", made.library}, in.expand(in.common)...)
		args = append(args, in.expand(in.options)...)
		made.err = compile(ctx, in.folder, filepath.Join(s.toolkit, "bin/nvcc"), args)
	}
	s.common[in] = made
	return made.library, made.err
}

// buildHost compiles and links the version for the CPU with the system's compiler.
func (s *setup) buildHost(ctx context.Context, in *suite, p *program) (string, error) {
	path := filepath.Join(s.work, in.name, p.name, p.name+"-host")
	args := []string{"-w", "-O2", "-fopenmp", "-o", path}
	args = append(append(append(args, p.host.sources...), p.host.options...), "-lm")
	compiler := hostCompiler("CXX", "c++")
	if filepath.Ext(p.host.sources[0]) == ".c" {
		compiler = hostCompiler("CC", "cc")
		args = append(args, "-Wno-implicit-function-declaration") // as compilers of the time
	}
	return path, compile(ctx, filepath.Join(in.folder, p.host.dir), compiler, args)
}

// hostCompiler returns the compiler that the environment names, or the usual one.
func hostCompiler(variable, usual string) string {
	if named := os.Getenv(variable); named != "" {
		return named
	}
	return usual
}

// expand replaces "@" and "@sdk/" in paths.
func (s *suite) expand(options []string) (expanded []string) {
	folders := strings.NewReplacer("@sdk/", s.cutil+"/", "@", s.folder+"/")
	for _, o := range options {
		expanded = append(expanded, folders.Replace(o))
	}
	return expanded
}

// compile runs a compiler; the error has the first line that says what is wrong.
func compile(ctx context.Context, dir, compiler string, args []string) error {
	command := exec.CommandContext(ctx, compiler, args...)
	command.Dir = dir
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Run(); err != nil {
		return fmt.Errorf("does not compile: %s", blame(output.String(), err))
	}
	return nil
}

// telling marks the lines of compilers and linkers that say what is wrong.
var telling = regexp.MustCompile(`error:|fatal|undefined|cannot find`)

// scratch is the folder of files between the steps of nvcc.
var scratch = regexp.MustCompile(`\S*/nvcc-\d+/`)

// blame returns the first telling line of a compiler's output.
func blame(output string, err error) string {
	for line := range strings.Lines(output) {
		if telling.MatchString(line) {
			return strings.TrimSpace(scratch.ReplaceAllString(line, ""))
		}
	}
	return err.Error()
}
