package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

var integers = bindings{
	tesla.OpIAdd:  bindIAdd,
	tesla.OpIMul:  bindIMul,
	tesla.OpIMad:  bindIMad,
	tesla.OpISad:  bindISad,
	tesla.OpISet:  bindISet,
	tesla.OpIMax:  bindMinMax(lane.MaxU, lane.MaxS),
	tesla.OpIMin:  bindMinMax(lane.MinU, lane.MinS),
	tesla.OpShl:   bindShift,
	tesla.OpShr:   bindShift,
	tesla.OpLogic: bindLogic,
}

// adder prepares u for Engine.add. alone means that the kernel in u.k2 does everything; operands
// are swapped for subr.
func adder(u *op) (alone bool) {
	u.k2 = lane.Add
	if u.Arith == tesla.Sub || u.Arith == tesla.SubR {
		u.k2 = lane.Sub
	}
	return !u.Sat && u.CDst == program.NoCond && u.Arith != tesla.AddC
}

func bindIAdd(_ *program.Program, u *op) {
	u.exec = execIAdd
	if adder(u) {
		u.exec = exec2
		if u.Arith == tesla.SubR {
			u.Src[0], u.Src[1] = u.Src[1], u.Src[0]
		}
	}
}

// factors returns the kernel that multiplies two factors.
func factors(u *op) lane.Binary {
	t, high := u.Ins.Type, u.Ins.Mods&tesla.High != 0
	switch {
	case program.WidthOf(t) == 16:
		return lane.Mul
	case t == tesla.S24 && high:
		return lane.Mul24HiS
	case t == tesla.S24:
		return lane.Mul24LoS
	case high:
		return lane.Mul24HiU
	default:
		return lane.Mul24LoU
	}
}

// halves reports whether both factors are unsigned halves of registers that the kernel owns. If so,
// the sources become the whole registers, for a kernel that reads the halves itself.
func halves(p *program.Program, u *op) (aHigh, bHigh, ok bool) {
	for i := range 2 {
		x := &u.Src[i]
		if x.Mode != program.SrcLow && x.Mode != program.SrcHigh || x.Signed || int(x.Index) >= p.Kernel.Registers {
			return false, false, false
		}
	}
	aHigh, bHigh = u.Src[0].Mode == program.SrcHigh, u.Src[1].Mode == program.SrcHigh
	u.Src[0].Mode, u.Src[1].Mode = program.SrcReg, program.SrcReg
	return aHigh, bHigh, true
}

func bindIMul(p *program.Program, u *op) {
	u.exec, u.k2 = exec2, factors(u)
	if aHigh, bHigh, ok := halves(p, u); ok {
		u.k2 = lane.MulHalves(aHigh, bHigh)
	}
	u.flagged(resultFlags)
}

func bindIMad(p *program.Program, u *op) {
	u.product = factors(u)
	u.exec = execIMad
	if adder(u) && u.Arith == tesla.Add && program.WidthOf(u.Ins.Type) == 16 {
		u.exec, u.k3 = exec3, lane.MulAdd
		if aHigh, bHigh, ok := halves(p, u); ok {
			u.k3 = lane.MulAddHalves(aHigh, bHigh)
		}
	}
}

func bindISad(_ *program.Program, u *op) {
	adder(u)
	u.exec, u.product = execIMad, lane.AbsDiffU
	if program.IsSigned(u.Ins.Type) {
		u.product = lane.AbsDiffS
	}
}

func bindMinMax(unsigned, signed lane.Binary) func(*program.Program, *op) {
	return func(_ *program.Program, u *op) {
		u.exec, u.k2 = exec2, unsigned
		if program.IsSigned(u.Ins.Type) {
			u.k2 = signed
		}
		u.flagged(resultFlags)
	}
}

func bindLogic(_ *program.Program, u *op) {
	u.exec = exec2
	u.flagged(resultFlags)
	switch u.Ins.Logic {
	case tesla.And:
		u.k2 = lane.And
	case tesla.Or:
		u.k2 = lane.Or
	case tesla.Xor:
		u.k2 = lane.Xor
	default:
		// The first operand is still fetched, because it may fault or change its address register.
		u.k2 = func(d, _, second lane.Rows, s *lane.Sel) { lane.Move(d, second, s) }
	}
}

func bindShift(_ *program.Program, u *op) {
	u.k2, u.shiftFlags = lane.Shl, lane.ShlFlags
	if u.Ins.Op == tesla.OpShr {
		u.k2, u.shiftFlags = lane.ShrU, lane.ShrUFlags
		if program.IsSigned(u.Ins.Type) {
			u.k2, u.shiftFlags = lane.ShrS, lane.ShrSFlags
		}
	}
	u.exec = exec2
	if u.CDst != program.NoCond {
		u.exec = execShift
	}
}

func bindISet(_ *program.Program, u *op) {
	u.exec, u.compare = execSet, lane.CompareU
	if program.IsSigned(u.Ins.Type) {
		u.compare = lane.CompareS
	}
}

func resultFlags(eng *Engine, u *op, d lane.Rows, s *lane.Sel) {
	lane.ResultFlags(eng.Flags[u.CDst], d, int(u.Width), s)
}

// add is the adder of docs/isa/operations.md, IAdd: all of add, sub, subr and addc, with
// saturation and flags.
func (eng *Engine) add(u *op, a, c lane.Rows, s *lane.Sel) {
	if u.Arith == tesla.SubR {
		a, c = c, a
	}
	width := int(u.Width)
	var carry []lane.Flags
	if u.Arith == tesla.AddC {
		carry = eng.carry[:eng.Warps]
		copy(carry, eng.Flags[u.CIn]) // the flags written may be the flags read
	}
	if u.CDst != program.NoCond { // before the kernel: the result may replace a or c
		f := eng.Flags[u.CDst]
		switch u.Arith {
		case tesla.Add:
			lane.AddFlags(f, a, c, width, u.Sat, s)
		case tesla.AddC:
			lane.AddCarryFlags(f, a, c, carry, width, u.Sat, s)
		default:
			lane.SubFlags(f, a, c, width, u.Sat, s)
		}
	}
	d := eng.result(u)
	switch {
	case u.Arith == tesla.AddC && u.Sat:
		lane.AddCarrySat(d, a, c, carry, width, s)
	case u.Arith == tesla.AddC:
		lane.AddCarry(d, a, c, carry, s)
	case u.Arith == tesla.Add && u.Sat:
		lane.AddSat(d, a, c, width, s)
	case u.Sat:
		lane.SubSat(d, a, c, width, s)
	default:
		u.k2(d, a, c, s)
	}
	eng.store(u, d, s)
}

func execIAdd(eng *Engine, u *op, s *lane.Sel) bool {
	a, c := eng.source(u, 0, s), eng.source(u, 1, s)
	if eng.Raised != nil {
		return false
	}
	eng.add(u, a, c, s)
	return true
}

// execIMad computes a product, or an absolute difference, and adds the third source.
func execIMad(eng *Engine, u *op, s *lane.Sel) bool {
	a, c, e := eng.source(u, 0, s), eng.source(u, 1, s), eng.source(u, 2, s)
	if eng.Raised != nil {
		return false
	}
	p := eng.scratch(tmpExtra)
	u.product(p, a, c, eng.loose(s))
	eng.add(u, p, e, s)
	return true
}

// execShift executes a shift that writes flags, which need the operand and the count.
func execShift(eng *Engine, u *op, s *lane.Sel) bool {
	a, n := eng.source(u, 0, s), eng.source(u, 1, s)
	if eng.Raised != nil {
		return false
	}
	u.shiftFlags(eng.Flags[u.CDst], a, n, int(u.Width), s)
	d := eng.result(u)
	u.k2(d, a, n, s)
	eng.store(u, d, s)
	return true
}

// execSet stores a comparison: all ones or zero, and flags.
func execSet(eng *Engine, u *op, s *lane.Sel) bool {
	a, c := eng.source(u, 0, s), eng.source(u, 1, s)
	if eng.Raised != nil {
		return false
	}
	u.compare(&eng.holds, a, c, uint8(u.Ins.Cmp), s)
	eng.answer(u, s)
	return true
}

// answer stores the outcome of a comparison, which eng.holds has.
func (eng *Engine) answer(u *op, s *lane.Sel) {
	if u.Dst.Mode != program.DstNone {
		d := eng.result(u)
		lane.Expand(d, &eng.holds, s)
		eng.store(u, d, s)
	}
	if u.CDst != program.NoCond {
		lane.MaskFlags(eng.Flags[u.CDst], &eng.holds, s)
	}
}
