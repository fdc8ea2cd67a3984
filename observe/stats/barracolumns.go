package stats

import (
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// The columns of Barra's files, as revision be530bf30 of 2009-11-23 fills them. The operation gives
// the kind of an instruction. The bits of the encoding give its operands, even those that the
// operation does not use.

// barraKind is the column that classifies an instruction.
type barraKind uint8

const (
	barraNone    barraKind = iota
	barraInteger           // includes conversions of integers
	barraFloat             // both widths
	barraFlow
	barraMov // includes loads and stores of s[] and loads of c[]
	barraMemory
)

// barraSlots are the operands that Barra looks for.
type barraSlots uint8

const (
	slotDest barraSlots = 1 << iota
	slot1
	slot2
	slot3
)

// barraShape is Barra's description of an operation.
type barraShape struct {
	kind  barraKind
	long  barraSlots // in long instructions without an immediate
	short barraSlots // in short instructions, and in long ones with an immediate
}

// barraShapes has the operations that Barra knows. For other operations the decoder finds the
// operands.
var barraShapes = func() map[tesla.Op]barraShape {
	const one, two, three = slotDest | slot1, slotDest | slot1 | slot2, slotDest | slot1 | slot2 | slot3
	const sum = slotDest | slot1 | slot3
	shapes := map[tesla.Op]barraShape{}
	add := func(kind barraKind, long, short barraSlots, ops ...tesla.Op) {
		for _, op := range ops {
			shapes[op] = barraShape{kind, long, short}
		}
	}
	add(barraInteger, sum, two, tesla.OpIAdd)
	add(barraInteger, three, two, tesla.OpIMad)
	add(barraInteger, two, two, tesla.OpIMul, tesla.OpISet, tesla.OpIMin, tesla.OpIMax,
		tesla.OpLogic, tesla.OpShl, tesla.OpShr)
	add(barraInteger, one, one, tesla.OpCvt)

	add(barraFloat, sum, two, tesla.OpFAdd)
	add(barraFloat, three, two, tesla.OpFMad)
	add(barraFloat, two, two, tesla.OpFMul, tesla.OpFSet, tesla.OpFMin, tesla.OpFMax)
	add(barraFloat, one, one, tesla.OpRcp, tesla.OpRsqrt, tesla.OpLg2, tesla.OpEx2,
		tesla.OpSin, tesla.OpCos, tesla.OpPreSin, tesla.OpPreEx2)
	add(barraFloat, sum, 0, tesla.OpDAdd)
	add(barraFloat, three, 0, tesla.OpDFma)
	add(barraFloat, two, 0, tesla.OpDMul, tesla.OpDMax, tesla.OpDSet)

	add(barraMov, one, one, tesla.OpMov)
	add(barraMov, one, 0, tesla.OpLdShared, tesla.OpShlToAddr, tesla.OpAddAddr)
	add(barraMov, slotDest|slot2, 0, tesla.OpLdConst)
	add(barraMov, slotDest|slot3, 0, tesla.OpStShared)
	add(barraMov, slotDest, 0, tesla.OpMovFromAddr, tesla.OpMovFromCond)
	add(barraMov, slot1, 0, tesla.OpMovToCond)

	add(barraMemory, one, 0, tesla.OpLdGlobal, tesla.OpStGlobal, tesla.OpLdLocal, tesla.OpStLocal)
	add(barraNone, slotDest, slotDest, tesla.OpTexFetch)
	add(barraFlow, 0, 0, tesla.OpBra, tesla.OpCall, tesla.OpRet, tesla.OpBreak,
		tesla.OpBreakAddr, tesla.OpJoinAt, tesla.OpBar)
	add(barraNone, 0, 0, tesla.OpNop, tesla.OpPmEvent)
	return shapes
}()

// encoded holds the encoding of an instruction, as far as Barra's columns need it.
type encoded struct {
	w0, w1 uint32
	short  bool // 4 bytes
	imm    bool // 8 bytes, with an immediate
}

func encodedAs(in *tesla.Instruction) encoded {
	e := encoded{w0: in.Raw[0], w1: in.Raw[1], short: in.Size == 4}
	e.imm = !e.short && e.w1&3 == 3
	return e
}

// bits returns n bits of w from bit at on.
func bits(w uint32, at, n uint) int { return int(w >> at & (1<<n - 1)) }

// barraOf returns the kind of an instruction and the operands that Barra looks for.
func barraOf(in *tesla.Instruction) (kind barraKind, slots barraSlots, known bool) {
	shape, known := barraShapes[in.Op]
	e := encodedAs(in)
	kind, slots = shape.kind, shape.long
	if e.short || e.imm {
		slots = shape.short
	}
	switch {
	case in.Op == tesla.OpIAdd && in.Arith == tesla.AddC && (e.short || e.imm):
		kind = barraNone // missing in Barra's classes
	case in.Op == tesla.OpCvt && bits(e.w1, 29, 3) == 1: // integers, negated: missing, too
		kind = barraNone
	case in.Op == tesla.OpCvt && bits(e.w1, 29, 3) >= 4: // of floats
		kind = barraFloat
	case in.Op == tesla.OpLogic && in.Logic == tesla.Pass && !e.imm:
		slots &^= slot1
	case (in.Op == tesla.OpShl || in.Op == tesla.OpShr) && bits(e.w1, 20, 1) == 1: // by a number
		slots &^= slot2
	case in.Op == tesla.OpMov && e.imm:
		slots &^= slot1
	}
	return kind, slots, known
}

// barraOperands holds the columns of an instruction's operands.
type barraOperands struct {
	shared, constant bool
	from, to         int // registers
}

// operandsOf counts operands as Barra does. Barra recognises a repeated register only if the second
// equals the first, or the third equals the second.
func operandsOf(in *tesla.Instruction) (o barraOperands) {
	_, slots, known := barraOf(in)
	if !known {
		o.from, o.to = registers(in)
		o.shared, o.constant = reads(in, tesla.Shared), reads(in, tesla.Const)
		return o
	}
	e := encodedAs(in)
	full := !e.short && !e.imm
	half := 0 // 16-bit registers: the number counts halves
	if in.Src[0].Kind == tesla.Half || in.Src[1].Kind == tesla.Half {
		half = 1
	}
	const none = -1
	first, second := none, none
	if slots&slotDest != 0 && !(full && bits(e.w1, 3, 1) == 1) {
		o.to = 1
	}
	if slots&slot1 != 0 {
		switch {
		case full && bits(e.w1, 21, 1) == 0:
			first = bits(e.w0, 9, 7) >> half
		case full:
			o.shared = bits(e.w1, 25, 1) == 0
		case bits(e.w0, 24, 1) == 0:
			first = bits(e.w0, 9, 6) >> half
		default:
			o.shared = true
		}
	}
	if slots&slot2 != 0 && !e.imm {
		switch {
		case bits(e.w0, 23, 1) == 1:
			o.constant = true
		case full:
			second = bits(e.w0, 16, 7) >> half
		default:
			second = bits(e.w0, 16, 6) >> half
		}
	}
	if first != none {
		o.from++
	}
	if second != none && second != first {
		o.from++
	}
	if slots&slot3 != 0 && full {
		if in.Op == tesla.OpIMad {
			half = 0
		}
		switch {
		case bits(e.w0, 24, 1) == 1:
			o.constant = true
		case bits(e.w1, 25, 1) == 0 && bits(e.w1, 14, 7)>>half != second:
			o.from++
		}
	}
	return o
}

// scalarOf returns the lanes that Barra counts: the lanes that pass the guard, for a branch the
// lanes that take it. Instructions without a guard have guard bits all the same: for joinat,
// breakaddr and barriers compilers set "never". A join that lets the warp go on ignores the guard.
func scalarOf(in *tesla.Instruction, s *simt.InstructionStats) uint64 {
	e := encodedAs(in)
	never := !e.short && !e.imm && bits(e.w1, 7, 5) == 0
	switch {
	case in.Marker == tesla.MarkerJoin:
		return s.Threads + s.Off
	case in.Op == tesla.OpBra || in.Op == tesla.OpBreak || in.Op == tesla.OpRet:
		return s.Branch.Threads
	case never:
		return 0
	}
	return s.Threads
}

// jumpsOf returns how often Barra changed the pc. calls says that the kernel has functions; without
// functions a return ends threads.
func jumpsOf(in *tesla.Instruction, s *simt.InstructionStats, calls bool) uint64 {
	jumps := s.Vetoed // back to waiting lanes
	switch in.Op {
	case tesla.OpBra:
		jumps += s.Branch.Taken + s.Branch.Divergent
	case tesla.OpBreak: // lanes that leave while others stay only wait
		jumps += s.Branch.Taken
	case tesla.OpRet:
		if calls {
			jumps += s.Branch.Taken + s.Branch.Divergent
		}
	case tesla.OpCall:
		jumps += s.Issues - s.Vetoed
	}
	return jumps
}

// barraRow returns the columns after the name.
func barraRow(in *tesla.Instruction, s *simt.InstructionStats, calls bool) []uint64 {
	kind, _, known := barraOf(in)
	if !known {
		kind = kindOf(in.Op)
	}
	o := operandsOf(in)
	row := []uint64{s.Issues, scalarOf(in, s)}
	for _, k := range []barraKind{barraInteger, barraFloat, barraFlow, barraMov, barraMemory} {
		row = append(row, flag(kind == k))
	}
	row = append(row, flag(o.shared), flag(o.constant), uint64(o.from), uint64(o.to))
	taken := s.Branch
	if in.Op == tesla.OpBreak { // Barra does not count these
		taken = simt.Outcomes{}
	}
	row = append(row, taken.Taken, taken.NotTaken, taken.Divergent, jumpsOf(in, s, calls))
	for _, ops := range [...][2]tesla.Op{{tesla.OpLdGlobal, tesla.OpStGlobal}, {tesla.OpLdLocal, tesla.OpStLocal}} {
		for _, op := range ops {
			var scattered, coalesced uint64
			if in.Op == op && in.Bad == tesla.OK { // an illegal instruction has no size, and never ran
				scattered, coalesced = coalescing(uint64(mem.Size(in.Type)), s)
			}
			row = append(row, scattered, coalesced)
		}
	}
	return row
}

// kindOf returns the kind of an operation that Barra does not know.
func kindOf(op tesla.Op) barraKind {
	switch op.Class() {
	case tesla.ClassInteger:
		return barraInteger
	case tesla.ClassFloat, tesla.ClassDouble, tesla.ClassSpecial:
		return barraFloat
	case tesla.ClassControl, tesla.ClassBarrier:
		return barraFlow
	case tesla.ClassMove:
		return barraMov
	case tesla.ClassGlobal, tesla.ClassLocal, tesla.ClassShared, tesla.ClassConstant, tesla.ClassAtomic:
		return barraMemory
	}
	return barraNone
}

// coalescing returns the bytes that Barra counts for accesses: the element size per issue. If the
// half-warps of issues differ, their bytes are divided in proportion. An issue without an executing
// lane counts as coalesced.
func coalescing(size uint64, s *simt.InstructionStats) (scattered, coalesced uint64) {
	t := &s.Memory.Device
	if t.Accesses == 0 {
		return 0, size * s.Issues
	}
	bytes := size * (s.Issues - s.Vetoed)
	whole := t.G80.By64 + t.G80.By128/max(size/8, 1) // half-warps that coalesce
	scattered = bytes - bytes*whole/t.Accesses
	return scattered, size*s.Issues - scattered
}
