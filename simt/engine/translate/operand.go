package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// temporary is a vector that is freed at the end of the part.
func (e *emitter) temporary(v vector.Vec) vector.Vec {
	e.temporaries = append(e.temporaries, v)
	return v
}

func (e *emitter) freeTemporaries() {
	for _, v := range e.temporaries {
		e.Free(v)
	}
	e.temporaries = e.temporaries[:0]
}

// literal returns the word of a source that is known before the launch.
func literal(p *program.Program, x *program.Source) (word uint32, ok bool) {
	if x.Mode != program.SrcRow || p.Rows[x.Index].Bank >= 0 {
		return 0, false
	}
	return p.Rows[x.Index].Value(nil), true
}

// source returns a part of source i of u, for the last operand of a host instruction.
func (e *emitter) source(u *program.Op, i, part int) vector.Source {
	x := &u.Src[i]
	if x.Mode != program.SrcRow {
		return e.vector(u, i, part)
	}
	if w, ok := literal(e.p, x); ok {
		return e.Literal(w)
	}
	return e.launchRow(int(x.Index), part)
}

// launchRow returns the memory of a part of a row of the launch.
func (e *emitter) launchRow(row, part int) vector.Mem {
	if e.Level == vector.AVX512 {
		return vector.Mem(x86.At(regLaunch, int32(row)*rowBytes).Bcst())
	}
	return vector.Mem(x86.At(regLaunch, int32(row)*rowBytes+int32(part)*e.bytes))
}

// vector returns a part of source i of u in a register, which must not be changed.
func (e *emitter) vector(u *program.Op, i, part int) vector.Vec {
	x := &u.Src[i]
	switch x.Mode {
	case program.SrcReg:
		return e.fixed(e.general(int(x.Index), part), x.Fix)
	case program.SrcRow:
		if w, ok := literal(e.p, x); ok {
			return e.temporary(e.Constant(w))
		}
		return e.temporary(e.Broadcast(x86.At(regLaunch, x.Index*rowBytes)))
	case program.SrcLow, program.SrcHigh:
		return e.fixed(e.half(x, part), x.Fix)
	case program.SrcShared:
		return e.fixed(e.sharedWord(x), x.Fix)
	case program.SrcSharedAt, program.SrcConstAt:
		v := e.accessor().loaded(part)
		switch { // its type may be wider than the operation
		case x.Half && x.Signed:
			v = e.temporary(e.ExtractLowS(v))
		case x.Half:
			v = e.temporary(e.ExtractLowU(v))
		}
		return e.fixed(v, x.Fix)
	}
	panic("translate: a source that code cannot read")
}

// general is a part of a general register; one that the kernel does not own reads 0.
func (e *emitter) general(n, part int) vector.Vec {
	if n >= e.p.Kernel.Registers {
		return e.temporary(e.Constant(0))
	}
	return e.get(n, part)
}

// fixed applies source modifiers.
func (e *emitter) fixed(v vector.Vec, f program.Fix) vector.Vec {
	if f&program.FixNot != 0 {
		return e.temporary(e.op(x86.VPXORD, v, e.Literal(1<<32-1)))
	}
	if f&program.FixAbs != 0 {
		v = e.temporary(e.op(x86.VPANDD, v, e.Literal(1<<31-1)))
	}
	if f&program.FixNeg != 0 {
		v = e.temporary(e.op(x86.VPXORD, v, e.Literal(1<<31)))
	}
	return v
}

// half extends half a register.
func (e *emitter) half(x *program.Source, part int) vector.Vec {
	v := e.general(int(x.Index), part)
	extract := e.ExtractLowU
	switch {
	case x.Mode == program.SrcHigh && x.Signed:
		extract = e.ExtractHighS
	case x.Mode == program.SrcHigh:
		extract = e.ExtractHighU
	case x.Signed:
		extract = e.ExtractLowS
	}
	return e.temporary(extract(v))
}

// sharedWord loads a word of shared memory for all lanes.
func (e *emitter) sharedWord(x *program.Source) vector.Vec {
	size := uint32(mem.Size(x.Type))
	if x.Offset%size != 0 || x.Offset+size > uint32(e.p.Kernel.Shared) { // a launch may have more
		e.a.Cmp(32, frSharedSize, x86.Imm(int64(x.Offset+size)))
		e.a.Jcc(x86.B, e.leave(exitSlow))
		e.left = true
		if x.Offset%size != 0 {
			e.a.Jmp(e.leave(exitSlow))
		}
	}
	at := x86.At(regShared, int32(x.Offset))
	if mem.Size(x.Type) == 4 && !x.Half {
		return e.temporary(e.Broadcast(at))
	}
	e.scalar(x.Type, x86.RAX, at)
	switch {
	case x.Half && x.Signed:
		e.a.MovSX(32, x86.RAX, 16, x86.R(x86.RAX))
	case x.Half:
		e.a.MovZX(32, x86.RAX, 16, x86.R(x86.RAX))
	}
	return e.temporary(e.fromGeneral(x86.RAX))
}

// fromGeneral is a vector with a general register in every lane.
func (e *emitter) fromGeneral(r x86.Reg) vector.Vec {
	v := e.Vec()
	if e.Level == vector.AVX512 {
		e.a.V(x86.Ins{Op: x86.VPBROADCASTD, L: e.width, D: uint8(v), RM: x86.R(r)})
		return v
	}
	e.a.V(x86.Ins{Op: x86.VMOVD, D: uint8(v), RM: x86.R(r)})
	e.a.V(x86.Ins{Op: x86.VPBROADCASTD, L: e.width, D: uint8(v), RM: x86.V(uint8(v))})
	return v
}

// scalar loads an element of up to 32 bits.
func (e *emitter) scalar(t tesla.Type, to x86.Reg, from x86.Operand) {
	signed := t == tesla.S8 || t == tesla.S16
	switch size := 8 * mem.Size(t); {
	case size == 32:
		e.a.Mov(32, x86.R(to), from)
	case signed:
		e.a.MovSX(32, to, size, from)
	default:
		e.a.MovZX(32, to, size, from)
	}
}

// countWords counts that u reads a word of shared memory for its lanes.
func (e *emitter) countWords(u *program.Op) {
	for i := range u.Src {
		if u.Src[i].Mode != program.SrcShared {
			continue
		}
		e.a.Mov(64, x86.R(x86.RAX), frAccess)
		single := slotAt(u, unsafe.Offsetof(mem.Access{}.Singles))
		switch {
		case e.guarded:
			e.halvesOf(e.lanes, x86.RCX, x86.RDX)
			e.a.Add(64, single, x86.R(x86.RCX))
		case e.full:
			e.a.Add(64, single, x86.Imm(2))
		default:
			e.a.Mov(32, x86.R(x86.RCX), frHalves)
			e.a.Add(64, single, x86.R(x86.RCX))
		}
	}
}

// halvesOf computes how many half-warps have a lane in a mask.
func (e *emitter) halvesOf(mask x86.Operand, to, scratch x86.Reg) {
	e.a.Xor(32, x86.R(to), x86.R(to))
	e.a.Mov(32, x86.R(scratch), mask)
	e.a.Test(32, x86.R(scratch), x86.Imm(0xffff))
	e.a.Setcc(x86.NE, x86.R(to))
	e.a.Shr(32, x86.R(scratch), x86.Imm(16))
	e.a.Cmp(32, x86.R(scratch), x86.Imm(1)) // carry: none
	e.a.Sbb(32, x86.R(to), x86.Imm(-1))
}
