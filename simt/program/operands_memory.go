package program

import (
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Space is the memory that a load or store accesses.
type Space uint8

// The spaces. From SpaceGlobal on, a general register holds the address; in the others, an address
// register and an offset make it.
const (
	SpaceConst Space = iota
	SpaceShared
	SpaceLocal
	SpaceGlobal
	SpaceFence    // the page of global memory that fences read
	SpaceUnmapped // a window of global memory that does not exist
)

// Global memory windows: 14 is all of it, 15 a page that memory fences read (docs/isa/memory.md,
// Spaces).
const (
	WindowGlobal = 14
	WindowFence  = 15
)

// wordsOf is the number of registers of an access of type t.
func wordsOf(t tesla.Type) int32 { return int32(mem.Size(t)+3) / 4 }

// access lowers a load, store or atomic on s: the memory operand in Src[0], the data in Src[1]. The
// instruction's Type is the type of the access.
func access(s Space) operation {
	return func(l *lowerer, u *Op, in *tesla.Instruction) {
		l.dest(u, &in.Dst)
		u.Memory, u.Space, u.Words = true, s, wordsOf(in.Type)
		if s != SpaceGlobal {
			u.Addr = addressing(&in.Src[0])
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
}
