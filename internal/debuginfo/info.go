package debuginfo

import "fmt"

// Info is what is known of a kernel.
type Info struct {
	Root    *Scope // the kernel's function
	Globals []*Variable
}

// Scope is a function or a block with variables of its own.
type Scope struct {
	Function  string // the name of a function; "" for a block
	Call      Line   // where the function is inlined; the zero Line for a kernel or a block
	Ranges    []Range
	Variables []*Variable
	Inner     []*Scope
}

// Range is code from one address to before another. In a kernel, addresses are bytes from its start.
type Range struct{ From, To uint64 }

// Line is a line of a file; the zero Line is unknown.
type Line struct {
	File string
	Line int
}

// Frame is a function that an instruction is part of, with the line of the instruction or of the
// call in it. Its variables are those of Scope and of the blocks in it.
type Frame struct {
	Function string
	Line     Line
	Scope    *Scope
}

// Variable is a variable or a parameter of a function.
type Variable struct {
	Name  string
	Type  *Type
	Place Place
	Param bool
}

// Space is where a variable lies.
type Space uint8

// The spaces.
const (
	Nowhere Space = iota // the compiler left the variable out
	Generic              // an address that may be of any space
	Global
	Const
	Shared
	Local
	Register
)

var spaceNames = [...]string{"nowhere", "generic", "global", "const", "shared", "local", "register"}

// String returns the name of the space.
func (s Space) String() string { return spaceNames[s] }

// Place is where a variable lies: Offset bytes behind a symbol, or behind the start of its space. The
// Offset in Register is the number of a register.
type Place struct {
	Space  Space
	Symbol string // a __device__ or __constant__ variable; "" for none
	Offset uint64
}

// String returns the place as people write it.
func (p Place) String() string {
	switch {
	case p.Space == Nowhere:
		return p.Space.String()
	case p.Symbol == "":
		return fmt.Sprintf("%s:0x%x", p.Space, p.Offset)
	case p.Offset == 0:
		return fmt.Sprintf("%s:%s", p.Space, p.Symbol)
	}
	return fmt.Sprintf("%s:%s+0x%x", p.Space, p.Symbol, p.Offset)
}

// has reports whether an address is part of the scope.
func (s *Scope) has(pc uint64) bool {
	for _, r := range s.Ranges {
		if r.From <= pc && pc < r.To {
			return true
		}
	}
	return false
}

// Path returns the scopes around an address, outermost first.
func (i *Info) Path(pc uint64) (path []*Scope) {
	if i == nil {
		return nil
	}
	for s := i.Root; s != nil; {
		path = append(path, s)
		var next *Scope
		for _, inner := range s.Inner {
			if inner.has(pc) {
				next = inner
				break
			}
		}
		s = next
	}
	return path
}

// Frames returns the functions that the instruction at an address is part of, innermost first: the
// last is the kernel. at is the line of the instruction.
func (i *Info) Frames(pc uint64, at Line) (frames []Frame) {
	path := i.Path(pc)
	for k := len(path) - 1; k >= 0; k-- {
		if s := path[k]; s.Function != "" || k == 0 {
			frames = append(frames, Frame{s.Function, at, s})
			at = s.Call
		}
	}
	return frames
}

// Variables returns the variables that an expression may name at an address: of the innermost
// function, those of its inner blocks first, and those of the module. One with the name of an earlier
// one is hidden.
func (i *Info) Variables(pc uint64) []*Variable {
	return i.VariablesOf(pc, 0)
}

// VariablesOf is Variables for one of Frames, counted from the innermost.
func (i *Info) VariablesOf(pc uint64, frame int) (list []*Variable) {
	if i == nil {
		return nil
	}
	path, hidden := i.Path(pc), map[string]bool{}
	add := func(all []*Variable) {
		for _, v := range all {
			if !hidden[v.Name] {
				hidden[v.Name] = true
				list = append(list, v)
			}
		}
	}
	for k := len(path) - 1; k >= 0 && frame >= 0; k-- {
		if frame == 0 {
			add(path[k].Variables)
		}
		if path[k].Function != "" {
			frame--
		}
	}
	add(i.Globals)
	return list
}
