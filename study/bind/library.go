package bind

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// SoName is the name by which programs open the driver's library.
const SoName = "libcuda.so.1"

// Engine is the library that the simulator's libcuda loads from its own folder. No other libcuda
// contains this name.
const Engine = "libjacquard.so.1"

// Library is the simulator's libcuda.
type Library struct {
	Path    string // of libcuda.so.1
	class   elf.Class
	machine elf.Machine
	exports map[string]bool
}

// Dir returns the folder to put on LD_LIBRARY_PATH.
func (l *Library) Dir() string { return filepath.Dir(l.Path) }

// FindLibrary returns the simulator's library in dir. If dir is empty it looks beside the running
// tool: in ../lib, where make and packages install it, or in the tool's own folder. For a 32-bit
// x86 program it looks into ../lib32 first. program is a path, or empty.
func FindLibrary(dir, program string) (*Library, error) {
	dirs := []string{dir}
	if dir == "" {
		tool, err := os.Executable()
		if err != nil {
			return nil, err
		}
		if real, err := filepath.EvalSymlinks(tool); err == nil {
			tool = real
		}
		here := filepath.Dir(tool)
		dirs = []string{filepath.Join(filepath.Dir(here), "lib"), here}
		if p, err := readHeader(program); err == nil && p.machine == elf.EM_386 {
			dirs = slices.Insert(dirs, 0, filepath.Join(filepath.Dir(here), "lib32"))
		}
	}
	for _, d := range dirs {
		path := filepath.Join(d, SoName)
		if _, err := os.Stat(path); err == nil {
			return OpenLibrary(path)
		}
	}
	return nil, fmt.Errorf("no %s in %s: run make lib, or say where it is with --lib", SoName, strings.Join(dirs, " or "))
}

// OpenLibrary reads the library at path and makes sure that it is the simulator.
func OpenLibrary(path string) (*Library, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	f, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close()
	l := &Library{Path: path, class: f.Class, machine: f.Machine, exports: map[string]bool{}}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && elf.ST_BIND(s.Info) == elf.STB_GLOBAL {
			l.exports[s.Name] = true
		}
	}
	if !isSimulator(path) {
		return nil, fmt.Errorf("%s is not the simulator's library: say where that is with --lib", path)
	}
	if _, err := os.Stat(filepath.Join(l.Dir(), Engine)); err != nil {
		return nil, fmt.Errorf("no %s beside %s, which loads it: run make lib", Engine, path)
	}
	return l, nil
}

// isSimulator reports whether the library at path is the simulator.
func isSimulator(path string) bool {
	data, err := os.ReadFile(path)
	return err == nil && strings.Contains(string(data), Engine)
}
