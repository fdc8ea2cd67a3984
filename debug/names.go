package debug

import (
	"encoding/binary"
	"errors"
	"fmt"

	"jacquard/debug/expr"
	"jacquard/internal/debuginfo"
	"jacquard/simt/source"
)

// The kinds of Variable.
const (
	Local    = "local"
	Argument = "argument"
	Global   = "global"
)

// name is a variable of the source, or a parameter without a name.
type name struct {
	name  string
	kind  string
	typ   *expr.Type
	place debuginfo.Place
}

// errOptimizedOut says that the compiler left a variable out.
var errOptimizedOut = errors.New("<optimized out>")

// names are what a compiler wrote about a kernel, as far as it was asked for. Only holders of the
// session's lock ask.
type names struct {
	types  types
	frames map[int][]Frame
	lists  map[where][]name
	params []name // of a kernel without variables
}

// where is an instruction, and how many calls around it the compiler has inlined.
type where struct{ index, inlined int }

// newNames names the parameters of a kernel whose compiler did not describe its variables.
func newNames(k Kernel) names {
	n := names{types: types{}, frames: map[int][]Frame{}, lists: map[where][]name{}}
	if info := k.Request.Program.Kernel.Debug; k.Image == nil || info != nil && (len(info.Globals) > 0 || hasVariables(info.Root)) {
		return n
	}
	for i, p := range k.Image.Params {
		t := &expr.Type{Kind: expr.Bytes, Size: p.Size, Name: "bytes"}
		switch p.Size {
		case 4:
			t = expr.TypeUint
		case 8:
			t = expr.TypeULong
		}
		n.params = append(n.params, name{fmt.Sprintf("param%d", i), Argument, t, debuginfo.Place{Space: debuginfo.Shared, Offset: headBytes + uint64(p.Offset)}})
	}
	return n
}

func hasVariables(s *debuginfo.Scope) bool {
	if s == nil {
		return false
	}
	for _, inner := range s.Inner {
		if hasVariables(inner) {
			return true
		}
	}
	return len(s.Variables) > 0
}

// inlined returns the functions that an instruction is part of, innermost first. Of functions in
// headers that nobody debugs, the one that calls them stands for them.
func (r *run) inlined(index int) []Frame {
	if list, ok := r.names.frames[index]; ok {
		return list
	}
	place, k := r.code.place(index), &r.code.p.Kernel
	var list []Frame
	for i, f := range k.Debug.Frames(uint64(place.PC), debuginfo.Line(r.code.own(index))) {
		if len(list) > 0 || f.Line.Line != 0 && !source.System(f.Line.File) {
			at := Place{PC: place.PC, File: f.Line.File, Line: f.Line.Line}
			list = append(list, Frame{Function: f.Function, Place: at, Index: index, Inline: true, inlined: i})
		}
	}
	if len(list) == 0 {
		list = []Frame{{Place: place, Index: index}}
	}
	last := &list[len(list)-1]
	last.Function, last.Inline = plainName(r.launch.Kernel), false
	r.names.frames[index] = list
	return list
}

// list returns the variables in scope, those that hide others first.
func (s *scope) list() []name {
	at := where{index: s.pc}
	if s.frame > 0 {
		frames := s.r.frames(s.at)
		f := frames[min(s.frame, len(frames)-1)]
		at = where{f.Index, f.inlined}
	} else if f := s.r.inlined(s.pc); len(f) > 0 {
		at.inlined = f[0].inlined
	}
	all := &s.r.names
	if all.params != nil {
		return all.params
	}
	list, ok := all.lists[at]
	if !ok {
		info := s.r.code.p.Kernel.Debug
		for _, v := range info.VariablesOf(uint64(s.r.code.place(at.index).PC), at.inlined) {
			list = append(list, name{v.Name, kindOf(info, v), all.types.of(v.Type), v.Place})
		}
		all.lists[at] = list
	}
	return list
}

func kindOf(info *debuginfo.Info, v *debuginfo.Variable) string {
	for _, g := range info.Globals {
		if g == v {
			return Global
		}
	}
	if v.Param {
		return Argument
	}
	return Local
}

// value reads a variable. A reference is what it refers to.
func (s *scope) value(n *name) (expr.Value, error) {
	v, err := s.read(n)
	if err != nil {
		return v, err
	}
	return expr.Refer(s, v)
}

func (s *scope) read(n *name) (expr.Value, error) {
	p, size := n.place, n.typ.Size
	v := expr.Value{Type: n.typ}
	switch {
	case p.Space == debuginfo.Nowhere:
		return v, errOptimizedOut
	case p.Space == debuginfo.Register:
		v.Place = &expr.Place{Name: fmt.Sprintf("r%d", p.Offset)}
		if size > 4 {
			v.Place = nil
		}
		for i := 0; i < size; i += 4 {
			word, err := s.word(int(p.Offset) + i/4)
			if err != nil {
				return v, err
			}
			v.Data = binary.LittleEndian.AppendUint32(v.Data, word)
		}
		v.Data = v.Data[:size]
		return v, nil
	case p.Symbol != "":
		return s.symbol(n)
	}
	space := p.Space
	if space == debuginfo.Generic {
		p = debuginfo.InSpace(p.Offset)
		space = p.Space
	}
	v.Place = &expr.Place{Space: space.String(), Address: uint32(p.Offset)}
	var err error
	v.Data, err = s.Load(v.Place.Space, v.Place.Address, size)
	return v, err
}

// symbol reads a variable of the module. Its bytes are those of the memory, not a copy.
func (s *scope) symbol(n *name) (expr.Value, error) {
	memory, ok := s.r.Variables[n.place.Symbol]
	if !ok {
		return expr.Value{}, fmt.Errorf("the module has no variable %s", n.place.Symbol)
	}
	at, size := n.place.Offset, uint64(n.typ.Size)
	if at > uint64(len(memory.Bytes)) || size > uint64(len(memory.Bytes))-at {
		return expr.Value{}, fmt.Errorf("the variable has %d bytes, not %d", len(memory.Bytes), at+size)
	}
	place := &expr.Place{Space: "global", Address: memory.Address + uint32(at)}
	if offset, ok := s.inConst(memory.Bytes); ok && n.place.Space == debuginfo.Const {
		place = &expr.Place{Space: "const", Address: uint32(offset) + uint32(at)}
	}
	return expr.Value{Type: n.typ, Data: memory.Bytes[at:][:size], Place: place}, nil
}

// inConst returns where bytes begin in constant bank 0, if they are part of it. A part ends where the
// capacity of the whole ends.
func (s *scope) inConst(part []byte) (offset int, ok bool) {
	bank := s.r.Request.Const[0]
	offset = cap(bank) - cap(part)
	return offset, len(part) > 0 && offset >= 0 && offset < len(bank) && &bank[offset] == &part[0]
}
