package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"jacquard/study/programs"
)

// setup holds all folders; paths are absolute.
type setup struct {
	toolkit string
	lib     string // folder of the simulator's libcuda.so.1
	work    string
	limit   time.Duration
	control bool   // run programs with kernels that do nothing, too
	page    string // that the tables go into, or ""
}

// hostSources are sources and headers of our own that some programs need besides the suite's.
//
//go:embed host
var hostSources embed.FS

// own returns the path of one of hostSources in the working folder, or of a file made from it.
func (s *setup) own(name string) string { return filepath.Join(s.work, "host", name) }

// unpack writes all hostSources.
func (s *setup) unpack() error {
	return errors.Join(os.RemoveAll(s.own("")), os.CopyFS(s.work, hostSources))
}

func newSetup(toolkit, lib, work string, limit time.Duration) (*setup, error) {
	folders, err := programs.Folders(programs.Place{Dir: toolkit, Has: "bin/nvcc"}, programs.Place{Dir: lib, Has: "libcuda.so.1"})
	if err != nil {
		return nil, fmt.Errorf("%w: run make lib toolkit", err)
	}
	work, err = filepath.Abs(work)
	return &setup{toolkit: folders[0], lib: folders[1], work: work, limit: limit}, err
}

// build compiles and links a program, and returns its path. A program that does not run is only
// compiled.
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
	for _, source := range files.ptx {
		name := strings.TrimSuffix(filepath.Base(source), ".cu") + ".ptx"
		to := filepath.Join(filepath.Dir(path), ptxFolder, name)
		if err := s.nvcc(ctx, in, dir, to, []string{"-ptx", "-o", to, source}); err != nil {
			return "", err
		}
	}
	args := append([]string{"-c", "-odir", filepath.Dir(path)}, files.sources...)
	if p.proof.check != nil {
		args = append([]string{"-cudart", "shared", "-o", path}, files.sources...)
		library, err := in.library()
		if err != nil {
			return "", err
		}
		args = append(args, library...)
	}
	for _, name := range p.empty {
		if err := write(s.own(p.name), name, ""); err != nil {
			return "", err
		}
		args = append(args, "-I"+s.own(p.name))
	}
	return path, s.nvcc(ctx, in, dir, path, args, p.options...)
}

// ptxFolder is the folder beside a program with the PTX that the program loads from its folder
// data.
const ptxFolder = "ptx"

// buildCommon makes the library of a suite, if it has one.
func (s *setup) buildCommon(ctx context.Context, in *suite) ([]string, error) {
	if len(in.common) == 0 {
		return nil, nil
	}
	library := filepath.Join(s.work, in.name, "common.a")
	args := append([]string{"-lib", "-o", library}, s.expand(in, in.common)...)
	return []string{library}, s.nvcc(ctx, in, in.folder, library, args)
}

// nvcc runs the toolkit's compiler in a folder, with the suite's and further options, and makes the
// folder of the output.
func (s *setup) nvcc(ctx context.Context, in *suite, dir, output string, args []string, more ...string) error {
	if err := os.MkdirAll(filepath.Dir(output), 0o777); err != nil {
		return err
	}
	args = slices.Concat([]string{"-w"}, args, s.expand(in, in.options), s.expand(in, more))
	return compile(ctx, dir, filepath.Join(s.toolkit, "bin/nvcc"), args)
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

// expand replaces "@", "@sdk/" and "@own/" in paths.
func (s *setup) expand(in *suite, options []string) (expanded []string) {
	folders := strings.NewReplacer("@sdk/", in.cutil+"/", "@own/", s.own("")+"/", "@", in.folder+"/")
	for _, o := range options {
		expanded = append(expanded, folders.Replace(o))
	}
	return expanded
}

// compile runs a compiler; the error has the first line that names the mistake.
func compile(ctx context.Context, dir, compiler string, args []string) error {
	if output, err := ranIn(ctx, dir, compiler, args); err != nil {
		return fmt.Errorf("does not compile: %s", blame(output, err))
	}
	return nil
}

// ranIn runs a program in a folder and returns its output.
func ranIn(ctx context.Context, dir, path string, args []string) (string, error) {
	var output strings.Builder
	p, err := programs.Command(func(ctx context.Context) (*exec.Cmd, error) {
		command := exec.CommandContext(ctx, path, args...)
		command.Dir = dir
		return command, nil
	}).Run(ctx, 0, &output)
	if err == nil {
		err = p.Ended
	}
	return output.String(), err
}

// telling matches the lines of compilers and linkers that name a mistake.
var telling = regexp.MustCompile(`error:|fatal|undefined|cannot find`)

// scratch matches the folder of files between the steps of nvcc.
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
