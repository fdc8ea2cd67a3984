package link

import (
	"errors"
	"fmt"
	"strings"

	"jacquard/ptx"
)

// Link returns one module with the items of all. The error joins an [*Error] for each name that is
// defined twice or declared in two ways, and for modules that do not fit together. Externs without
// a definition stay: see [Unresolved]. One module is returned as it is. The result of several has no
// sections of debugging information: their labels and file numbers are those of one module.
func Link(modules ...*ptx.Module) (*ptx.Module, error) {
	if len(modules) == 0 {
		return nil, errors.New("no module to link")
	}
	if len(modules) == 1 {
		return modules[0], nil
	}
	l := &linker{out: &ptx.Module{}, symbols: map[string]*symbol{}, items: map[ptx.Item]ptx.Item{}}
	for _, m := range modules {
		l.header(m)
	}
	for _, m := range modules {
		l.resolve(m)
	}
	if len(l.errs) > 0 {
		return nil, errors.Join(l.errs...)
	}
	l.collect()
	l.rewrite()
	return l.out, nil
}

// Error is a reason why modules cannot be linked.
type Error struct {
	Module  string // the name of the source
	Pos     ptx.Pos
	Message string
}

// Error returns "module:line:column: message", without the place if there is none.
func (e *Error) Error() string {
	if e.Pos == (ptx.Pos{}) {
		return fmt.Sprintf("%s: %s", e.Module, e.Message)
	}
	return fmt.Sprintf("%s:%v: %s", e.Module, e.Pos, e.Message)
}

// linker holds the definitions of the modules so far.
type linker struct {
	out     *ptx.Module
	names   []string
	symbols map[string]*symbol
	order   []*symbol
	// items has what takes the place of an item: the definition for a declaration.
	items map[ptx.Item]ptx.Item
	errs  []error
}

func (l *linker) errorf(m *ptx.Module, pos ptx.Pos, format string, args ...any) {
	l.errs = append(l.errs, &Error{m.Name, pos, fmt.Sprintf(format, args...)})
}

// header combines what stands before the items: the later version, the higher target.
func (l *linker) header(m *ptx.Module) {
	o := l.out
	first := len(l.names) == 0
	l.names = append(l.names, m.Name)
	o.Name = strings.Join(l.names, "+")
	if first {
		o.Version, o.Target, o.AddressBits = m.Version, m.Target, m.AddressBits
	}
	if v := m.Version; v.Major > o.Version.Major || v.Major == o.Version.Major && v.Minor > o.Version.Minor {
		o.Version = v
	}
	if m.AddressBits != o.AddressBits {
		l.errorf(m, ptx.Pos{}, "its addresses have %d bits, and those of %s have %d",
			m.AddressBits, l.names[0], o.AddressBits)
	}
	if m.Target.MapF64 != o.Target.MapF64 {
		l.errorf(m, ptx.Pos{}, "it and %s differ in .target map_f64_to_f32", l.names[0])
	}
	if m.Target.Arch > o.Target.Arch {
		o.Target.Arch, o.Target.Suffix = m.Target.Arch, m.Target.Suffix
	}
	l.files(m)
}

// files adds the source files of a module, and renumbers its .loc.
func (l *linker) files(m *ptx.Module) {
	numbers := map[int]int{}
	for _, f := range m.Files {
		numbers[f.Number] = l.file(f.Path)
	}
	for _, item := range m.Items {
		f, ok := item.(*ptx.Func)
		if !ok {
			continue
		}
		for _, s := range f.Body {
			if loc, ok := s.(*ptx.Loc); ok && numbers[loc.File] != 0 {
				loc.File = numbers[loc.File]
			}
		}
	}
}

// file returns the number of a source file in the result.
func (l *linker) file(path string) int {
	for _, f := range l.out.Files {
		if f.Path == path {
			return f.Number
		}
	}
	n := len(l.out.Files) + 1
	l.out.Files = append(l.out.Files, ptx.File{Number: n, Path: path})
	return n
}
