package debug

import (
	"slices"

	"jacquard/debug/expr"
	"jacquard/internal/debuginfo"
)

// types are the types of expressions by those of the compiler. A nil one is being made: a type that
// contains itself is broken, and has bytes alone.
type types map[*debuginfo.Type]*expr.Type

// of returns a type for expressions. What pointers lead to comes last, as types may lead to
// themselves.
func (all types) of(t *debuginfo.Type) *expr.Type {
	var pointers []pointer
	made := all.make(t, &pointers)
	for len(pointers) > 0 {
		p := pointers[0]
		pointers = pointers[1:]
		p.made.Elem = all.make(p.to, &pointers)
	}
	return made
}

// pointer is a pointer type whose Elem is to come.
type pointer struct {
	made *expr.Type
	to   *debuginfo.Type
}

func (all types) make(t *debuginfo.Type, later *[]pointer) *expr.Type {
	made, ok := all[t]
	switch {
	case made != nil:
		return made
	case ok || t == nil:
		return &expr.Type{Kind: expr.Bytes, Size: int(t.Bytes()), Name: t.String()}
	}
	all[t] = nil
	u := t.Under()
	made = &expr.Type{Kind: expr.Bytes, Size: int(t.Bytes()), Name: t.String()}
	switch u.Kind {
	case debuginfo.Signed:
		made.Kind = expr.Int
	case debuginfo.Unsigned:
		made.Kind = expr.Uint
	case debuginfo.Bool:
		made.Kind, made.Words = expr.Uint, map[int64]string{0: "false", 1: "true"}
	case debuginfo.Char:
		made.Kind, made.Letter = signed(u), u.Size == 1
	case debuginfo.Enum:
		made.Kind, made.Words = signed(u), map[int64]string{}
		for _, v := range u.Values {
			if made.Words[v.Value] == "" { // of several names, the first
				made.Words[v.Value] = v.Name
			}
		}
	case debuginfo.Float:
		if made.Size == 4 || made.Size == 8 {
			made.Kind = expr.Float
		}
	case debuginfo.Pointer, debuginfo.Reference:
		made.Kind, made.Space, made.Refers = expr.Pointer, expr.Generic, u.Kind == debuginfo.Reference
		*later = append(*later, pointer{made, u.Elem})
	case debuginfo.Array:
		made.Kind, made.Elem = expr.Array, all.make(u.Elem, later)
		if made.Elem.Size > 0 {
			made.Len = made.Size / made.Elem.Size
		}
	case debuginfo.Struct:
		made.Kind, made.Fields = expr.Struct, all.fields(u, 0, later)
	}
	all[t] = made
	return made
}

func signed(t *debuginfo.Type) expr.Kind {
	if t.Sign {
		return expr.Int
	}
	return expr.Uint
}

// mostFields bounds the members of a structure: base classes of a broken one may have each other
// many times.
const mostFields = 1 << 12

// fields returns the members of a structure, with those of base classes and of members without a
// name.
func (all types) fields(u *debuginfo.Type, offset int, later *[]pointer) (list []expr.Field) {
	for _, m := range u.Members {
		one := expr.Field{Name: m.Name, Offset: offset + int(m.Offset), Type: all.make(m.Type, later), Cut: expr.Cut{Bits: m.Bits, Shift: m.Shift}}
		if m.Name != "" {
			list = append(list, one)
			continue
		}
		for _, f := range one.Type.Fields[:min(len(one.Type.Fields), mostFields)] {
			f.Offset += one.Offset
			list = append(list, f)
		}
	}
	return list
}

// enumerator returns the value of a name of an enumeration that a variable in scope has to do with.
func (s *scope) enumerator(word string) (v expr.Value, ok bool) {
	if s.b == nil || s.b.st == nil {
		return v, false
	}
	seen := map[*expr.Type]bool{}
	var look func(t *expr.Type) bool
	look = func(t *expr.Type) bool {
		if t == nil || seen[t] {
			return false
		}
		seen[t] = true
		for n, w := range t.Words {
			if w == word {
				v, ok = expr.Of(t, n), true
			}
		}
		return ok || look(t.Elem) || slices.ContainsFunc(t.Fields, func(f expr.Field) bool { return look(f.Type) })
	}
	for _, n := range s.list() {
		if look(n.typ) {
			break
		}
	}
	return v, ok
}
