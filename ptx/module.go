package ptx

import (
	"cmp"
	"fmt"
)

// Module is a parsed PTX source. Names are resolved: an operand points at the variable, function or
// label that its name stands for.
type Module struct {
	Name    string // of the source, for messages; "" if unknown
	Version Version
	Target  Target
	// AddressBits is the width of an address: 32 or 64. Without .address_size it is the width of
	// the parameters that hold addresses, 32 if there is none.
	AddressBits int
	Files       []File
	// Items are in the order of the text. One that is declared several times stands where it is
	// declared first.
	Items []Item
	// Sections are the sections of debugging information, in the order of the text.
	Sections []*Section
}

// Func returns the function of a name, nil if there is none.
func (m *Module) Func(name string) *Func {
	for _, item := range m.Items {
		if f, ok := item.(*Func); ok && f.Name == name {
			return f
		}
	}
	return nil
}

// Var returns the variable of a name outside of functions, nil if there is none.
func (m *Module) Var(name string) *Var {
	for _, item := range m.Items {
		if v, ok := item.(*Var); ok && v.Name == name {
			return v
		}
	}
	return nil
}

// Version is the version of the language that a module is written in.
type Version struct{ Major, Minor int }

// Target is the target that a module is compiled for.
type Target struct {
	Arch   int    // 10 for sm_10 or compute_10
	Suffix string // a of sm_90a, f of sm_100f
	// MapF64 says that operations on f64 are operations on f32 (map_f64_to_f32).
	MapF64  bool
	Options []string // the others, in order: texmode_unified, debug
}

// File is a source file that .loc names.
type File struct {
	Number int
	Path   string
}

// Section is a section of debugging information.
type Section struct {
	Pos  Pos
	Name string // without the dot: debug_info
	// Data are the numbers of the section, the lowest byte first. Where Refs stand it is zero.
	Data   []byte
	Refs   []SectionRef
	Labels []SectionLabel
}

// SectionRef is a number that is an address, or an offset in a section.
type SectionRef struct {
	Offset, Bytes int // where the number stands
	// Of is a label, a variable or a function, or a section with its dot. Less is another one, whose
	// address is subtracted; "" for none.
	Of, Less string
	Addend   int64
}

// SectionLabel is a place in a section that has a name.
type SectionLabel struct {
	Name   string
	Offset int
}

// Pos is a place in the text; both count from 1. The zero Pos is unknown.
type Pos struct{ Line, Column int }

// String returns "line:column".
func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// compare returns -1, 0 or 1 as p is before q, at it or behind it.
func (p Pos) compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Item is a *Var, a *Func or a *Alias of a module.
type Item interface{ item() }

// Linkage is how far a name is visible.
type Linkage uint8

// The linkages.
const (
	Private Linkage = iota
	Visible
	Extern
	Weak
	Common
)

// Var is a variable, a register or a parameter.
type Var struct {
	Pos     Pos
	Name    string
	Linkage Linkage
	Space   Space // Reg for a register
	Bank    int   // the n of .const[n]; 0 without one
	Type    Type  // of an element
	Align   int   // bytes; never 0
	Vector  int   // elements of a vector: 1, 2 or 4
	// Dims are the lengths of an array's dimensions, nil for a scalar. The first is 0 in an array
	// whose length the launch or another module gives.
	Dims []int
	Init *Init // nil: zero
	// Pointer describes a parameter with .ptr: the space that it points to and the alignment there.
	Pointer *Pointer
	// Managed says that the host shares the variable: .attribute(.managed).
	Managed bool
	// Index is the position in Func.Regs of a register, parameters in space Reg included, and that
	// in Params or Returns of another parameter. It is 0 for other variables.
	Index int
	// odd: the variable is one integer of 3, 5, 6 or 7 bytes, declared as .u24 to .u56. LLVM writes
	// that for bit-fields, PTX has no such type. It is an array of bytes here.
	odd bool
}

// Pointer is the declaration's information about an address in a parameter.
type Pointer struct {
	Space Space // Generic if not given
	Align int   // bytes
}

// Init is the initial content of a variable.
type Init struct {
	Bytes []byte // the beginning of the variable; the rest is zero
	Refs  []Ref  // addresses, to be added to the words of Bytes
	// Fields are the settings of a texture, surface or sampler: filter_mode = linear.
	Fields []Field
}

// Field is a setting of a texture, surface or sampler.
type Field struct{ Name, Value string }

// Ref is an address in initial content.
type Ref struct {
	Offset  int  // bytes from the start of the variable
	Bytes   int  // width of the address there: 1 .. 8
	Of      Item // *Var or *Func
	Addend  int64
	Generic bool // a generic address: generic(name)
	Shift   int  // bits that a mask such as 0xff00(name) drops below
}

// Alias gives a function another name. A function that is only declared may have the same name; a
// call of that function calls Of.
type Alias struct {
	Pos  Pos
	Name string
	Of   *Func
}

// Func is a kernel (.entry) or a function (.func).
type Func struct {
	Pos      Pos
	Name     string
	Entry    bool
	Linkage  Linkage
	Returns  []*Var // in space Reg or Param
	Params   []*Var // in space Reg or Param
	Bounds   Bounds
	NoReturn bool
	// Body is nil if the text only declares the function.
	Body []Stmt
	// Regs are all registers of the body, of Returns and of Params, by Var.Index.
	Regs []*Var
}

// Bounds are the directives that limit a kernel's launches and registers. Zero is no bound.
type Bounds struct {
	MaxNTid [3]int
	ReqNTid [3]int
	MaxNReg int
}

func (*Var) item()   {}
func (*Func) item()  {}
func (*Alias) item() {}
