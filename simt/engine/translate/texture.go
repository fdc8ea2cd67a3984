package translate

import (
	"unsafe"

	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// desk is where translated code and the code of a lookup exchange rows. One engine uses it.
type desk struct {
	coords [4]lane.Row // in
	texels [4]lane.Row // out: the components wanted, one after the other

	// Scratch of a blend, for the present half-warp. A vector has 16 words.
	offsets [3][2]lines // by dimension: bytes to the texels before and after the coordinate
	shares  [3][2]lines // by dimension: weights of these texels, in 256ths
	weights [8][2]lines // by texel: f64 weights of the lanes
	words   [8][4]lines // by texel
}

// lines is a vector in memory.
type lines [16]uint32

// newDesk returns a desk whose vectors are aligned: the host is slow with vectors that are in two
// lines of its cache, and Go aligns objects with pointers to 8 bytes only.
func newDesk() *desk {
	list := make([]lines, unsafe.Sizeof(desk{})/unsafe.Sizeof(lines{})+1)
	at := uintptr(unsafe.Pointer(unsafe.SliceData(list)))
	return (*desk)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(list)), -at%unsafe.Sizeof(lines{})))
}

// regDesk has the desk's address in the code of a lookup, and at the call of that code.
const regDesk = x86.R10

// deskAt returns the operand of a vector of the desk.
func deskAt(offset uintptr, n int) x86.Operand {
	return x86.At(regDesk, int32(offset)+int32(n)*int32(unsafe.Sizeof(lines{})))
}

// deskRow returns the operand of a part of one of the desk's rows.
func (e *emitter) deskRow(rows uintptr, n, part int) x86.Operand {
	return x86.At(regDesk, int32(rows)+int32(n)*rowBytes+int32(part)*e.bytes)
}

// viewAt returns the operand of a field of the instruction's view.
func viewAt(offset uintptr) x86.Operand { return x86.At(regSite, int32(offset)) }

// lookUp translates a read of a texture. It calls the code that the instruction's view has for this
// launch.
func (e *emitter) lookUp(u *program.Op) bool {
	if e.inSide {
		return false
	}
	in := u.Ins
	e.begin(u)
	e.clearAccess()
	e.a.Mov(64, x86.R(regDesk), frDesk)
	e.parts(func(part int) {
		for k := range min(int(in.Tex.Coords), 4) {
			e.Store(e.deskRow(unsafe.Offsetof(desk{}.coords), k, part), e.general(int(in.Dst.Index)+k, part))
		}
	})
	if e.Level == vector.AVX2 { // the code may change all registers
		e.saveAll()
		e.forget()
	}
	e.Mode(vector.ModeFloat)
	idle := e.a.NewLabel()
	e.a.Mov(32, x86.R(regLanes), e.lanes)
	if e.guarded {
		e.a.Test(32, x86.R(regLanes), x86.R(regLanes))
		e.a.Jcc(x86.E, idle)
	}
	e.a.Mov(64, x86.R(regSite), frViews)
	e.a.Add(64, x86.R(regSite), x86.Imm(int64(u.Slot)*viewBytes))
	routine, slow := viewAt(unsafe.Offsetof(view{}.routine)), e.leave(exitSlow)
	e.a.Cmp(64, routine, x86.Imm(0))
	e.a.Jcc(x86.E, slow)
	e.a.CallTo(routine)
	e.a.Jcc(x86.B, slow)
	e.a.Bind(idle)
	e.left = true
	e.a.Mov(64, x86.R(regDesk), frDesk)
	e.parts(func(part int) {
		to, n := int(in.Dst.Index), 0
		for i := range 4 {
			if in.Tex.Mask>>i&1 == 0 {
				continue
			}
			if to < e.p.Kernel.Registers {
				e.assign(to, part, e.Load(e.deskRow(unsafe.Offsetof(desk{}.texels), n, part)))
			}
			to, n = to+1, n+1
		}
	})
	return true
}
