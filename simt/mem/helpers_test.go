package mem

import (
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// spaceUnderTest is the interface shared by global, shared and local memory.
type spaceUnderTest interface {
	Load(dst *Data, addr *lane.Row, m lane.Mask, t tesla.Type, c *Cost) *Violation
	Store(src *Data, addr *lane.Row, m lane.Mask, t tesla.Type, c *Cost) *Violation
}

// accessType is a type of memory accesses, as tests know it.
type accessType struct {
	t      tesla.Type
	size   uint32
	signed bool
}

var accessTypes = []accessType{
	{tesla.U8, 1, false}, {tesla.S8, 1, true},
	{tesla.U16, 2, false}, {tesla.B16, 2, false}, {tesla.F16, 2, false}, {tesla.S16, 2, true},
	{tesla.B32, 4, false}, {tesla.U32, 4, false}, {tesla.S32, 4, false}, {tesla.F32, 4, false},
	{tesla.B64, 8, false}, {tesla.U64, 8, false}, {tesla.S64, 8, false}, {tesla.F64, 8, false},
	{tesla.B128, 16, false},
}

// rowOf returns the row whose lane i is f(i).
func rowOf(f func(i int) uint32) *lane.Row {
	var r lane.Row
	for i := range r {
		r[i] = f(i)
	}
	return &r
}

// same returns the row with v in every lane.
func same(v uint32) *lane.Row { return rowOf(func(int) uint32 { return v }) }

// from returns the row of addresses base, base+step, ...
func from(base, step uint32) *lane.Row {
	return rowOf(func(i int) uint32 { return base + uint32(i)*step })
}

// number returns the row base, base+1, ...
func number(base uint32) *lane.Row { return from(base, 1) }
