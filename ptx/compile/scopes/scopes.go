package scopes

import (
	"encoding/binary"
	"slices"

	"jacquard/internal/debuginfo"
	"jacquard/ptx"
)

// Module is the debugging information of a module.
type Module struct {
	// Globals are variables outside of functions. The Symbol of a place is a name of the text.
	Globals []*debuginfo.Variable
	funcs   map[*ptx.Func]*Func
	vars    map[string]*ptx.Var
	// variables says that a function has a variable with a place.
	variables bool
}

// Func is the debugging information of a function.
type Func struct {
	// Scopes are the scopes of the function; the first is the function itself.
	Scopes []Scope
	at     []int32 // by statement
}

// Scope is a scope of a function. The Symbol of a place is a name of the text.
type Scope struct {
	*debuginfo.Scope
	Up int32 // the scope around; -1 for the function itself
}

// Of returns the information of a function, nil if there is none.
func (m *Module) Of(fn *ptx.Func) *Func { return m.funcs[fn] }

// Variable returns the variable of the text that a place names, nil if there is none.
func (m *Module) Variable(symbol string) *ptx.Var { return m.vars[symbol] }

// Variables reports whether functions have variables with places: then a debugger looks at them, line
// by line.
func (m *Module) Variables() bool { return m != nil && m.variables }

// At returns the innermost scope of a statement, -1 if there is none.
func (m *Module) At(fn *ptx.Func, statement int) int32 {
	f := m.funcs[fn]
	if f == nil {
		return -1
	}
	return f.at[statement]
}

// step is the distance of the addresses of functions, and of variables. Statements have the addresses
// behind that of their function.
const step = 1 << 32

// Read reads the debugging information of a module with addresses of 64 bits. It returns nil if there
// is none. The error is a [*debuginfo.Error].
func Read(m *ptx.Module) (*Module, error) {
	r := &reader{m: m, addresses: map[string]uint64{}, named: map[string]*ptx.Var{}}
	info := r.section("debug_info")
	if info == nil || m.AddressBits != 64 {
		return nil, nil
	}
	r.number()
	units, err := debuginfo.Read(debuginfo.Sections{
		Abbrev: r.data("debug_abbrev"), Info: r.resolved(info), Ranges: r.data("debug_ranges"), Str: r.data("debug_str"),
		File: r.file, Symbol: r.symbol,
	})
	if err != nil {
		return nil, err
	}
	out := &Module{funcs: map[*ptx.Func]*Func{}, vars: r.named}
	for _, u := range units {
		out.Globals = append(out.Globals, u.Globals...)
		for _, root := range u.Roots {
			if i := root.Ranges[0].From/step - 1; i < uint64(len(r.funcs)) {
				f := newFunc(r.funcs[i], root, (i+1)*step)
				out.funcs[r.funcs[i]] = f
				out.variables = out.variables || slices.ContainsFunc(f.Scopes, hasPlaces)
			}
		}
	}
	out.complete(r.funcs)
	return out, nil
}

func hasPlaces(s Scope) bool {
	return slices.ContainsFunc(s.Variables, func(v *debuginfo.Variable) bool { return v.Place.Space != debuginfo.Nowhere })
}

// complete gives functions with lines a scope that lack one: compilers leave functions out that have
// no variables and no function inlined.
func (m *Module) complete(all []*ptx.Func) {
	for _, fn := range all {
		lined := func(s ptx.Stmt) bool { _, ok := s.(*ptx.Loc); return ok }
		if m.funcs[fn] == nil && slices.ContainsFunc(fn.Body, lined) {
			m.funcs[fn] = newFunc(fn, &debuginfo.Scope{Function: fn.Name}, 0)
		}
	}
}

// reader gives names their addresses.
type reader struct {
	m         *ptx.Module
	funcs     []*ptx.Func
	vars      []string
	named     map[string]*ptx.Var
	addresses map[string]uint64
}

// firstVariable is the number of the first variable, behind those of functions.
const firstVariable = 1 << 20

// number gives functions, labels and variables addresses. Of two of a name, the first counts.
func (r *reader) number() {
	for _, item := range r.m.Items {
		switch item := item.(type) {
		case *ptx.Var:
			r.variable(item)
		case *ptx.Func:
			r.funcs = append(r.funcs, item)
			base := uint64(len(r.funcs)) * step
			r.name(item.Name, base)
			for i, s := range item.Body {
				switch s := s.(type) {
				case *ptx.Label:
					r.name(s.Name, base+uint64(i))
				case *ptx.Decl:
					for _, v := range s.Vars {
						if v.Space != ptx.Reg {
							r.variable(v)
						}
					}
				}
			}
		}
	}
}

func (r *reader) name(name string, at uint64) {
	if _, ok := r.addresses[name]; !ok {
		r.addresses[name] = at
	}
}

func (r *reader) variable(v *ptx.Var) {
	r.vars = append(r.vars, v.Name)
	if r.named[v.Name] == nil {
		r.named[v.Name] = v
	}
	r.name(v.Name, (firstVariable+uint64(len(r.vars)))*step)
}

func (r *reader) section(name string) *ptx.Section {
	i := slices.IndexFunc(r.m.Sections, func(s *ptx.Section) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return r.m.Sections[i]
}

func (r *reader) data(name string) []byte {
	s := r.section(name)
	if s == nil {
		return nil
	}
	return r.resolved(s)
}

// resolved returns the bytes of a section. An unknown name is zero.
func (r *reader) resolved(s *ptx.Section) []byte {
	data := slices.Clone(s.Data)
	for _, ref := range s.Refs {
		value := r.address(ref.Of) - r.address(ref.Less) + uint64(ref.Addend)
		copy(data[ref.Offset:], binary.LittleEndian.AppendUint64(nil, value)[:ref.Bytes])
	}
	return data
}

// address returns the address of a name, or the offset of a label in a section.
func (r *reader) address(name string) uint64 {
	if at, ok := r.addresses[name]; ok {
		return at
	}
	for _, s := range r.m.Sections {
		for _, l := range s.Labels {
			r.name(l.Name, uint64(l.Offset))
		}
	}
	r.name(name, 0)
	return r.addresses[name]
}

func (r *reader) file(_, number int64) string {
	for _, f := range r.m.Files {
		if int64(f.Number) == number {
			return f.Path
		}
	}
	return ""
}

// symbol returns the variable at an address.
func (r *reader) symbol(address uint64) (name string, offset uint64, ok bool) {
	i := address/step - firstVariable - 1
	if i >= uint64(len(r.vars)) {
		return "", 0, false
	}
	return r.vars[i], address % step, true
}

// newFunc makes a list of the scopes of a function, and finds those of the statements.
func newFunc(fn *ptx.Func, root *debuginfo.Scope, base uint64) *Func {
	f := &Func{at: make([]int32, len(fn.Body))}
	numbers := map[*debuginfo.Scope]int32{}
	var list func(s *debuginfo.Scope, up int32)
	list = func(s *debuginfo.Scope, up int32) {
		n := int32(len(f.Scopes))
		numbers[s] = n
		f.Scopes = append(f.Scopes, Scope{s, up})
		for _, inner := range s.Inner {
			list(inner, n)
		}
	}
	list(root, -1)
	at := func(i uint64) int32 { return numbers[innermost(root, base+i)] }
	files, own := filesOf(fn), make([]int, len(f.Scopes))
	for n, s := range f.Scopes[1:] {
		first := s.Ranges[0].From - base
		if s.Function != "" && first < uint64(len(files)) && at(first) == int32(n+1) {
			own[n+1] = files[first]
		}
	}
	for i := range f.at {
		n := at(uint64(i))
		for own[n] != 0 && own[n] != files[i] {
			n = f.Scopes[n].Up
		}
		f.at[i] = n
	}
	return f
}

// filesOf returns the files of the lines of statements. That of a label is that of the line behind it.
func filesOf(fn *ptx.Func) []int {
	files := make([]int, len(fn.Body))
	file, labels := 0, 0
	for i, s := range fn.Body {
		switch s := s.(type) {
		case *ptx.Label:
			labels++
			continue
		case *ptx.Loc:
			file = s.File
		}
		for ; labels >= 0; labels-- {
			files[i-labels] = file
		}
		labels = 0
	}
	return files
}

// innermost returns the scope of an address. Compilers give an inlined function the code from its
// first instruction to its last, with what stands between, so of several scopes the shortest counts,
// and statements of another file than that of the function's first belong to the scope around.
func innermost(s *debuginfo.Scope, at uint64) *debuginfo.Scope {
	for {
		var next *debuginfo.Scope
		least := uint64(0)
		for _, inner := range s.Inner {
			for _, r := range inner.Ranges {
				if size := r.To - r.From; r.From <= at && at < r.To && (next == nil || size < least) {
					next, least = inner, size
				}
			}
		}
		if next == nil {
			return s
		}
		s = next
	}
}
