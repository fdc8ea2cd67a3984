package optimize

import (
	"jacquard/internal/debuginfo"
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// place holds the facts about a value as an address.
type place uint8

const (
	nowhere  place = iota // nothing yet
	number                // no address
	global                // global memory, or no address at all
	mixed                 // different spaces, or one that only the run can tell
	inShared              // the others: one space
	inLocal
	inConst
)

var places = map[ptx.Space]place{ptx.Shared: inShared, ptx.Local: inLocal, ptx.Const: inConst}

var spaceOf = map[place]ptx.Space{
	nowhere: ptx.Global, number: ptx.Global, global: ptx.Global,
	inShared: ptx.Shared, inLocal: ptx.Local, inConst: ptx.Const,
}

// Spaces finds the space of each access by a generic address. Kernels get global addresses alone
// from the host, so an address is global unless it comes from a conversion in the kernel. What
// cannot be found is told apart by windows when the kernel runs.
func Spaces(f *ir.Func) {
	at := make([]place, f.MaxID())
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				if a.Op == ir.Const || a.Op == ir.Undef { // in no block
					at[a.ID] = number
				}
			}
		}
	}
	escaped := f.Escaped
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				if p := either(at[v.ID], placeOf(v, at, escaped)); p != at[v.ID] {
					at[v.ID], changed = p, true
				}
				if !escaped && escapes(v, at) {
					escaped, changed = true, true
				}
			}
		}
	}
	var open []*ir.Value
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if accesses(v) && v.Space == ptx.Generic && !settle(v, at, f.Locks) {
				open = append(open, v)
			}
		}
	}
	for _, v := range open {
		tellApart(f, v)
	}
	windows(f)
	Simplify(f)
}

func accesses(v *ir.Value) bool {
	return v.Op == ir.Load || v.Op == ir.Store || v.Op == ir.Atom || v.Op == ir.Red
}

// settle gives an access its space, and reports false if that is not known. Atomic operations are on
// global memory where the device has no locks.
func settle(v *ir.Value, at []place, locks bool) bool {
	p := at[v.Args[0].ID]
	if p == mixed && !locks && v.Op != ir.Load && v.Op != ir.Store {
		p = global
	}
	space, ok := spaceOf[p]
	if ok {
		v.Space = space
	}
	return ok
}

// escapes reports whether v writes an address of another space than global memory.
func escapes(v *ir.Value, at []place) bool {
	if v.Op != ir.Store && v.Op != ir.Atom && v.Op != ir.Red {
		return false
	}
	for _, a := range v.Args[1:] {
		if at[a.ID] >= mixed {
			return true
		}
	}
	return false
}

// placeOf returns the place of a value.
func placeOf(v *ir.Value, at []place, escaped bool) place {
	switch v.Op {
	case ir.Generic:
		return places[v.Space]
	case ir.Specific, ir.ZExt8, ir.ZExt16, ir.SExt8, ir.SExt16, ir.Mul16: // too few bits
		return global
	case ir.Load, ir.Element, ir.Atom:
		if escaped {
			return mixed
		}
		return global
	case ir.Phi, ir.Copy, ir.Low, ir.High:
		return anyOf(v.Args, at)
	case ir.Select:
		return anyOf(v.Args[1:], at)
	case ir.Add, ir.Or:
		return offset(at[v.Args[0].ID], at[v.Args[1].ID])
	case ir.Sub:
		return difference(at[v.Args[0].ID], at[v.Args[1].ID])
	case ir.And:
		return masked(v, at)
	case ir.Pack:
		if low := at[v.Args[0].ID]; low >= mixed {
			return low
		}
	}
	return computed(v, at)
}

// either is the place of a value that is one of two. A number leaves the other's place: it is no
// address, or null.
func either(a, b place) place {
	switch {
	case a == b || b == nowhere:
		return a
	case a == nowhere || a == number:
		return b
	case b == number:
		return a
	}
	return mixed
}

// anyOf is the place of a value that is one of several.
func anyOf(list []*ir.Value, at []place) place {
	p := nowhere
	for _, a := range list {
		p = either(p, at[a.ID])
	}
	return p
}

// offset returns the place of an address with an offset: the place of the address.
func offset(a, b place) place {
	switch {
	case a == mixed || b == mixed || a > mixed && b > mixed:
		return mixed
	case a == nowhere || b == nowhere:
		return nowhere
	}
	return max(a, b)
}

// difference is the place of a - b. Two addresses of one space are a number apart. Of different
// spaces, their difference takes an address from one to the other.
func difference(a, b place) place {
	switch {
	case b <= mixed || a == nowhere || a == mixed:
		return offset(a, b)
	case a == b:
		return number
	}
	return mixed
}

// masked is the place of bits of a value.
func masked(v *ir.Value, at []place) place {
	for i, mask := range v.Args {
		of := at[v.Args[1-i].ID]
		switch {
		case mask.Op != ir.Const || mask.Kind == ir.Pred:
		case uint32(mask.Imm) < windowSize:
			return number
		case uint32(mask.Imm) >= windowConst: // all bits above a window
			return of
		}
	}
	return computed(v, at)
}

// computed is the place of a value that is computed from an address, such as a pointer with a tag.
// Only the run can tell whether the address comes back.
func computed(v *ir.Value, at []place) place {
	if v.Kind == ir.Pred {
		return number
	}
	p := global
	for _, a := range v.Args {
		switch q := at[a.ID]; {
		case q >= mixed:
			return mixed
		case q == nowhere:
			p = nowhere
		}
	}
	return p
}

// The windows of spaces in generic addresses lie above all device memory, each of 16 MiB. Their lower
// 16 bits are zero, so that the lower 16 bits of a generic address are the address in its space.
const (
	windowShared = debuginfo.WindowShared
	windowLocal  = debuginfo.WindowLocal
	windowConst  = debuginfo.WindowConst
	windowSize   = debuginfo.WindowSize
)

// Window returns where the addresses of a space begin among the generic ones.
func Window(s ptx.Space) uint32 {
	return map[ptx.Space]uint32{ptx.Shared: windowShared, ptx.Local: windowLocal, ptx.Const: windowConst}[s]
}

// windows makes conversions sums.
func windows(f *ir.Func) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			switch v.Op {
			case ir.Generic:
				v.Become(ir.Add, v.Args[0], f.Word(Window(v.Space)))
				v.Space = ptx.Generic
			case ir.Specific:
				v.Become(ir.Sub, v.Args[0], f.Word(Window(v.Space)))
				v.Space = ptx.Generic
			}
		}
	}
}
