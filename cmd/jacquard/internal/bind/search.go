package bind

import (
	"bufio"
	"debug/elf"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// search finds libraries as the dynamic loader does.
type search struct {
	env     []string // LD_LIBRARY_PATH
	system  []string // what the loader's configuration adds, and its built-in folders
	class   elf.Class
	machine elf.Machine
}

// newSearch returns the search for programs like p in an environment whose
// LD_LIBRARY_PATH is libraryPath.
func newSearch(p *program, libraryPath string) *search {
	s := &search{
		env:     strings.FieldsFunc(libraryPath, func(r rune) bool { return r == ':' || r == ';' }),
		class:   p.class,
		machine: p.machine,
	}
	s.system = append(configured("/etc/ld.so.conf", 0), "/lib", "/usr/lib", "/lib64", "/usr/lib64")
	return s
}

// find returns the file that the loader picks for name on behalf of p, or "".
func (s *search) find(p *program, name string) string {
	if strings.Contains(name, "/") {
		if s.fits(name) {
			return name
		}
		return ""
	}
	for _, dir := range s.order(p) {
		if path := filepath.Join(dir, name); s.fits(path) {
			return path
		}
	}
	return ""
}

// carrier returns the library, among those that p links directly or through others,
// that links libcuda; "" if none does. What cannot be found or read links nothing.
func (s *search) carrier(p *program) string {
	seen := map[string]bool{}
	for queue := []*program{p}; len(queue) > 0; queue = queue[1:] {
		for _, name := range queue[0].needed {
			path := s.find(queue[0], name)
			if path == "" || seen[path] || isCuda(name) {
				continue
			}
			seen[path] = true
			q, err := readHeader(path)
			if err != nil {
				continue
			}
			if slices.ContainsFunc(q.needed, isCuda) {
				return path
			}
			queue = append(queue, q)
		}
	}
	return ""
}

// order lists the folders in which the loader looks for p's libraries.
func (s *search) order(p *program) []string {
	var dirs []string
	if len(p.runpath) == 0 {
		dirs = append(dirs, origin(p, p.rpath)...)
	}
	dirs = append(dirs, s.env...)
	dirs = append(dirs, origin(p, p.runpath)...)
	return append(dirs, s.system...)
}

// fits reports whether path is a library the program can load; the loader passes over
// those of another class or machine.
func (s *search) fits(path string) bool {
	f, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Class == s.class && f.Machine == s.machine
}

// origin replaces $ORIGIN by the program's folder.
func origin(p *program, dirs []string) []string {
	here, err := filepath.EvalSymlinks(p.path)
	if err != nil {
		here = p.path
	}
	r := strings.NewReplacer("${ORIGIN}", filepath.Dir(here), "$ORIGIN", filepath.Dir(here))
	out := make([]string, len(dirs))
	for i, dir := range dirs {
		out[i] = r.Replace(dir)
	}
	return out
}

// configured reads the folders out of the loader's configuration file and those it
// includes. Files that cannot be read add nothing.
func configured(path string, depth int) []string {
	const deepest = 8 // includes that include themselves end here
	f, err := os.Open(path)
	if err != nil || depth > deepest {
		return nil
	}
	defer f.Close()
	var dirs []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 2 && fields[0] == "include":
			pattern := fields[1]
			if !filepath.IsAbs(pattern) {
				pattern = filepath.Join(filepath.Dir(path), pattern)
			}
			files, _ := filepath.Glob(pattern)
			for _, file := range files {
				dirs = append(dirs, configured(file, depth+1)...)
			}
		case len(fields) > 0 && fields[0] != "hwcap":
			dirs = append(dirs, fields[0])
		}
	}
	return dirs
}
