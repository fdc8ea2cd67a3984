package bind

import (
	"debug/elf"
	"path/filepath"
	"slices"
	"strings"
)

// object is a program or library as the loader loads it.
type object struct {
	*program
	parent *object // the object that links it; nil for the program
}

// folders returns the folders in which an object's libraries are looked up. Before LD_LIBRARY_PATH
// come its rpath and the rpaths of the objects that load it; after LD_LIBRARY_PATH comes its
// runpath alone. An object with a runpath has no rpath.
func (o *object) folders() (before, after []string) {
	if len(o.runpath) > 0 {
		return nil, expand(o.program, o.runpath)
	}
	for x := o; x != nil; x = x.parent {
		if len(x.runpath) == 0 {
			before = append(before, expand(x.program, x.rpath)...)
		}
	}
	return before, nil
}

// expand replaces $ORIGIN by the program's folder, and $LIB and $PLATFORM as the loader does. A
// path with $LIB becomes several: each system has its own, and other folders are mostly absent.
func expand(p *program, dirs []string) []string {
	here, err := filepath.EvalSymlinks(p.path)
	if err != nil {
		here = p.path
	}
	libs, platform := []string{"lib/x86_64-linux-gnu", "lib64", "lib"}, "x86_64"
	if p.class == elf.ELFCLASS32 {
		libs, platform = []string{"lib/i386-linux-gnu", "lib"}, "i686"
	}
	var out []string
	for _, dir := range dirs {
		several := libs
		if !strings.Contains(dir, "$LIB") && !strings.Contains(dir, "${LIB}") {
			several = libs[:1]
		}
		for _, lib := range several {
			r := strings.NewReplacer("${ORIGIN}", filepath.Dir(here), "$ORIGIN", filepath.Dir(here),
				"${LIB}", lib, "$LIB", lib, "${PLATFORM}", platform, "$PLATFORM", platform)
			out = append(out, r.Replace(dir))
		}
	}
	return out
}

// closure is every object that the loader loads with a program.
type closure struct {
	search *search
	main   *object
	// objects are the program, the files of LD_PRELOAD and the libraries that these link, in
	// loading order.
	objects []*object
	bound   map[string]string // the file bound to each name; "" where the loader finds none
	preload map[string]bool   // the files that LD_PRELOAD names
	absent  []Absent
}

// Absent is a library that the loader does not find.
type Absent struct {
	Name string `json:"name"`
	By   string `json:"by"`             // the program or library that links it
	Hint string `json:"hint,omitempty"` // where to get it
}

// load finds the libraries that the loader would load with p.
func (s *search) load(p *program) *closure {
	c := &closure{search: s, bound: map[string]string{}, preload: map[string]bool{}}
	c.main = &object{program: p}
	c.objects = []*object{c.main}
	if p.interpreter != "" {
		c.bound[filepath.Base(p.interpreter)] = p.interpreter
	}
	for _, name := range s.preload { // a missing LD_PRELOAD file is skipped
		if path := s.find(c.main, name); path != "" {
			c.preload[path] = true
			c.add(c.main, name, path)
		}
	}
	for i := 0; i < len(c.objects); i++ {
		o := c.objects[i]
		for _, name := range o.needed {
			if _, ok := c.bound[name]; ok {
				continue
			}
			path := s.find(o, name)
			c.add(o, name, path)
			if path == "" {
				c.absent = append(c.absent, Absent{Name: name, By: o.path, Hint: whereToGet(name)})
			}
		}
	}
	return c
}

// add binds name, and the soname of the file at path, to that file. The loader does not load a file
// twice.
func (c *closure) add(parent *object, name, path string) {
	c.bound[name] = path
	if path == "" {
		return
	}
	if slices.ContainsFunc(c.objects[1:], func(o *object) bool { return o.path == path }) {
		return
	}
	p, err := readHeader(path)
	if err != nil {
		return // find has checked that it fits; a file that cannot be read further links nothing
	}
	if _, ok := c.bound[p.soname]; p.soname != "" && !ok {
		c.bound[p.soname] = path
	}
	c.objects = append(c.objects, &object{program: p, parent: parent})
}

// find returns the file that a name binds to, whether linked or opened, or "".
func (c *closure) find(name string) string {
	if path, ok := c.bound[name]; ok {
		return path
	}
	return c.search.find(c.main, name)
}

// through returns the first library that links a wanted one; the program itself does not count.
func (c *closure) through(wanted func(name string) bool) string {
	for _, o := range c.objects[1:] {
		if slices.ContainsFunc(o.needed, wanted) {
			return o.path
		}
	}
	return ""
}
