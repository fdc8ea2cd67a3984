package bind

import (
	"cmp"
	"debug/elf"
	"os"
	"path/filepath"
	"strings"
)

// Environment is the part of the environment that the dynamic loader reads.
type Environment struct {
	LibraryPath string // LD_LIBRARY_PATH
	Preload     string // LD_PRELOAD
}

// CurrentEnvironment returns the environment of this process.
func CurrentEnvironment() Environment {
	return Environment{LibraryPath: os.Getenv("LD_LIBRARY_PATH"), Preload: os.Getenv("LD_PRELOAD")}
}

// with returns the environment with a folder first on LD_LIBRARY_PATH.
func (e Environment) with(dir string) Environment {
	if e.LibraryPath != "" {
		dir += ":" + e.LibraryPath
	}
	e.LibraryPath = dir
	return e
}

// search finds libraries as the dynamic loader does.
type search struct {
	env     []string            // LD_LIBRARY_PATH
	preload []string            // LD_PRELOAD
	cache   map[string][]string // the loader's cache, by library name
	system  []string            // the loader's own folders
	class   elf.Class
	machine elf.Machine
}

// newSearch returns the search for programs like p in an environment.
func newSearch(p *program, env Environment) *search {
	s := &search{
		env:     expand(p, folders(env.LibraryPath, ":;")),
		preload: strings.FieldsFunc(env.Preload, func(r rune) bool { return r == ':' || r == ' ' }),
		cache:   readCache(cachePath),
		class:   p.class,
		machine: p.machine,
	}
	if real, err := filepath.EvalSymlinks(p.interpreter); err == nil {
		s.system = append(s.system, filepath.Dir(real)) // the C library stands beside its loader
	}
	// Debian's folders.
	for _, triplet := range []string{"x86_64-linux-gnu", "i386-linux-gnu", "aarch64-linux-gnu"} {
		s.system = append(s.system, "/lib/"+triplet, "/usr/lib/"+triplet)
	}
	s.system = append(s.system, "/lib64", "/usr/lib64", "/lib", "/usr/lib")
	return s
}

// find returns the file that the loader picks for name on behalf of o, or "".
func (s *search) find(o *object, name string) string {
	if strings.Contains(name, "/") {
		return s.first(expand(o.program, []string{name})...)
	}
	inherited, own := o.folders()
	for _, dirs := range [][]string{inherited, s.env, own} {
		if path := s.in(dirs, name); path != "" {
			return path
		}
	}
	if path := s.first(s.cache[name]...); path != "" {
		return path
	}
	return s.in(s.system, name)
}

// in returns the file called name in the first folder that contains one, or "". Folders below hold
// libraries for certain processors. The loader takes these first on such a processor; they have the
// same names and needs.
func (s *search) in(dirs []string, name string) string {
	for _, dir := range dirs {
		for _, below := range [...]string{"", "x86-64-v2", "x86-64-v3", "x86-64-v4"} {
			if below != "" {
				below = filepath.Join("glibc-hwcaps", below)
			}
			if path := filepath.Join(dir, below, name); s.fits(path) {
				return path
			}
		}
	}
	return ""
}

// folders returns the folders of a list. An empty one is the working folder.
func folders(list, separators string) (dirs []string) {
	if list == "" {
		return nil
	}
	split := func(r rune) rune {
		if strings.ContainsRune(separators, r) {
			return ':'
		}
		return r
	}
	for dir := range strings.SplitSeq(strings.Map(split, list), ":") {
		dirs = append(dirs, cmp.Or(dir, "."))
	}
	return dirs
}

// first returns the first file that fits, or "".
func (s *search) first(files ...string) string {
	for _, path := range files {
		if s.fits(path) {
			return path
		}
	}
	return ""
}

// fits reports whether the program can load the library at path; the loader passes over libraries
// of another class or machine.
func (s *search) fits(path string) bool {
	f, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Class == s.class && f.Machine == s.machine
}
