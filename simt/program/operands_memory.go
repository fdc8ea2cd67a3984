package program

import (
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Space is the memory a load or store goes to.
type Space uint8

// The spaces. From SpaceGlobal on, a general register holds the address; below it, an address
// register and an offset do.
const (
	SpaceConst Space = iota
	SpaceShared
	SpaceLocal
	SpaceGlobal
	SpaceFence    // the page of global memory that fences read
	SpaceUnmapped // a window of global memory that does not exist
)

// Global memory windows: 14 is the whole of it, 15 a page that memory fences read
// (docs/isa/memory.md, Spaces).
const (
	WindowGlobal = 14
	WindowFence  = 15
)

// wordsOf is the number of registers of an access of type t.
func wordsOf(t tesla.Type) int32 { return int32(mem.Size(t)+3) / 4 }

// load lowers a load from s; the instruction's Type says how memory is accessed.
func load(s Space) operation {
	return func(l *lowerer, u *Op, in *tesla.Instruction) {
		l.dest(u, &in.Dst)
		l.access(u, in, s)
		u.Word = u.Words == 1 && u.Dst.Mode == DstReg
	}
}

// store lowers a store to s: memory operand in Src[0], data in Src[1].
func store(s Space) operation {
	return func(l *lowerer, u *Op, in *tesla.Instruction) {
		l.access(u, in, s)
		u.Word = u.Words == 1 && in.Src[1].Kind == tesla.Reg
	}
}

// atomic lowers red, whose result goes nowhere, and the atomics that return the old
// value.
func atomic(l *lowerer, u *Op, in *tesla.Instruction) {
	if in.Op == tesla.OpAtom {
		l.dest(u, &in.Dst)
	}
	l.access(u, in, SpaceGlobal)
}

// access notes what all loads, stores and atomics have in common.
func (l *lowerer) access(u *Op, in *tesla.Instruction, s Space) {
	u.Memory, u.Space, u.Words = true, s, wordsOf(in.Type)
	if s != SpaceGlobal {
		u.Addr = l.addressing(&in.Src[0])
		return
	}
	switch in.Src[0].Index {
	case WindowGlobal:
	case WindowFence:
		u.Space = SpaceFence
	default:
		u.Space = SpaceUnmapped
	}
}
