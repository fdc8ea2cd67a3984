package optimize

import (
	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile/ir"
)

// place is what is known about the address that a Word may be.
type place uint8

const (
	nowhere  place = iota // nothing yet
	global                // global memory, or no address at all
	mixed                 // different spaces, or one that memory held
	inShared              // the others: one space
	inLocal
	inConst
)

var places = map[ptx.Space]place{ptx.Shared: inShared, ptx.Local: inLocal, ptx.Const: inConst}

var spaceOf = map[place]ptx.Space{
	nowhere: ptx.Global, global: ptx.Global, inShared: ptx.Shared, inLocal: ptx.Local, inConst: ptx.Const,
}

// Spaces finds the space of each access by a generic address. Kernels get global addresses alone
// from the host, so an address is global unless it comes from a conversion in the kernel. What
// cannot be found is told apart by windows when the kernel runs.
func Spaces(f *ir.Func) {
	at := make([]place, f.MaxID())
	escaped := f.Escaped
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				if p := placeOf(v, at, escaped); p != at[v.ID] {
					at[v.ID], changed = p, true
				}
				if v.Op == ir.Store && !escaped && escapes(v, at) {
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

// escapes reports whether a store writes an address of another space than global memory.
func escapes(v *ir.Value, at []place) bool {
	for _, a := range v.Args[1:] {
		if at[a.ID] >= mixed {
			return true
		}
	}
	return false
}

// placeOf returns what is known about a value.
func placeOf(v *ir.Value, at []place, escaped bool) place {
	switch v.Op {
	case ir.Generic:
		return places[v.Space]
	case ir.Load, ir.Element, ir.Atom:
		if escaped {
			return mixed
		}
		return global
	case ir.Phi, ir.Select:
		return joined(v, at)
	case ir.Add, ir.Sub, ir.And, ir.Or:
		return combined(v, at)
	}
	return global
}

// joined is the place of a value that is one of several.
func joined(v *ir.Value, at []place) place {
	args := v.Args
	if v.Op == ir.Select {
		args = args[1:]
	}
	p := nowhere
	for _, a := range args {
		q := at[a.ID]
		switch {
		case a.Op == ir.Const || a.Op == ir.Undef || q == nowhere || q == p:
		case p == nowhere:
			p = q
		default:
			return mixed
		}
	}
	return p
}

// combined is the place of an address with an offset: that of the address.
func combined(v *ir.Value, at []place) place {
	a, b := at[v.Args[0].ID], at[v.Args[1].ID]
	switch {
	case a > mixed && b > mixed && a != b:
		return mixed
	case a > mixed || b <= mixed && a > b:
		return a
	}
	return b
}

// The windows of spaces in generic addresses lie above all device memory, each of 16 MiB. Their lower
// 16 bits are zero, so that the lower 16 bits of a generic address are the address in its space.
const (
	windowShared = 0xfd000000
	windowLocal  = 0xfe000000
	windowConst  = 0xff000000
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
