package bind

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Examine tells which libcuda the program at path binds to: with lib's folder first on
// LD_LIBRARY_PATH, and without. env is the present environment. A file that is no program and no
// library is an error.
func Examine(path string, lib *Library, env Environment) (*Report, error) {
	under := env.with(lib.Dir())
	r := &Report{Program: path, Simulator: lib.Path, LibraryPath: under.LibraryPath}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	script := scriptOf(f)
	f.Close()
	if script != "" {
		r.Kind = "script for " + script
		r.Verdict = MayRun
		return r, nil
	}
	p, err := readProgram(path)
	var format *elf.FormatError
	switch {
	case errors.As(err, &format):
		return nil, fmt.Errorf("%s is neither an ELF program nor a script", path)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s is empty or cut off: it is neither a whole ELF program nor a script", path)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r.describe(p, lib)
	if err := r.findCode(); err != nil {
		return nil, err
	}
	r.Now = newSearch(p, env).load(p).find(SoName)
	then := r.bindRuntime(p, lib, under)
	r.judge(p, lib, then)
	r.checkRuntime(p, then)
	if len(r.Problems) > 0 {
		r.Verdict = Cannot
	}
	return r, nil
}

// describe fills in the facts that the file itself gives.
func (r *Report) describe(p *program, lib *Library) {
	r.Kind, r.Shared = p.kind(), p.shared
	r.Needed = p.needed
	r.Opens = p.opens
	for _, name := range p.needed {
		if isRuntime(name) {
			r.Runtime = name
		}
	}
	if r.Runtime == "" && p.runtime && len(p.opens) > 0 {
		r.Runtime = "static"
	}
	if !slices.ContainsFunc(p.needed, isCuda) {
		return
	}
	r.Functions = len(p.imports)
	for _, name := range p.imports {
		if !lib.exports[name] {
			r.Missing = append(r.Missing, name)
		}
	}
}

// isCuda reports whether a library's name is one of libcuda's.
func isCuda(name string) bool {
	base := filepath.Base(name)
	return base == "libcuda.so" || strings.HasPrefix(base, "libcuda.so.")
}

// judge finds the ways that lead the program to the simulator, and the obstacles.
func (r *Report) judge(p *program, lib *Library, then *closure) {
	r.Verdict = MayRun
	switch {
	case p.class != lib.class || p.machine != lib.machine:
		remedy := "build the library for it (GOARCH) or rebuild the program"
		if p.machine == elf.EM_386 {
			remedy = "run make lib32, and say where it is with --lib if that is not beside the tool"
		}
		r.problem("it is a %s, the simulator's library is for %s %s ones: %s",
			p.kind(), map[elf.Class]string{elf.ELFCLASS32: "32-bit", elf.ELFCLASS64: "64-bit"}[lib.class], machineName(lib.machine), remedy)
		return
	case p.interpreter == "" && !p.shared:
		r.problem("it is linked statically, so that no libcuda can be put in its place: link it without -static")
		return
	case p.elevated:
		r.problem("it is set-user-id or set-group-id, so that the loader ignores LD_LIBRARY_PATH: run a copy without the bit")
	}
	if found := then.find(SoName); then.preload[found] && filepath.Dir(found) != lib.Dir() {
		r.problem("LD_PRELOAD makes the loader take %s: unset it", found)
	}
	for _, name := range p.needed {
		if isCuda(name) {
			r.linked(p, lib, then, name)
		}
	}
	for _, name := range p.opens {
		r.opened(lib, then, name)
	}
	r.lacks(p, then)
	if r.Verdict == MayRun {
		if path := then.through(isCuda); path != "" {
			r.note("it links libcuda through %s", path)
			r.Verdict = Runs
		} else if path := then.through(isRuntime); path != "" {
			r.note("it links the CUDA runtime through %s", path)
			r.Verdict = Runs
		}
	}
	if r.Runtime != "" && r.Verdict == MayRun && len(r.Problems) == 0 {
		r.Verdict = Runs // the runtime opens libcuda by name
	}
	if r.Runtime == "static" {
		r.note("the CUDA runtime is linked statically; it opens libcuda at run time all the same")
	}
	if r.Now != "" && !isSimulator(r.Now) {
		r.note("without jacquard exec it binds to %s", r.Now)
	}
}

// lacks names the libraries that the loader does not find, except a libcuda that the program itself
// links: linked judges that one.
func (r *Report) lacks(p *program, then *closure) {
	for _, a := range then.absent {
		if a.By == p.path && isCuda(a.Name) {
			continue
		}
		r.Absent = append(r.Absent, a)
		by, what := "it", ""
		if a.By != p.path {
			by = a.By
		}
		if a.Hint != "" {
			what = ": " + a.Hint
		}
		r.problem("%s links %s, which the loader does not find%s", by, a.Name, what)
	}
	if len(r.Absent) > 0 {
		r.note("LD_LIBRARY_PATH may name the folders of libraries that the loader does not find by itself")
	}
}

// linked judges a libcuda that the program links.
func (r *Report) linked(p *program, lib *Library, then *closure, name string) {
	switch found := then.find(name); {
	case then.preload[found]: // reported already if it is not the simulator
		r.Verdict = Runs
	case strings.Contains(name, "/"):
		r.problem("it links %s by its path, which LD_LIBRARY_PATH cannot change: relink it with -lcuda", name)
	case found == "":
		r.problem("it links %s, a name under which the simulator has no file: relink it, or make a link of that name to %s", name, lib.Path)
	case filepath.Dir(found) != lib.Dir():
		r.problem("its rpath makes the loader take %s: remove it with patchelf --remove-rpath or chrpath -d", found)
	default:
		r.Verdict = Runs
	}
	if len(r.Missing) == 0 {
		return
	}
	what := "it links functions that the simulator lacks: " + strings.Join(r.Missing, ", ")
	if p.bindNow {
		r.problem("%s; it was linked with -z now, so that it does not start: relink it with -z lazy", what)
	} else {
		r.note("%s; it ends if it calls one", what)
	}
}

// opened judges a name of libcuda in the program's data, presumably for dlopen.
func (r *Report) opened(lib *Library, then *closure, name string) {
	found := then.find(name)
	switch {
	case strings.Contains(name, "/") && found != "" && !isSimulator(found):
		r.note("it may open %s by its path, past the simulator", name)
	case !strings.Contains(name, "/") && found != "" && filepath.Dir(found) == lib.Dir():
		if r.Verdict == MayRun {
			r.Verdict = Runs
		}
	}
}

func (r *Report) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}
