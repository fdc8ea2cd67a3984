package random

import (
	"math/rand/v2"

	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// tame changes an instruction so that it is likely to run: existing registers, allocated memory, a
// guard that may hold.
func tame(in *tesla.Instruction, r *rand.Rand) {
	in.Marker = tesla.MarkerNone
	tied := in.Src[2].Kind == tesla.Reg && in.Src[2].Index == in.Dst.Index
	for _, o := range []*tesla.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		tameOperand(o, r)
	}
	if tied && (in.Size == 4 || in.Src[1].Kind == tesla.Imm) {
		in.Src[2].Index = in.Dst.Index
	}
	if in.Op.Class() == tesla.ClassTexture {
		tameTexture(in, r)
	}
	switch {
	case in.Guard.Cond == tesla.CondAlways && in.Op != tesla.OpVote:
	case r.IntN(2) == 0:
		in.Guard.Cond = tesla.CondAlways
	case in.Guard.Cond == tesla.CondNever:
		in.Guard.Cond = tesla.Cond(1 + r.IntN(0x13))
	}
}

func tameOperand(o *tesla.Operand, r *rand.Rand) {
	n := r.IntN(dataRegisters)
	if r.IntN(10) == 0 {
		n = 21 + r.IntN(recordRegisters-21) // the last few that a kernel has, and beyond
	}
	switch o.Kind {
	case tesla.Reg:
		o.Index = uint8(n)
	case tesla.Half:
		o.Index = uint8(2*n + r.IntN(2))
	case tesla.Pair:
		o.Index = uint8(n &^ 1)
	case tesla.Quadruple:
		o.Index = uint8(n &^ 3)
	case tesla.Global:
		o.Index, o.Value = program.WindowGlobal, uint32(regSlot+r.IntN(4))
		if r.IntN(12) == 0 {
			o.Index, o.Value = program.WindowFence, uint32(n)
		}
	case tesla.Shared, tesla.Const, tesla.Local:
		tameAddress(o, r)
	}
}

// tameAddress makes an address in range likely: $a1 leads to the thread's own shared memory, $a2 is
// small, $a3 leads to the pool, $a4 is just below 64 KiB.
func tameAddress(o *tesla.Operand, r *rand.Rand) {
	if o.Base > 4 {
		o.Base = uint8(r.IntN(5))
	}
	if o.Post {
		o.Value = uint32(int32(o.Value) % 16 / 4 * 4)
		return
	}
	if o.Kind == tesla.Const {
		o.Index = []uint8{0, 1, 2, 5, 14}[r.IntN(5)]
	}
	switch {
	case r.IntN(4) == 0:
	case o.Base == 0 && o.Kind == tesla.Shared:
		o.Value %= ownShared
	case o.Base == 2 || o.Base == 0:
		o.Value %= 64
	default:
		o.Value %= 32
	}
	if r.IntN(8) != 0 {
		size := 4
		if o.Type != tesla.TypeNone {
			size = max(size, mem.Size(o.Type))
		}
		o.Value -= o.Value % uint32(size)
	}
}

// tameTexture has an instruction read a texture that is bound, most often.
func tameTexture(in *tesla.Instruction, r *rand.Rand) {
	in.Dst.Index = uint8(r.IntN(dataRegisters - 4))
	in.Tex.Cube = false
	in.Tex.Unit = uint8(r.IntN(6))
	in.Tex.Sampler = in.Tex.Unit
	if r.IntN(4) == 0 {
		in.Tex.Sampler = uint8(r.IntN(6))
	}
}
