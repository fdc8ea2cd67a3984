package translate

import (
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
)

// keeper is an emitter of code that adds to machine.Kept.
type keeper struct{ listener }

// Registers of this code.
const (
	regEntry = x86.R9
	regRow   = x86.R10 // where the next row is written
	regForms = x86.R11 // the head's word about rows
)

// headAt returns the operand of a word of an entry's head.
func headAt(word int) x86.Operand { return x86.At(regEntry, 4*int32(word)) }

// kept is what an entry has, and where the code finds it.
type kept struct {
	*program.Op
	program.Effects
	whole bool        // all lanes executed
	lanes x86.Operand // that executed
	state cells
	tmp   []vector.Vec // scratch: two registers, or one with AVX2
}

// keep adds an entry of u if its values are wanted. u issued ahead steps after those that regSteps
// counts.
func (e keeper) keep(u *program.Op, ahead int32) {
	if !e.watched {
		return
	}
	e.step()
	k := kept{Op: u, Effects: e.p.Effects(int(u.At)), whole: e.full && !u.Guarded && !e.inSide, lanes: e.lanes}
	k.tmp = e.scratch()
	back := e.ifWanted(u, func(back x86.Label) {
		if u.Guarded {
			e.a.Cmp(32, frGuard, x86.Imm(0))
			e.a.Jcc(x86.E, back)
		}
		e.entry(&k, ahead)
	})
	e.a.Bind(back)
	k.state = e.cells
	e.Free(k.tmp...)
}

// scratch takes registers for an entry.
func (e keeper) scratch() []vector.Vec {
	if !e.wide() {
		return []vector.Vec{e.Vec()}
	}
	return []vector.Vec{e.Vec(), e.Vec()}
}

// ifWanted emits a test whether values of u are wanted, and cold code for that case. The code goes
// on at the label, which the caller binds.
func (e keeper) ifWanted(u *program.Op, f func(back x86.Label)) (back x86.Label) {
	wanted := e.a.NewLabel()
	back = e.a.NewLabel()
	e.wants(u, wantsAfter)
	e.a.Jcc(x86.NE, wanted)
	e.cold = append(e.cold, func() {
		e.a.Bind(wanted)
		f(back)
		e.a.Jmp(back)
	})
	return back
}

// entry writes an entry.
func (e keeper) entry(k *kept, ahead int32) {
	ax := x86.R(x86.RAX)
	e.a.Mov(64, x86.R(regEntry), frKept)
	e.a.Mov(64, ax, frClock)
	e.a.Lea(64, x86.RAX, x86.At(x86.RAX, ahead).Index(regSteps, 1))
	e.a.Mov(64, headAt(machine.HeadTime), ax)
	e.a.Mov(32, ax, k.lanes)
	e.a.Mov(32, headAt(machine.HeadLanes), ax)
	e.a.Mov(32, headAt(machine.HeadIndex), x86.Imm(int64(k.At)))
	for i, c := range k.Conditions {
		for half := range int32(2) {
			e.a.Mov(64, ax, x86.At(regFlags, int32(c)*int32(machine.FlagStep)+8*half))
			e.a.Mov(64, headAt(machine.HeadWords+i*machine.MaskWords).Disp(8*half), ax)
		}
	}
	first := 0
	if k.Effects.Accesses {
		first = 1
		e.a.Mov(32, x86.R(regRow), headAt(machine.HeadSize))
		e.a.Mov(32, x86.R(regForms), headAt(machine.HeadForms))
		e.a.Lea(64, regRow, x86.At(regEntry, 0).Index(regRow, 4))
	} else {
		e.firstRow(len(k.Conditions))
	}
	for i, row := range machine.KeptRows(e.p, &k.Effects) {
		e.registerRow(k, first+i, row)
	}
	e.endHead()
	e.a.Mov(64, frKept, x86.R(regRow))
}

// firstRow begins the rows of an entry.
func (e keeper) firstRow(conditions int) {
	e.a.Lea(64, regRow, headAt(machine.HeadWords+conditions*machine.MaskWords))
	e.a.Xor(32, x86.R(regForms), x86.R(regForms))
}

// endHead writes what the head says about rows.
func (e keeper) endHead() {
	e.a.Mov(64, x86.R(x86.RAX), x86.R(regRow))
	e.a.Sub(64, x86.R(x86.RAX), x86.R(regEntry))
	e.a.Shr(32, x86.R(x86.RAX), x86.Imm(2))
	e.a.Mov(32, headAt(machine.HeadSize), x86.R(x86.RAX))
	e.a.Mov(32, headAt(machine.HeadForms), x86.R(regForms))
}

// keepAddresses writes the addresses of u, if they are wanted, into the entry that keep completes.
func (e keeper) keepAddresses(u *program.Op) {
	if !e.watched || !u.Accesses() {
		return
	}
	e.step()
	k := kept{Op: u, Effects: e.p.Effects(int(u.At)), whole: e.full && !u.Guarded, lanes: e.lanes}
	if e.wide() {
		k.tmp = []vector.Vec{work0, work0 + 1}
	} else {
		k.tmp = e.scratch()
	}
	back := e.ifWanted(u, func(x86.Label) {
		e.a.Mov(64, x86.R(regEntry), frKept)
		e.firstRow(len(k.Conditions))
		e.row(&k, 0, func(part int) vector.Vec {
			if e.wide() {
				return addr0 + vector.Vec(part)
			}
			e.vec(x86.VMOVDQU32, k.tmp[0], 0, addressesAt(int32(part)*e.bytes))
			return k.tmp[0]
		})
		e.endHead()
	})
	e.a.Bind(back)
	if !e.wide() {
		e.Free(k.tmp...)
	}
}

// registerRow writes a row of the warp, as row i of the entry. A negative row is zero.
func (e keeper) registerRow(k *kept, i, row int) {
	if row < 0 {
		e.a.Mov(64, x86.At(regRow, 0), x86.Imm(0))
		e.shortRow(i)
		return
	}
	e.row(k, i, func(part int) vector.Vec {
		for v := range k.state {
			if c := &k.state[v]; int(c.row) == row && int(c.part) == part {
				return vector.Vec(v)
			}
		}
		tmp := k.tmp[part%len(k.tmp)]
		e.vec(x86.VMOVDQU32, tmp, 0, e.rowAt(row, part))
		return tmp
	})
}

// shortRow goes on after row i, which is base and stride.
func (e keeper) shortRow(i int) {
	e.a.Or(32, x86.R(regForms), x86.Imm(machine.HasBase<<i))
	e.a.Add(64, x86.R(regRow), x86.Imm(4*machine.ShortWords))
}

// row writes row i of the entry, whose parts are in registers.
func (e keeper) row(k *kept, i int, of func(part int) vector.Vec) {
	for part := range int32(e.Level.Parts()) {
		e.a.V(x86.Ins{Op: x86.VMOVDQU32Store, L: e.width, D: uint8(of(int(part))), RM: x86.At(regRow, part*e.bytes)})
	}
	if !e.wide() {
		e.a.Add(64, x86.R(regRow), x86.Imm(4*machine.LongWords))
		return
	}
	unknown, uneven, next := e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	e.findBase(k, unknown, uneven)
	e.a.Mov(32, x86.At(regRow, 0), x86.R(x86.RAX))
	e.a.Mov(32, x86.At(regRow, 4), x86.R(x86.RDX))
	e.shortRow(i)
	e.a.Jmp(next)
	e.a.Bind(uneven)
	e.a.Or(32, x86.R(regForms), x86.Imm(machine.HasNone<<i))
	e.a.Bind(unknown)
	e.a.Add(64, x86.R(regRow), x86.Imm(4*machine.LongWords))
	e.a.Bind(next)
}

// findBase puts the base and the stride of the row at regRow in RAX and RDX. It goes to uneven if no
// pair fits, and to unknown if the lowest two lanes that executed are not neighbours.
func (e keeper) findBase(k *kept, unknown, uneven x86.Label) {
	ax, cx, dx := x86.R(x86.RAX), x86.R(x86.RCX), x86.R(x86.RDX)
	masks := [2]int{}
	if k.whole {
		e.a.Mov(32, ax, x86.At(regRow, 0))
		e.a.Mov(32, dx, x86.At(regRow, 4))
		e.a.Sub(32, dx, ax)
	} else {
		e.a.Mov(32, ax, k.lanes)
		e.a.V(x86.Ins{Op: x86.KMOVD, D: test0, RM: ax})
		e.a.V(x86.Ins{Op: x86.KSHIFTRD, D: test1, RM: x86.K(test0), Imm: lane.Width / 2})
		masks = [2]int{test0, test1}
		e.a.Tzcnt(32, x86.RCX, ax)
		e.a.Lea(32, x86.RDX, x86.At(x86.RCX, 1))
		e.a.Bt(32, ax, dx)
		e.a.Jcc(x86.AE, unknown) // no carry
		e.a.Mov(32, ax, x86.At(regRow, 0).Index(x86.RCX, 4))
		e.a.Mov(32, dx, x86.At(regRow, 4).Index(x86.RCX, 4))
		e.a.Sub(32, dx, ax)
		e.a.Imul(32, x86.RCX, dx)
		e.a.Sub(32, ax, cx)
	}
	even, step, l := k.tmp[0], k.tmp[1], lanewise{e.emitter}
	e.vec(x86.VPBROADCASTD, even, 0, dx)
	e.vec(x86.VPMULLD, even, even, e.accessor().elementOffsets(1))
	e.vec(x86.VPBROADCASTD, step, 0, ax)
	e.vec(x86.VPADDD, even, even, r(step))
	l.compare(x86.VPCMPD, test0, masks[0], even, x86.At(regRow, 0), x86.CmpNE)
	e.a.Mov(32, cx, dx)
	e.a.Shl(32, cx, x86.Imm(4))
	e.vec(x86.VPBROADCASTD, step, 0, cx)
	e.vec(x86.VPADDD, even, even, r(step))
	l.compare(x86.VPCMPD, test1, masks[1], even, x86.At(regRow, 64), x86.CmpNE)
	e.a.V(x86.Ins{Op: x86.KORTESTW, D: test0, RM: x86.K(test1)})
	e.a.Jcc(x86.NE, uneven)
}
