package isa

import (
	"fmt"
	"slices"
	"strings"
)

// Pos is a place in a description file.
type Pos struct {
	File string
	Line int
}

// String returns the place in the form "file:line".
func (p Pos) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Description is a complete, resolved instruction set.
type Description struct {
	Types      []Type
	Classes    []Class
	Fields     []*Field
	Formats    []*Format
	Mods       []*Mod
	Operands   []*Operand
	Forms      []*Form
	Operations []Operation
	Limits     []Limit
}

// Type is a type of values.
type Type struct {
	Pos
	Name    string
	Bytes   int
	Word    string // the type in assembly syntax
	Comment string
}

// Class is a kind of work.
type Class struct {
	Pos
	Name, Comment string
}

// Operation has the properties shared by the forms of an operation.
type Operation struct {
	Pos
	Op, Class string
	Data      []string // roles of the sources handed to memory
	Flags     string   // what the flags that it writes say: value or sum of flagRules, "" for something else
	Traits    []string // of traits
	Sass      Sass
	Exact     []ExactLine // the last one has no condition
}

// Sass describes an operation in the other syntax.
type Sass struct {
	Name  string   // "" if a function returns it
	Flags []string // sized, flags, late
	Funcs []Attr   // functions of package decoder/sass for by, modifiers and operands
}

// Bits is one contiguous part of a field: Width bits of the 64-bit instruction
// from bit Low up. The second word is the upper half.
type Bits struct{ Low, Width int }

func (b Bits) mask() uint64 { return (1<<b.Width - 1) << b.Low }

// Field is a named number within the instruction.
type Field struct {
	Pos
	Name  string
	Parts []Bits // most significant first
}

// Mask returns the bits of the instruction that the field occupies.
func (f *Field) Mask() uint64 {
	var m uint64
	for _, p := range f.Parts {
		m |= p.mask()
	}
	return m
}

// Width returns the number of bits in the field.
func (f *Field) Width() int {
	n := 0
	for _, p := range f.Parts {
		n += p.Width
	}
	return n
}

// Deposit returns the instruction bits that make the field hold v.
func (f *Field) Deposit(v uint64) uint64 {
	var w uint64
	for i := len(f.Parts) - 1; i >= 0; i-- {
		p := f.Parts[i]
		w |= v & (1<<p.Width - 1) << p.Low
		v >>= p.Width
	}
	return w
}

// Extract returns the field's value in the instruction w.
func (f *Field) Extract(w uint64) uint64 {
	var v uint64
	for _, p := range f.Parts {
		v = v<<p.Width | w>>p.Low&(1<<p.Width-1)
	}
	return v
}

// Cond holds if the field has one of the values.
type Cond struct {
	Field  *Field
	Values []uint64
}

// ArchSet is a set of architectures, one bit each in the order of tesla.Archs.
type ArchSet uint8

// AllArchs is the set of every architecture.
const AllArchs ArchSet = 1<<4 - 1

// Format is a way to lay out an instruction.
type Format struct {
	Pos
	Name   string
	Size   int    // bytes
	Over   string // the format that this one precedes
	Conds  []Cond
	Prefix []Piece // pieces at the start of every instruction of the format
}

// Mod gives the values of some field a meaning: a member of tesla.Instruction
// to set, and a word to print.
type Mod struct {
	Pos
	Name string
	// Target is the member, such as "Round" or "Tex.Live"; "Neg" and the like belong to a source.
	Target string
	Since  ArchSet  // other architectures ignore the field
	Rows   []ModRow // nil if the value is a number
	Number *Number
}

// ModRow is the list of values of a modifier that applies when the conditions hold.
type ModRow struct {
	Pos
	Conds  []Cond
	Values []Value
}

// Value is the meaning of one value of a modifier field.
type Value struct {
	Invalid bool
	Set     string // Go constant of package tesla, "true" for flags, "" for the zero value
	Word    string
	Archs   ArchSet // other architectures refuse it
}

// Number relates a numeric modifier to its field, and tells how it prints.
type Number struct {
	Plus, Times uint64
	Signed      bool
	Not         bool // the field holds the complement
	Print       string
}

// Operand is one form of a source or destination.
type Operand struct {
	Pos
	Name    string
	Slot    string // dest, source1, source2, source3, control
	Formats []*Format
	Untyped bool // prints without its access type
	Lines   []Line
}

// Line is one possibility of an operand; the first whose conditions hold applies.
type Line struct {
	Pos
	Conds []Cond
	Kind  string
	Type  string            // access type of memory operands
	Field map[string]*Field // argument fields by role: n, off, base, ...
	Const map[string]uint64 // constant arguments: n, unit, bits
	Flags map[string]bool   // signed, bytes
	Cond  *Mod              // of a guard: the meaning of its field cond
	use   string
}

// Form is one row of the description: an encoding of an operation.
type Form struct {
	Pos
	ID     string
	Format *Format
	Archs  ArchSet
	Over   string // the form that this one precedes
	Conds  []Cond // of the format and its own; each has one value
	Op     string
	Attrs  []Attr
	Text   []Piece
	Hidden []Piece // decoded and encoded, not printed
	Emit   []Cond  // fields without effect that compilers set to a value
	Ignore uint64  // bits without effect, written as 0
}

// Attr sets a member of tesla.Instruction for every instruction of a form.
type Attr struct{ Member, Value string }

// Piece is a part of an instruction: a literal word, a modifier, an operand, or
// an attribute of one source operand.
type Piece struct {
	Word    string
	Mod     *Mod
	Field   *Field // of the modifier; nil if it is only printed
	Operand *Operand
	Attr    *Attr
	Role    string // operand: dst, 0, 1, 2, cdst, carry, guard; modifier of a source: 0, 1, 2
}

// Match returns the bits that select the form and their mask.
func (f *Form) Match() (bits, mask uint64) {
	for _, c := range f.Conds {
		bits |= c.Field.Deposit(c.Values[0])
		mask |= c.Field.Mask()
	}
	return bits, mask
}

// Pieces returns all pieces of the form that read bits, print, or set a member of a source operand.
func (f *Form) Pieces() []Piece {
	var p []Piece
	p = append(p, f.Format.Prefix...)
	p = append(p, f.Text...)
	p = append(p, f.Hidden...)
	for i, a := range f.Attrs {
		if source, ok := a.Source(); ok {
			p = append(p, Piece{Attr: &f.Attrs[i], Role: source})
		}
	}
	return p
}

// Source returns the source operand an attribute belongs to, as a role.
func (a Attr) Source() (string, bool) {
	rest, ok := strings.CutPrefix(a.Member, "Src[")
	if !ok {
		return "", false
	}
	role, _, ok := strings.Cut(rest, "].")
	return role, ok
}

// Certainty is the certainty of an instruction: "verified", "documented" or "unverified", with the
// evidence.
type Certainty struct{ Class, Why string }

// ExactLine is one possibility; the first whose conditions hold applies.
type ExactLine struct {
	Pos
	Forms []*Form // nil: all of the operation
	Conds []Cond
	Certainty
}

// Limit is the greatest certainty of instructions with some part, for any operation.
type Limit struct {
	Pos
	Name string
	Certainty
}

// ExactLines returns the lines for the form, in order; the last line has no condition.
func (d *Description) ExactLines(f *Form) []ExactLine {
	i := slices.IndexFunc(d.Operations, func(o Operation) bool { return o.Op == f.Op })
	return slices.DeleteFunc(slices.Clone(d.Operations[i].Exact), func(l ExactLine) bool {
		return l.Forms != nil && !slices.Contains(l.Forms, f)
	})
}
